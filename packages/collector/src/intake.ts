import { isUtf8 } from 'node:buffer';
import type { CollectorCounts, DropOutcome } from './counts.ts';
import type { ForwardBody, Forwarder } from './forward.ts';
import { measureJson, tryParseJson } from './json.ts';
import type { Quotas } from './quotas.ts';
import { Buckets, type Rate } from './rates.ts';
import type { AccountFilters, ReadReport, ReportReader } from './report.ts';
import type { Spool } from './spool.ts';
import type { Token } from './tokens.ts';

const MOST_REPORTS = 100;
/** Maximum number of JSON values in a body. A report has about twenty. */
const MOST_VALUES = 20_000;
/** Maximum stored length of a user agent in characters, each of which is a byte of the header. */
const LONGEST_AGENT = 1024;
const MOST_ACCOUNTS = 100_000;

/** The disposition of the violated policy, from the path of the address. */
export type EndpointKind = '' | 'enforce' | 'report' | 'wizard';

/** Metadata of a delivered body. */
export interface Delivery {
  token: Token;
  kind: EndpointKind;
  userAgent: string;
  contentType: string | undefined;
  /** True if another collector has forwarded the body. */
  isForwarded: boolean;
}

interface AcceptedReport {
  type: string;
  usesQuota: boolean;
  value: unknown;
  hosts: readonly string[];
  /** The fraction of such reports to store. */
  rate: number;
}

export interface IntakeSettings {
  reader: ReportReader;
  spool: Spool;
  counts: CollectorCounts;
  quotas: Quotas;
  /** Maximum rate of reports per account. */
  rate: Rate;
  listFilters(account: string): AccountFilters | undefined;
  forwarder?: Forwarder | undefined;
}

/** The accepted reports of a body, as one JSON value. */
interface AcceptedLine {
  json: Buffer;
  isList: boolean;
  reports: readonly AcceptedReport[];
}

/** Filters and samples reports, and writes the remaining ones to the spool. */
export class Intake {
  #settings: IntakeSettings;
  #rates: Buckets;

  constructor(settings: IntakeSettings) {
    this.#settings = settings;
    this.#rates = new Buckets(settings.rate, MOST_ACCOUNTS);
  }

  /**
   * Processes a delivery and returns the HTTP status. It is 204 even for dropped reports, because browsers would retry
   * after an error.
   */
  take(delivery: Delivery, body: Buffer): 204 | 400 | 413 {
    const { reader, counts, listFilters: filtersOf } = this.#settings;
    const { account } = delivery.token;
    const refuse = (status: 400 | 413, why: DropOutcome, count = 1) => {
      counts.drop(account, '', why, count);
      return status;
    };
    const size = measureJson(body);
    if (size.values > MOST_VALUES) return refuse(413, 'tooLarge');
    const value = size.levels > reader.maxDepth ? undefined : tryParseJson(body.toString());
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.length > MOST_REPORTS) return refuse(413, 'tooLarge', values.length);
    if (value === undefined || values.length === 0) return refuse(400, 'malformed');
    const reports = values.map(each => reader.read(each, account));
    if (reports.every(report => report === 'unknown')) return refuse(400, 'unknown', reports.length);
    const filters = filtersOf(account);
    const isInRate = this.#rates.take(account, values.length);
    const sampled: AcceptedReport[] = [];
    reports.forEach((report, index) => {
      const { type, hosts, usesQuota } = typeof report === 'object' ? report : NO_REPORT;
      const decided = decide(report, isInRate, delivery, filters);
      if (typeof decided === 'number')
        sampled.push({ type, usesQuota, value: values[index], hosts, rate: decided });
      else counts.drop(account, type, decided);
    });
    const isWhole = !filters && sampled.length === values.length && sampled.every(({ rate }) => rate === 1);
    const each = () =>
      sampled.map(report => {
        const json = JSON.stringify(filters?.rewrite(report.value) ?? report.value);
        return { json: Buffer.from(json), isList: false, reports: [report] };
      });
    const isList = Array.isArray(value);
    const whole = { json: isWhole ? inOneLine(body) : NONE, isList, reports: sampled };
    const isInQuota =
      isWhole && this.#settings.quotas.hasRoom(account, whole.json.length, countQuota(sampled));
    this.#store(delivery, isList, isInQuota ? [whole] : each());
    return 204;
  }

  #store(delivery: Delivery, isList: boolean, lines: readonly AcceptedLine[]): void {
    const forwarding = this.#reserve(delivery, isList, lines);
    let [writing, isWritten] = [0, true];
    const after = (isOnDisk: boolean) => {
      isWritten &&= isOnDisk;
      if (--writing > 0 || !forwarding) return;
      if (isWritten) this.#settings.forwarder!.send(forwarding);
      else this.#settings.forwarder!.release(forwarding);
    };
    for (const line of lines)
      if (this.#write(delivery, line, after)) writing++;
      else isWritten = false;
    if (writing === 0 && forwarding) this.#settings.forwarder!.release(forwarding);
  }

  /**
   * Reserves room in the forwarding queue. Returns the reports of the selected hosts, which are forwarded once they are
   * on disk.
   */
  #reserve(
    { token: { account }, contentType, userAgent, isForwarded }: Delivery,
    isList: boolean,
    lines: readonly AcceptedLine[],
  ): ForwardBody | undefined {
    const { forwarder } = this.#settings;
    if (!forwarder || isForwarded) return undefined;
    const isSent = ({ hosts }: AcceptedReport) =>
      forwarder.hosts.length === 0 || hosts.some(host => isBelow(host, forwarder.hosts));
    const sent = lines.filter(({ reports }) => reports.some(isSent));
    const parts = sent.map(({ json, reports }) =>
      reports.every(isSent) || !isList
        ? json
        : Buffer.from(JSON.stringify(reports.filter(isSent).map(({ value }) => value))),
    );
    if (parts.length === 0) return undefined;
    const isOneBody = sent[0]!.isList === isList;
    const body = isOneBody ? Buffer.from(parts[0]!) : Buffer.from(`[${parts.join()}]`);
    const item = { account, body, contentType, userAgent };
    return forwarder.reserve(item) ? item : undefined;
  }

  /**
   * Writes a line.
   * @param json a single JSON value that was parsed, so that it cannot add fields to the line
   * @returns false if the line is dropped
   */
  #write(
    { token: { account }, kind, userAgent }: Delivery,
    { json, reports }: AcceptedLine,
    after: (isOnDisk: boolean) => void,
  ): boolean {
    const { spool, counts, quotas } = this.#settings;
    const { rate } = reports[0]!;
    const head = `{"id":"${spool.nextId()}","time":"${presentTime()}","kind":"${kind}"`;
    const agent = JSON.stringify(userAgent.slice(0, LONGEST_AGENT));
    const line = `${head}${rate < 1 ? `,"rate":${rate}` : ''},"user_agent":${agent},"body":`;
    const types = reports.map(({ type }) => type);
    const drop = (why: DropOutcome) => {
      for (const type of types) counts.drop(account, type, why);
      return false;
    };
    const bytes = line.length + json.length + END.length;
    const counted = countQuota(reports);
    if (!quotas.hasRoom(account, bytes, counted)) return drop('quota');
    const onEnd = (isOnDisk: boolean) => {
      if (!isOnDisk) quotas.add(account, -bytes, -counted);
      after(isOnDisk);
    };
    const pieces = [Buffer.from(line), json, END];
    if (!spool.add(account, pieces, { types, counted, onEnd })) return drop('spool');
    quotas.add(account, bytes, counted);
    return true;
  }
}

