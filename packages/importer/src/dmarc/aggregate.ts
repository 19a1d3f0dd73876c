import { hash } from 'node:crypto';
import { listValues, parseIpAddress } from '@sightline/reports';
import { Ordinals } from '../ordinals.ts';
import { type ImportedReport, identify } from '../reports.ts';
import { type RejectedReport, Unreadable } from '../unreadable.ts';
import { oneOf, toInstant, toInteger } from '../values.ts';

/** The part of an aggregate report that all its rows share (RFC 7489 appendix C, RFC 9990). Unknown texts are ''. */
export interface AggregateReport {
  reporter: string;
  reporterEmail: string;
  reportId: string;
  generator: string;
  /** The start of the reporting period, in milliseconds since 1970. */
  begin: number | undefined;
  end: number | undefined;
  domain: string;
  policy: PublishedPolicy;
}

export interface PublishedPolicy {
  p: string;
  sp: string;
  np: string;
  adkim: string;
  aspf: string;
  fo: string;
  pct: number | null;
  testing: string;
  discoveryMethod: string;
}

export interface AggregateRow {
  sourceIp: string;
  count: number | null;
  disposition: string;
  dkim: string;
  spf: string;
  headerFrom: string;
  envelopeFrom: string;
  envelopeTo: string;
  overrideReasons: readonly { type: string; comment: string }[];
  dkimResults: readonly { domain: string; selector: string; result: string; humanResult: string }[];
  spfResults: readonly { domain: string; scope: string; result: string; humanResult: string }[];
  /** Network details of the source, which some tools look up and add to their exports. */
  source?: { sourceHostname: string; organisation: string; asn: number | null; country: string };
}

/**
 * Reads a published policy.
 * @param of returns the text of a field, or '' if it is absent
 */
export function getPolicy(of: (name: string) => string): PublishedPolicy {
  return {
    p: of('p'),
    sp: of('sp'),
    np: of('np'),
    adkim: of('adkim'),
    aspf: of('aspf'),
    fo: of('fo'),
    pct: toInteger(of('pct')),
    testing: of('testing'),
    discoveryMethod: of('discovery_method'),
  };
}

const DISPOSITIONS = listValues('dmarc', 'disposition');
const DKIM_RESULTS = listValues('dmarc', 'dkim');
const SPF_RESULTS = listValues('dmarc', 'spf');

/** Converts the rows of one report to records. */
export class AggregateRows {
  #date: number;
  /** The record fields that all rows share. */
  #shared: Record<string, unknown>;
  #identity: readonly string[];
  /** The report's identity as shortened by parsedmarc; undefined if parsedmarc does not change it. */
  #copied: readonly string[] | undefined;
  #ordinals: Ordinals;
  /** Distinguishes equal rows of different reports if reports share the ordinals. */
  #part = '';

  /**
   * @param ordinals numbers equal rows of a report that arrives in several parts
   * @throws {Unreadable} if the rows have no valid date
   */
  constructor(report: AggregateReport, ordinals?: Ordinals) {
    this.#ordinals = ordinals ?? new Ordinals(Number.POSITIVE_INFINITY);
    const { begin, end, policy, ...shared } = report;
    if (begin === undefined) throw new Unreadable('has no date range');
    const [beginDate, endDate] = [toInstant(begin), end === undefined ? null : toInstant(end)];
    this.#date = begin;
    this.#shared = { ...shared, publishedPolicy: policy, beginDate, endDate };
    this.#identity = toIdentity(report, begin);
    const copied = toIdentity(shortenNames(report), begin);
    if (copied.join() !== this.#identity.join()) this.#copied = copied;
    if (ordinals) this.#part = hash('sha256', JSON.stringify(this.#identity), 'base64').slice(0, 12);
  }

  /**
   * Converts a row to a record.
   * @throws {Unreadable} if the row lacks a mandatory field
   */
  record(row: AggregateRow, raw: string): ImportedReport {
    if (row.sourceIp === '') throw new Unreadable('has no source address', '', this.#rejected(row));
    if (row.count === null) throw new Unreadable('has no valid count', '', this.#rejected(row));
    const sourceIp = parseIpAddress(row.sourceIp);
    const { id, copyId } = this.#toIds({ ...row, sourceIp: sourceIp ?? row.sourceIp });
    const [dkim, spf] = [oneOf(DKIM_RESULTS, row.dkim), oneOf(SPF_RESULTS, row.spf)];
    const { source, ...rest } = row;
    return {
      type: 'dmarc',
      id,
      copyId,
      date: this.#date,
      fields: {
        ...this.#shared,
        ...rest,
        ...source,
        sourceIp: sourceIp ?? '',
        disposition: oneOf(DISPOSITIONS, row.disposition),
        dkim,
        spf,
        aligned: dkim === 'pass' || spf === 'pass',
      },
      raw,
    };
  }

  #toIds(row: AggregateRow): { id: string; copyId: string | undefined } {
    const content = hash('sha256', toContent(row), 'base64');
    const ordinal = String(this.#ordinals.next(content, this.#part));
    return {
      id: identify('dmarc', ...this.#identity, content, ordinal),
      copyId: this.#copied && identify('dmarc', ...this.#copied, content, ordinal),
    };
  }

  #rejected(row: AggregateRow): RejectedReport {
    const content = toContent(row);
    const ordinal = this.#ordinals.next(content, this.#part);
    return { type: 'dmarc', id: identify('rejected', ...this.#identity, content, String(ordinal)) };
  }
}

/**
 * Returns the identity of a report. It includes the reporter's e-mail address, because reporters with the same name can
 * use the same report ids.
 */
function toIdentity(report: AggregateReport, begin: number): string[] {
  const { reporter, reporterEmail, reportId, domain } = report;
  const [name, email, domainName] = [reporter, reporterEmail, domain].map(text => text.toLowerCase());
  return [name!, email!, reportId, domainName!, String(Math.floor(begin / 1000))];
}

/** Identifies a report as parsedmarc does: by the last two labels of the host, and the id up to its "@". */
function shortenNames(report: AggregateReport): AggregateReport {
  const { reporter, reportId } = report;
  return {
    ...report,
    reporter: /\s/.test(reporter) ? reporter : reporter.split('.').slice(-2).join('.'),
    reportId: reportId.split('@')[0]!,
  };
}

/** Serializes a row so that an explicit default value equals an absent one. */
function toContent(row: AggregateRow): string {
  const omitDefault = (word: string, unsaid: string) =>
    word.toLowerCase() === unsaid ? '' : word.toLowerCase();
  return JSON.stringify([
    row.sourceIp.toLowerCase(),
    row.count,
    omitDefault(row.disposition, 'none'),
    omitDefault(row.dkim, 'fail'),
    omitDefault(row.spf, 'fail'),
    row.headerFrom.toLowerCase(),
    row.envelopeFrom.toLowerCase(),
    row.envelopeTo.toLowerCase(),
    row.overrideReasons.map(({ type, comment }) => [type, comment]),
    row.dkimResults
      .filter(({ domain }) => domain !== '')
      .map(({ domain, selector, result }) => [
        domain,
        omitDefault(selector, 'none'),
        omitDefault(result, 'none'),
      ]),
    row.spfResults
      .filter(({ domain }) => domain !== '')
      .map(({ domain, scope, result }) => [domain, omitDefault(scope, 'mfrom'), omitDefault(result, 'none')]),
  ]);
}
