import { hash } from 'node:crypto';
import { Ordinals } from '../ordinals.ts';
import { type ImportedReport, identify } from '../reports.ts';
import { type Rejected, Unreadable } from '../unreadable.ts';
import { addressOf, instantOf, integerOf, oneOf } from '../values.ts';

/** The part that all rows of an aggregate report share (RFC 7489 appendix C, RFC 9990). Unknown text is ''. */
export interface AggregateReport {
  reporter: string;
  reporterEmail: string;
  reportId: string;
  generator: string;
  /** In milliseconds. */
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
  /** Values that only a database of addresses has. */
  source?: { sourceHostname: string; organisation: string; asn: number | null; country: string };
}

/** @param of gives the text of a field, as the report names it; '' where it has none */
export function policyOf(of: (name: string) => string): PublishedPolicy {
  return {
    p: of('p'),
    sp: of('sp'),
    np: of('np'),
    adkim: of('adkim'),
    aspf: of('aspf'),
    fo: of('fo'),
    pct: integerOf(of('pct')),
    testing: of('testing'),
    discoveryMethod: of('discovery_method'),
  };
}

const DISPOSITIONS = ['none', 'quarantine', 'reject', 'pass'] as const;
const RESULTS = ['pass', 'fail'] as const;

/** Makes records of the rows of one report. */
export class AggregateRows {
  #date: number;
  /** The part that all rows share. */
  #shared: Record<string, unknown>;
  #identity: readonly string[];
  #ordinals: Ordinals;
  /** Tells its rows from those of other reports. */
  #part = '';

  /**
   * @param ordinals counts equal rows of a report that comes in parts
   * @throws {Unreadable} where no row of it could have a date
   */
  constructor(report: AggregateReport, ordinals?: Ordinals) {
    this.#ordinals = ordinals ?? new Ordinals(Number.POSITIVE_INFINITY);
    const { begin, end, policy, ...shared } = report;
    if (begin === undefined) throw new Unreadable('has no date range');
    const [beginDate, endDate] = [instantOf(begin), end === undefined ? null : instantOf(end)];
    this.#date = begin;
    this.#shared = { ...shared, publishedPolicy: policy, beginDate, endDate };
    this.#identity = identityOf(report, begin);
    if (ordinals) this.#part = hash('sha256', JSON.stringify(this.#identity), 'base64').slice(0, 12);
  }

  /** @throws {Unreadable} for a row without what every row has */
  record(row: AggregateRow, raw: string): ImportedReport {
    if (row.sourceIp === '') throw new Unreadable('has no source address', '', this.#rejected(row));
    if (row.count === null) throw new Unreadable('has no count that can be read', '', this.#rejected(row));
    const sourceIp = addressOf(row.sourceIp);
    const id = this.#idOf({ ...row, sourceIp });
    const [dkim, spf] = [oneOf(RESULTS, row.dkim), oneOf(RESULTS, row.spf)];
    const { source, ...rest } = row;
    return {
      type: 'dmarc',
      id,
      // Versions before took an address as it was spelled.
      formerIds: sourceIp.toLowerCase() === row.sourceIp.toLowerCase() ? [] : [this.#idOf(row)],
      date: this.#date,
      fields: {
        ...this.#shared,
        ...rest,
        ...source,
        sourceIp,
        disposition: oneOf(DISPOSITIONS, row.disposition),
        dkim,
        spf,
        aligned: dkim === 'pass' || spf === 'pass',
      },
      raw,
    };
  }

  #idOf(row: AggregateRow): string {
    const content = hash('sha256', contentOf(row), 'base64');
    return identify('dmarc', ...this.#identity, content, String(this.#ordinals.next(content, this.#part)));
  }

  #rejected(row: AggregateRow): Rejected {
    const content = contentOf(row);
    const ordinal = this.#ordinals.next(content, this.#part);
    return { type: 'dmarc', id: identify('rejected', ...this.#identity, content, String(ordinal)) };
  }
}

/** As far as other tools keep it: some cut the host of a reporter down to its domain, and a report id at its "@". */
function identityOf({ reporter, reportId, domain }: AggregateReport, begin: number): string[] {
  const id = reportId.split('@')[0]!;
  return [shortHost(reporter.toLowerCase()), id, domain.toLowerCase(), String(Math.floor(begin / 1000))];
}

/** The last two labels of a host name; a name with spaces is as it is. */
function shortHost(name: string): string {
  return /\s/.test(name) ? name : name.split('.').slice(-2).join('.');
}

/** The identity of a row in one form: defaults count as left out, also where they are spelled out. */
function contentOf(row: AggregateRow): string {
  const known = (word: string, unsaid: string) => (word.toLowerCase() === unsaid ? '' : word.toLowerCase());
  return JSON.stringify([
    row.sourceIp.toLowerCase(),
    row.count,
    known(row.disposition, 'none'),
    known(row.dkim, 'fail'),
    known(row.spf, 'fail'),
    row.headerFrom.toLowerCase(),
    row.envelopeFrom.toLowerCase(),
    row.envelopeTo.toLowerCase(),
    row.overrideReasons.map(({ type, comment }) => [type, comment]),
    row.dkimResults
      .filter(({ domain }) => domain !== '')
      .map(({ domain, selector, result }) => [domain, known(selector, 'none'), known(result, 'none')]),
    row.spfResults
      .filter(({ domain }) => domain !== '')
      .map(({ domain, scope, result }) => [domain, known(scope, 'mfrom'), known(result, 'none')]),
  ]);
}
