import type { ReadReport, ReportReader } from '@sightline/collector';
import { DEFAULT_BOUNDS, isObject, OtherTypes, recognizer, type SavedDay, toText } from '@sightline/importer';
import { cspContextOfReport, isRestReportType, parseAddress, violationClass } from '@sightline/reports';

/** A line of the spool nests the body one level deeper. */
const MAX_DEPTH = DEFAULT_BOUNDS.jsonDepth - 2;
const recognize = recognizer(MAX_DEPTH);

/** Creates a reader that accepts the same reports as the importer, so nothing else enters a spool. */
export function createReportReader(): ReportReader {
  const otherTypes = new OtherTypes();
  return {
    maxDepth: MAX_DEPTH,
    read(value, account) {
      if (!isObject(value)) return 'unknown';
      const record = recognize(value);
      if (record === undefined) return 'unknown';
      if (typeof record === 'string') return 'unstored';
      const { type, fields } = record;
      if (type === 'other' && !otherTypes.take(account, toDay(), String(fields.wireType))) return 'unstored';
      return new RecognizedReport(type, fields, value);
    },
    save: () => otherTypes.save(),
    restore: saved => otherTypes.restore((saved as SavedDay[] | undefined) ?? []),
  };
}

const toDay = () => new Date().toISOString().slice(0, 10);

/** Schemes of documents that are created within a page. */
const NAMELESS = /^(?:(?:about|blob|data)(?::|$))/i;

/** Matches addresses that contain their host literally: the last label is not a number. */
const PLAIN = /^https?:\/\/([a-z0-9.-]+\.[a-z]+)(?:[/?#]|$)/;

function getHost(address: string): string {
  return PLAIN.exec(address)?.[1] ?? parseAddress(address)?.host ?? '';
}

function getReferrer(report: unknown): string {
  if (!isObject(report)) return '';
  const body = [report['csp-report'], report.body].find(isObject) ?? report;
  return toText(body.referrer);
}

class RecognizedReport implements ReadReport {
  readonly type: string;
  readonly page: string;
  readonly blocked: string;
  readonly #report: unknown;

  constructor(
    type: string,
    { uri, blockedUri, connection, subresourceUri }: Readonly<Record<string, unknown>>,
    report: unknown,
  ) {
    this.type = type;
    this.#report = report;
    this.page = toText(uri);
    this.blocked = toText(blockedUri ?? connection ?? subresourceUri);
  }

  /** The same types that `/v1/quota` counts. */
  get usesQuota(): boolean {
    return isRestReportType(this.type);
  }

  /** Frames of `srcdoc` and blobs have no host; the containing page is their referrer, or loads the file. */
  get hosts(): readonly string[] {
    if (!NAMELESS.test(this.page)) return [getHost(this.page)];
    const own = getHost(this.page.replace(/^blob:/i, ''));
    if (own !== '') return [own];
    const referrer = getHost(getReferrer(this.#report));
    if (referrer === '') return [];
    return [referrer, getHost(cspContextOfReport(this.#report).sourceFile ?? '')];
  }

  /** Only filters use this, and they examine the blocked resource, not the policy. */
  get source(): string {
    if (this.blocked === '') return '';
    const violation = { uri: this.page, blockedUri: this.blocked, directive: '', policy: '' };
    return violationClass(violation, cspContextOfReport(this.#report));
  }
}
