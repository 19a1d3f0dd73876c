import { isUtf8 } from 'node:buffer';
import type { Counts, Dropped } from './counts.ts';
import { parsed } from './json.ts';
import { Buckets, type Rate } from './rates.ts';
import type { AccountFilters, ReadReport, ReportReader } from './report.ts';
import type { Spool } from './spool.ts';
import type { Token } from './tokens.ts';

const MOST_REPORTS = 100;
/** Characters of a user agent that are kept: each is a byte of its header. */
const LONGEST_AGENT = 1024;
const MOST_ACCOUNTS = 100_000;

/** The kind of the policy that was violated, by the address. */
export type Kind = '' | 'enforce' | 'report' | 'wizard';

/** The facts beside a body. */
export interface Delivery {
  token: Token;
  kind: Kind;
  userAgent: string;
}

interface Kept {
  type: string;
  value: unknown;
  /** The part of its like that is kept. */
  rate: number;
}

export interface IntakeSettings {
  reader: ReportReader;
  spool: Spool;
  counts: Counts;
  /** The rate of an account, in reports. */
  rate: Rate;
  filtersOf(account: string): AccountFilters | undefined;
}

/** Decides on reports, and hands those that count to the spool. */
export class Intake {
  #settings: IntakeSettings;
  #rates: Buckets;

  constructor(settings: IntakeSettings) {
    this.#settings = settings;
    this.#rates = new Buckets(settings.rate, MOST_ACCOUNTS);
  }

  /** Answers with the status: 204 also for what is left out, since a browser would try again. */
  take(delivery: Delivery, body: Buffer): 204 | 400 | 413 {
    const { reader, counts, filtersOf } = this.#settings;
    const value = parsed(body.toString());
    if (isDeeper(value, reader.maxDepth)) return 400;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    if (values.length > MOST_REPORTS) return 413;
    const reports = values.map(each => reader.read(each));
    if (reports.every(report => report === 'unknown')) return 400;
    const { account } = delivery.token;
    const filters = filtersOf(account);
    const isInRate = this.#rates.take(account, values.length);
    const kept: Kept[] = [];
    reports.forEach((report, index) => {
      const type = typeof report === 'object' ? report.type : '';
      const decided = decide(report, isInRate, delivery, filters);
      if (typeof decided === 'number') kept.push({ type, value: values[index], rate: decided });
      else counts.drop(account, type, decided);
    });
    const isWhole = !filters && kept.length === values.length && kept.every(({ rate }) => rate === 1);
    const one = ({ value }: Kept) => JSON.stringify(filters?.rewrite(value) ?? value);
    if (isWhole) this.#write(delivery, inOneLine(body), kept);
    else for (const report of kept) this.#write(delivery, Buffer.from(one(report)), [report]);
    return 204;
  }

  /** @param json one value, as it was parsed: nothing in it can become a field beside it */
  #write({ token: { account }, kind, userAgent }: Delivery, json: Buffer, reports: readonly Kept[]): void {
    const { spool, counts } = this.#settings;
    const { rate } = reports[0]!;
    const head = `{"id":"${spool.nextId()}","time":"${presentTime()}","kind":"${kind}"`;
    const agent = JSON.stringify(userAgent.slice(0, LONGEST_AGENT));
    const line = `${head}${rate < 1 ? `,"rate":${rate}` : ''},"user_agent":${agent},"body":`;
    const types = reports.map(({ type }) => type);
    if (spool.add(account, [Buffer.from(line), json, END], types)) return;
    for (const type of types) counts.drop(account, type, 'spool');
  }
}

let present = { at: 0, text: '' };

/** The time as text, written once in a millisecond. */
function presentTime(now = Date.now()): string {
  if (now !== present.at) present = { at: now, text: new Date(now).toISOString() };
  return present.text;
}

const END = Buffer.from('}\n');

/** JSON as it came: line ends stand between its tokens alone. */
function inOneLine(body: Buffer): Buffer {
  const isPlain = !body.includes(0x0a) && !body.includes(0x0d) && isUtf8(body);
  return isPlain ? body : Buffer.from(body.toString().replace(/[\r\n]/g, ' '));
}

/** The part of its like that is kept, or why it is not. */
function decide(
  report: ReadReport | 'unkept' | 'unknown',
  isInRate: boolean,
  { token, kind }: Delivery,
  filters: AccountFilters | undefined,
): number | Dropped {
  if (typeof report === 'string') return report;
  if (token.hosts.length > 0 && !isBelow(report.page, token.hosts)) return 'otherHost';
  if (filters?.drops(report)) return 'filtered';
  const name = kind === 'wizard' ? kind : report.type;
  const percent = token.sampling[name] ?? filters?.sampling[name] ?? 100;
  if (Math.random() * 100 >= percent) return 'sampled';
  return isInRate ? percent / 100 : 'rate';
}

/** A plain address has its host as it stands: the last label is no number. */
const PLAIN = /^https?:\/\/([a-z0-9.-]+\.[a-z]+)(?:[/?#]|$)/;

function isBelow(page: string, hosts: readonly string[]): boolean {
  const host = PLAIN.exec(page)?.[1] ?? (URL.canParse(page) ? new URL(page).hostname.replace(/\.$/, '') : '');
  return hosts.some(known => host === known || host.endsWith(`.${known}`));
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}
