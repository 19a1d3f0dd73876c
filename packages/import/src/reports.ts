import { hash } from 'node:crypto';
import { readLine } from '@sightline/feed';
import { BadLine } from '@sightline/feed/bad-line';
import { type ReportDays, reportDays } from '@sightline/feed/days';
import { checkReport, textBounds } from '@sightline/feed/reports';
import { REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import { normalizeHost, parseAddress } from '@sightline/reports/addresses';
import type { Allowance } from './allowance.ts';
import { type FoundLine, rejecting, type Unrouted } from './finding.ts';
import type { Routes } from './routes.ts';
import { cutText, Fitting, storableText } from './text/cut.ts';
import { Unreadable } from './unreadable.ts';
import { instantOf } from './values.ts';

/** A report as it was read. */
export interface ImportedReport {
  type: ReportType;
  /** Made by `identify`. */
  id: string;
  /** The ids that earlier versions gave it: a record of theirs goes, so that it does not count twice. */
  formerIds?: readonly string[];
  /** In milliseconds. */
  date: number;
  /** The record's fields of its type, but for those above. */
  fields: Record<string, unknown>;
  /** The original. */
  raw: string;
}

/** Bytes of `raw` that are kept, and the mark behind what was cut. */
const LONGEST_RAW = 64 * 1024;
const CUT = '… [cut]';

/** The owner of reports: by their hosts, or else one account. */
export interface Belonging {
  accountId?: string | undefined;
  routes?: Routes | undefined;
}

/** Makes lines of the feed, each for its account and checked as the feed checks it. */
export class FoundReports {
  #belonging: Belonging;
  #days: ReportDays;
  #allowance: Allowance | undefined;

  /** @param now whose days reports may be of, as the feed takes them */
  constructor(belonging: Belonging, now = new Date()) {
    this.#belonging = belonging;
    this.#days = reportDays(now);
  }

  /** The same for what stands in one file or mail. */
  within(allowance: Allowance): FoundReports {
    const reports = new FoundReports(this.#belonging);
    reports.#days = this.#days;
    reports.#allowance = allowance;
    return reports;
  }

  /**
   * @throws {Unreadable} where the feed would refuse it, such as for a date that is too long ago
   * @throws {Exhausted}
   */
  line(report: ImportedReport): FoundLine | Unrouted {
    const accounts = this.#accountsOf(report);
    return rejecting(
      () => ({ type: report.type, id: report.id, accounts }),
      () => this.#lineFor(report, accounts),
    );
  }

  #lineFor(report: ImportedReport, accounts: readonly string[]): FoundLine | Unrouted {
    const { type, id, formerIds = [], date, fields, raw } = report;
    const fitting = new Fitting();
    const record = {
      kind: 'report',
      accountId: accounts[0] ?? '-',
      type,
      id,
      date: instant(date),
      ...(fitting.fit(fields, textBounds(type)) as object),
      raw: cutText(storableText(raw), LONGEST_RAW, CUT),
    };
    check(() => checkReport(record, this.#days));
    const lines = accounts.map(accountId => JSON.stringify(Object.assign(record, { accountId })));
    for (const former of formerIds.filter(one => one !== id))
      for (const accountId of accounts)
        lines.unshift(JSON.stringify({ kind: 'report', type, id: former, deleted: true, accountId }));
    const text = lines.join('\n');
    this.#allowance?.give(text.length);
    if (accounts.length === 0) return { kind: 'unrouted', domain: hostsOf(report)[0] ?? '' };
    return { kind: 'line', type, id, text, isCut: fitting.isCut };
  }

  /** A certificate may be of several. */
  #accountsOf(report: ImportedReport): readonly string[] {
    const { accountId, routes } = this.#belonging;
    const found = routes ? hostsOf(report).map(host => routes.accountOf(host)) : [];
    const routed = new Set(found.filter(account => account !== undefined));
    if (routed.size > 0) return [...routed];
    return accountId === undefined ? [] : [accountId];
  }

  certificate(sha256: string, pem: string): FoundLine {
    const text = JSON.stringify({ kind: 'certificate', sha256, pem });
    check(() => readLine(text));
    return { kind: 'line', type: 'certificate', id: sha256, text };
  }

  /** @param sums of a day and a type. They are of the account whose reports these are, whatever they say. */
  usage(sums: Record<string, unknown>): FoundLine {
    const { accountId } = this.#belonging;
    const text = JSON.stringify({ ...sums, kind: 'usage', accountId });
    check(() => readLine(text));
    return { kind: 'line', type: 'usage', id: identify(text), text };
  }
}

/**
 * The id of a report.
 * @param identity all that tells it from others, and nothing that differs where the same report comes again
 */
export function identify(...identity: readonly string[]): string {
  // As JSON, none of them runs into the next.
  return hash('sha256', JSON.stringify(identity), 'base64url');
}

const PAGES = new Map(REPORT_TYPE_DEFINITIONS.map(({ type, addresses }) => [type, addresses.page]));

/** The hosts that say whose a report is: those that `hostnames` filters by; of DMARC within the policy's domain. */
function hostsOf({ type, fields }: ImportedReport): string[] {
  const page = fields[PAGES.get(type)!];
  if (type === 'dmarc') return [dmarcHost(String(fields.domain), String(page))];
  if (type === 'tls_rpt') return [normalizeHost(String(page))];
  if (Array.isArray(page)) return page.map(name => normalizeHost(String(name)));
  return [parseAddress(String(page))?.host ?? ''];
}

/** The host of a DMARC row. A sender may write any header: it counts only below the domain that asked for reports. */
function dmarcHost(domain: string, headerFrom: string): string {
  const [asked, from] = [normalizeHost(domain), normalizeHost(headerFrom)];
  return asked === '' || from.endsWith(`.${asked}`) ? from : asked;
}

function instant(milliseconds: number): string {
  const text = instantOf(milliseconds);
  if (text === null) throw new Unreadable('has no date that can be read');
  return text;
}

/** The feed's own checks are the only door to the database. */
function check(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    const { field, message } = error;
    throw new Unreadable('is refused by the feed', field === '' ? message : `${field} ${message}`);
  }
}
