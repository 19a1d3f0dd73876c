import type { ReadReport, ReportReader } from '@sightline/collect';
import { DEFAULT_BOUNDS } from '@sightline/import/bounds';
import { recognizer } from '@sightline/import/browser';
import { isObject, textOf } from '@sightline/import/values';
import { cspContextOfReport } from '@sightline/reports/csp-context';
import { violationClass } from '@sightline/reports/source-class';

/** A line of the spool has a level more than the body in it. */
const MAX_DEPTH = DEFAULT_BOUNDS.jsonDepth - 2;
const recognize = recognizer(MAX_DEPTH);

/** Reports as the importer reads them: what it would not take does not come into a spool. */
export const reportReader: ReportReader = {
  maxDepth: MAX_DEPTH,
  read(value) {
    if (!isObject(value)) return 'unknown';
    const record = recognize(value);
    if (record === undefined) return 'unknown';
    return typeof record === 'string' ? 'unkept' : new Recognized(record.type, record.fields, value);
  },
};

class Recognized implements ReadReport {
  readonly type: string;
  readonly page: string;
  readonly blocked: string;
  readonly #report: unknown;

  constructor(
    type: string,
    { uri, blockedUri, subresourceUri }: Readonly<Record<string, unknown>>,
    report: unknown,
  ) {
    this.type = type;
    this.#report = report;
    this.page = textOf(uri);
    this.blocked = textOf(blockedUri ?? subresourceUri);
  }

  /** Asked for by filters alone, which are about what was blocked: no policy is asked. */
  get source(): string {
    if (this.blocked === '') return '';
    const violation = { uri: this.page, blockedUri: this.blocked, directive: '', policy: '' };
    return violationClass(violation, cspContextOfReport(this.#report));
  }
}
