import type { ReportTypeDefinition } from '@sightline/reports';
import { normalizeHost, parseAddress, reverseHost } from '@sightline/reports/addresses';
import { cspContextOfReport } from '@sightline/reports/csp-context';
import { senderOf } from '@sightline/reports/sender';
import { sourceClass, violationClass } from '@sightline/reports/source-class';
import type { SourceClass } from '@sightline/reports/source-classes';
import { type Cell, jsonCell, textCell, textsCell } from './copy/binary.ts';
import { remembered } from './remembered.ts';
import { columnIndex } from './report-fields.ts';

const EXTRA = columnIndex('extra');

/** Writes what is made of a record, and of the original that it was made of. */
type WriteAddresses = (cells: Cell[], record: Record<string, unknown>, original: unknown) => void;

/** Writes the cells that are made of a report's addresses: hosts, paths, source class and sender. */
export function addressWriter({ type, fromBrowser, addresses }: ReportTypeDefinition): WriteAddresses {
  const { page, blocked, subresource } = addresses;
  const writers: WriteAddresses[] = [];
  if (blocked) writers.push(blockedOn(page, blocked, type === 'csp' ? byOriginal : byOrigins));
  else if (fromBrowser) writers.push(addressOf(page, 'host_reversed', 'path'));
  else if (type === 'certificate_transparency') writers.push(hostsOf(page));
  else writers.push(hostOf(page));
  if (type === 'dmarc') writers.push(writeSender);
  if (subresource) writers.push(addressOf(subresource, 'subresource_host_reversed', 'subresource_path'));
  return (cells, record, original) => {
    for (const write of writers) write(cells, record, original);
  };
}

function addressOf(field: string, host: HostColumn, path: PathColumn): WriteAddresses {
  const write = addressCellsWriter(host, path);
  return (cells, record) => {
    const uri = record[field];
    if (typeof uri === 'string') write(cells, knownAddress(uri));
  };
}

type HostColumn = 'host_reversed' | 'blocked_host_reversed' | 'subresource_host_reversed';
type PathColumn = 'path' | 'blocked_path' | 'subresource_path';

function addressCellsWriter(host: HostColumn, path: PathColumn) {
  const [hostIndex, pathIndex] = [columnIndex(host), columnIndex(path)];
  return (cells: Cell[], known: KnownAddress) => {
    if (!known.isAddress) return;
    cells[hostIndex] = known.host;
    cells[pathIndex] = known.path;
  };
}

const SOURCE_CLASS = columnIndex('source_class');
const writePage = addressCellsWriter('host_reversed', 'path');
const writeBlocked = addressCellsWriter('blocked_host_reversed', 'blocked_path');

/** Looks up the page and the blocked address once for hosts, paths and source class. */
function blockedOn(page: string, blocked: string, classOf: ClassOf): WriteAddresses {
  return (cells, record, original) => {
    const [from, target] = [knownAddress(textOf(record[page])), knownAddress(textOf(record[blocked]))];
    writePage(cells, from);
    writeBlocked(cells, target);
    cells[SOURCE_CLASS] = classCell(classOf(cells, record, original, target.origin, from.origin));
  };
}

type ClassOf = (
  cells: Cell[],
  record: Record<string, unknown>,
  original: unknown,
  target: string,
  from: string,
) => SourceClass;

const byOrigins: ClassOf = (_cells, _record, _original, target, from) => classOfOrigins(target, from);

/** Reads the original as well. That the report was read shows by what it has in `extra`, though that be empty. */
const byOriginal: ClassOf = (cells, record, original, target, from) => {
  const violation = {
    uri: from,
    directive: textOf(record.directive),
    blockedUri: textOf(record.blockedUri),
    policy: textOf(record.policy),
  };
  const context = cspContextOfReport(original);
  cells[EXTRA] = jsonCell(context);
  return violationClass(violation, context, () => classOfOrigins(target, from));
};

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const classCell = remembered(textCell);

const SENDER = columnIndex('sender');

function writeSender(cells: Cell[], record: Record<string, unknown>): void {
  cells[SENDER] = textCell(senderOf(record));
}

/** Classes by the blocked origin, then by the page's: a key of both would be hashed for each report. */
const rememberedClass = remembered(target => remembered(from => sourceClass(target, from), 100), 1000);
const classOfOrigins = (target: string, from: string): SourceClass => rememberedClass(target)(from);

interface KnownAddress {
  isAddress: boolean;
  host: Cell;
  path: Cell;
  /** Up to its path, which says nothing of a class: there are few of them. */
  origin: string;
}

const ORIGIN = /^[^:/?#]*(?::\/\/[^/?#]*)?/;
/** White space ends no address, and before a query it belongs to it: such an address is read whole. */
const BEFORE_QUERY = /^[^?#]*[^\0-\x20?#](?=[?#])/;

/** Addresses differ most in their queries, which say nothing of host and path. */
function knownAddress(uri: string): KnownAddress {
  const hasQuery = uri.includes('?') || uri.includes('#');
  return knownPlace((hasQuery && BEFORE_QUERY.exec(uri)?.[0]) || uri);
}

const knownPlace = remembered((uri): KnownAddress => {
  const origin = knownOrigin(ORIGIN.exec(uri)![0]);
  const address = parseAddress(uri);
  if (!address) return { isAddress: false, host: undefined, path: undefined, origin };
  return { isAddress: true, host: hostCell(address.host), path: textCell(address.path), origin };
});

/** The same text for the same origin, which then is found without being read. */
const knownOrigin = remembered(origin => origin);

function hostOf(field: string): WriteAddresses {
  const index = columnIndex('host_reversed');
  return (cells, record) => {
    const name = record[field];
    if (typeof name === 'string') cells[index] = namedHostCell(name);
  };
}

function hostsOf(field: string): WriteAddresses {
  const index = columnIndex('hosts_reversed');
  return (cells, record) => {
    const names = record[field] as string[] | null | undefined;
    if (names && names.length > 0)
      cells[index] = textsCell(names.map(name => reverseHost(normalizeHost(name))));
  };
}

const namedHostCell = remembered(name => hostCell(normalizeHost(name)));

const LONGEST_HOST = 253;

/** No filter asks for a longer name, and an index could not hold it. There are fewer of them than addresses. */
const hostCell = remembered(
  (host): Cell => (host === '' || host.length > LONGEST_HOST ? undefined : textCell(reverseHost(host))),
);
