import { hash } from 'node:crypto';
import { BadLine, checkReport, type ReportDays, readLine, reportDays, textBounds } from '@sightline/feed';
import { normalizeHost, parseAddress, REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import { type FoundLine, readOrReject, type UnroutedReport } from './finding.ts';
import type { ResourceBudget } from './resource-budget.ts';
import type { Routes } from './routes.ts';
import { cutText, storableText, TextFitter } from './text/cut.ts';
import { Unreadable } from './unreadable.ts';
import { toInstant } from './values.ts';

/** A parsed report. */
export interface ImportedReport {
  type: ReportType;
  /** Computed by `identify`. */
  id: string;
  /** The id of the same report in an export by a tool that shortens names; undefined if the two are equal. */
  copyId?: string | undefined;
  /** The date of the report, in milliseconds since 1970. */
  date: number;
  /** The fields of its type, except for those above. */
  fields: Record<string, unknown>;
  /** The original text of the report. */
  raw: string;
}

/** The maximum size of an original that is stored, in bytes, and the suffix of a truncated one. */
export const LONGEST_STORED_RAW = 64 * 1024;
const CUT = '… [cut]';

/** Determines the accounts of reports: by host, or a fixed account for hosts without a route. */
export interface AccountRouting {
  accountId?: string | undefined;
  routes?: Routes | undefined;
}

/** Creates lines of the feed, checked by the feed's rules. */
export class FoundReports {
  #belonging: AccountRouting;
  #days: ReportDays;
  #budget: ResourceBudget | undefined;

  /** @param now the time that determines which dates are accepted */
  constructor(belonging: AccountRouting, now = new Date()) {
    this.#belonging = belonging;
    this.#days = reportDays(now);
  }

  /** Returns a copy that charges the budget of one file or mail. */
  withBudget(budget: ResourceBudget): FoundReports {
    const reports = new FoundReports(this.#belonging);
    reports.#days = this.#days;
    reports.#budget = budget;
    return reports;
  }

  /**
   * Returns the line of a report.
   * @param removesCopy true to delete the row that an export may have stored for the same report
   * @throws {Unreadable} if the feed would refuse the report, such as for its age
   * @throws {BudgetExceeded}
   */
  line(report: ImportedReport, removesCopy = false): FoundLine | UnroutedReport {
    const accounts = this.#listAccounts(report);
    return readOrReject(
      () => ({ type: report.type, id: report.id, accounts }),
      () => this.#lineFor(report, accounts, removesCopy),
    );
  }

  #lineFor(
    report: ImportedReport,
    accounts: readonly string[],
    removesCopy: boolean,
  ): FoundLine | UnroutedReport {
    const { type, id, copyId, date, fields, raw } = report;
    const fitting = new TextFitter();
    const record = {
      kind: 'report',
      accountId: accounts[0] ?? '-',
      type,
      id,
      date: instant(date),
      ...(fitting.fit(fields, textBounds(type)) as object),
      raw: cutText(storableText(raw), LONGEST_STORED_RAW, CUT),
    };
    check(() => checkReport(record, this.#days));
    const lines = accounts.map(accountId => JSON.stringify(Object.assign(record, { accountId })));
    if (removesCopy)
      for (const accountId of accounts)
        lines.unshift(JSON.stringify({ kind: 'report', type, id: copyId, deleted: true, accountId }));
    const text = lines.join('\n');
    this.#budget?.give(text.length);
    if (accounts.length === 0) return { kind: 'unrouted', domain: listHosts(report)[0] ?? '' };
    return { kind: 'line', type, id, text, isCut: fitting.isCut };
  }

  /** Returns the accounts of a report. A certificate can belong to several. */
  #listAccounts(report: ImportedReport): readonly string[] {
    const { accountId, routes } = this.#belonging;
    const found = routes ? listHosts(report).map(host => routes.accountOf(host)) : [];
    const routed = new Set(found.filter(account => account !== undefined));
    if (routed.size > 0) return [...routed];
    return accountId === undefined ? [] : [accountId];
  }

  certificate(sha256: string, pem: string): FoundLine {
    const text = JSON.stringify({ kind: 'certificate', sha256, pem });
    check(() => readLine(text));
    return { kind: 'line', type: 'certificate', id: sha256, text };
  }

  /** Returns the line of a collector's daily usage, which always belongs to the account of its reports. */
  usage(sums: Record<string, unknown>): FoundLine {
    const { accountId } = this.#belonging;
    const text = JSON.stringify({ ...sums, kind: 'usage', accountId });
    check(() => readLine(text));
    return { kind: 'line', type: 'usage', id: identify(text), text };
  }
}

/**
 * Computes the id of a report.
 * @param identity everything that distinguishes the report and is the same in every copy
 */
export function identify(...identity: readonly string[]): string {
  // JSON delimits the parts.
  return hash('sha256', JSON.stringify(identity), 'base64url');
}

const PAGES = new Map(REPORT_TYPE_DEFINITIONS.map(({ type, addresses }) => [type, addresses.page]));

/**
 * Returns the hosts that determine the account of a report: those of the filter `hostnames`; for DMARC only hosts below
 * the policy's domain.
 */
function listHosts({ type, fields }: ImportedReport): string[] {
  const page = fields[PAGES.get(type)!];
  if (type === 'dmarc') return [dmarcHost(String(fields.domain), String(page))];
  if (type === 'tls_rpt') return [normalizeHost(String(page))];
  if (Array.isArray(page)) return page.map(name => normalizeHost(String(name)));
  return [parseAddress(String(page))?.host ?? ''];
}

/**
 * Returns the host of a DMARC row. The From header can be forged, so its host counts only below the domain that
 * requested the reports.
 */
function dmarcHost(domain: string, headerFrom: string): string {
  const [domainHost, from] = [normalizeHost(domain), normalizeHost(headerFrom)];
  return domainHost === '' || from.endsWith(`.${domainHost}`) ? from : domainHost;
}

function instant(milliseconds: number): string {
  const text = toInstant(milliseconds);
  if (text === null) throw new Unreadable('has no valid date');
  return text;
}

/** Applies the feed's checks to a record. */
function check(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    if (!(error instanceof BadLine)) throw error;
    const { field, message } = error;
    throw new Unreadable('is refused by the feed', field === '' ? message : `${field} ${message}`);
  }
}