const NO_REPORT = { type: '', hosts: [], usesQuota: false };

function countQuota(reports: readonly AcceptedReport[]): number {
  return reports.reduce((sum, { usesQuota }) => sum + (usesQuota ? 1 : 0), 0);
}

let present = { at: 0, text: '' };

/** Formats the time, cached for each millisecond. */
function presentTime(now = Date.now()): string {
  if (now !== present.at) present = { at: now, text: new Date(now).toISOString() };
  return present.text;
}

const NONE = Buffer.alloc(0);
const END = Buffer.from('}\n');
const [LINE_FEED, RETURN, SPACE] = [0x0a, 0x0d, 0x20];

/** Returns the original JSON on one line: line breaks between tokens become spaces. */
function inOneLine(body: Buffer): Buffer {
  const json = isUtf8(body) ? body : Buffer.from(body.toString());
  if (!json.includes(LINE_FEED) && !json.includes(RETURN)) return json;
  return Buffer.from(json.map(byte => (byte === LINE_FEED || byte === RETURN ? SPACE : byte)));
}

/** Returns the fraction of such reports to store, or the reason for dropping this one. */
function decide(
  report: ReadReport | 'unstored' | 'unknown',
  isInRate: boolean,
  { token, kind }: Delivery,
  filters: AccountFilters | undefined,
): number | DropOutcome {
  if (typeof report === 'string') return report;
  if (isElsewhere(report.hosts, token.hosts)) return 'otherHost';
  if (filters?.drops(report)) return 'filtered';
  const name = kind === 'wizard' ? kind : report.type;
  const percent = token.sampling[name] ?? filters?.sampling[name] ?? 100;
  if (Math.random() * 100 >= percent) return 'sampled';
  return isInRate ? percent / 100 : 'rate';
}

/**
 * Checks whether a report comes from a page on other hosts.
 * @param existing the accepted hosts; all if empty
 */
function isElsewhere(hosts: readonly string[], existing: readonly string[]): boolean {
  if (existing.length === 0 || hosts.length === 0) return false;
  return !hosts.some(host => isBelow(host, existing));
}

function isBelow(host: string, existing: readonly string[]): boolean {
  return existing.some(name => host === name || host.endsWith(`.${name}`));
}
