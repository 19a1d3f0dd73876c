import type { ReportTypeDefinition, SourceClass } from '@sightline/reports';
import {
  cspContextOfReport,
  identifySender,
  LONGEST_HOST,
  normalizeHost,
  parseAddress,
  reverseHost,
  sourceClass,
  violationClass,
} from '@sightline/reports';
import { type Cell, jsonCell, textCell, textsCell } from './copy/binary.ts';
import { memoize } from './memoize.ts';
import { columnIndex } from './report-fields.ts';

const EXTRA = columnIndex('extra');

/** Writes the cells derived from a record and its original. */
type WriteAddresses = (cells: Cell[], record: Record<string, unknown>, original: unknown) => void;

/**
 * Creates a function that writes the cells derived from a report's addresses: hosts, paths, source class and sender.
 */
export function addressWriter({ type, fromBrowser, addresses }: ReportTypeDefinition): WriteAddresses {
  const { page, blocked, subresource } = addresses;
  const writers: WriteAddresses[] = [];
  if (blocked) writers.push(blockedOn(page, blocked, type === 'csp' ? byOriginal : byOrigins));
  else if (fromBrowser) writers.push(toAddress(page, 'host_reversed', 'path'));
  else if (type === 'certificate_transparency') writers.push(listHosts(page));
  else writers.push(getHost(page));
  if (type === 'dmarc') writers.push(writeSender);
  if (subresource) writers.push(toAddress(subresource, 'subresource_host_reversed', 'subresource_path'));
  return (cells, record, original) => {
    for (const write of writers) write(cells, record, original);
  };
}

function toAddress(field: string, host: HostColumn, path: PathColumn): WriteAddresses {
  const write = addressCellsWriter(host, path);
  return (cells, record) => {
    const uri = record[field];
    if (typeof uri === 'string') write(cells, getCachedAddress(uri));
  };
}

type HostColumn = 'host_reversed' | 'blocked_host_reversed' | 'subresource_host_reversed';
type PathColumn = 'path' | 'blocked_path' | 'subresource_path';

function addressCellsWriter(host: HostColumn, path: PathColumn) {
  const [hostIndex, pathIndex] = [columnIndex(host), columnIndex(path)];
  return (cells: Cell[], existing: KnownAddress) => {
    if (!existing.isAddress) return;
    cells[hostIndex] = existing.host;
    cells[pathIndex] = existing.path;
  };
}

const SOURCE_CLASS = columnIndex('source_class');
const writePage = addressCellsWriter('host_reversed', 'path');
const writeBlocked = addressCellsWriter('blocked_host_reversed', 'blocked_path');

/** Writes the hosts, paths and source class of a blocked resource. Each address is parsed once. */
function blockedOn(page: string, blocked: string, classOf: ClassOf): WriteAddresses {
  return (cells, record, original) => {
    const [from, target] = [
      getCachedAddress(toText(record[page])),
      getCachedAddress(toText(record[blocked])),
    ];
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

/**
 * Determines the source class with the help of the original report. The field is added to `extra` even if it is empty,
 * which marks the original as evaluated.
 */
const byOriginal: ClassOf = (cells, record, original, target, from) => {
  const violation = {
    uri: from,
    directive: toText(record.directive),
    blockedUri: toText(record.blockedUri),
    policy: toText(record.policy),
  };
  const context = cspContextOfReport(original);
  cells[EXTRA] = jsonCell(context);
  return violationClass(violation, context, () => classOfOrigins(target, from));
};

const toText = (value: unknown) => (typeof value === 'string' ? value : '');
const classCell = memoize(textCell);

const SENDER = columnIndex('sender');

function writeSender(cells: Cell[], record: Record<string, unknown>): void {
  cells[SENDER] = textCell(identifySender(record));
}

/**
 * Caches source classes by blocked origin and page origin. Nested caches are faster than hashing a combined key for
 * each report.
 */
const rememberedClass = memoize(target => memoize(from => sourceClass(target, from), 100), 1000);
const classOfOrigins = (target: string, from: string): SourceClass => rememberedClass(target)(from);

interface KnownAddress {
  isAddress: boolean;
  host: Cell;
  path: Cell;
  /** The part of the URL before the path, which determines the source class. */
  origin: string;
}

const ORIGIN = /^[^:/?#]*(?::\/\/[^/?#]*)?/;
/**
 * Matches a URL before its query, unless white space precedes the query: the URL parser strips white space only at the
 * end of the entire URL.
 */
const BEFORE_QUERY = /^[^?#]*[^\0-\x20?#](?=[?#])/;

/** Parses an address without its query, which affects neither host nor path and would make the cache ineffective. */
function getCachedAddress(uri: string): KnownAddress {
  const hasQuery = uri.includes('?') || uri.includes('#');
  return knownPlace((hasQuery && BEFORE_QUERY.exec(uri)?.[0]) || uri);
}

const knownPlace = memoize((uri): KnownAddress => {
  const origin = knownOrigin(ORIGIN.exec(uri)![0]);
  const address = parseAddress(uri);
  if (!address) return { isAddress: false, host: undefined, path: undefined, origin };
  return { isAddress: true, host: hostCell(address.host), path: textCell(address.path), origin };
});

/** Interns origins, so that equal origins are the same string. */
const knownOrigin = memoize(origin => origin);

function getHost(field: string): WriteAddresses {
  const index = columnIndex('host_reversed');
  return (cells, record) => {
    const name = record[field];
    if (typeof name === 'string') cells[index] = namedHostCell(name);
  };
}

function listHosts(field: string): WriteAddresses {
  const index = columnIndex('hosts_reversed');
  return (cells, record) => {
    const names = record[field] as string[] | null | undefined;
    if (names && names.length > 0)
      cells[index] = textsCell(names.map(name => reverseHost(normalizeHost(name))));
  };
}

const namedHostCell = memoize(name => hostCell(normalizeHost(name)));

/** Returns the cell of a host, which is cached. It is null for names that are too long to be indexed. */
const hostCell = memoize(
  (host): Cell => (host === '' || host.length > LONGEST_HOST ? undefined : textCell(reverseHost(host))),
);
