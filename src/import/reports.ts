import { hash } from 'node:crypto';
import type { ReportType } from '../../sql/report/types.ts';
import { BadLine } from '../feed/check/bad-line.ts';
import { readLine } from '../feed/check/line.ts';
import { type ReportDays, reportDays } from '../feed/check/report-days.ts';
import { checkReport } from '../feed/check/reports.ts';
import type { FoundLine } from './finding.ts';
import { cutText, storable, storableText } from './text/cut.ts';
import { Unreadable } from './unreadable.ts';

/** A report as it was read. */
export interface ImportedReport {
  type: ReportType;
  /** Made by `identify`. */
  id: string;
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

/** Makes lines of the feed for one account, each checked as the feed checks it. */
export class FoundReports {
  #accountId: string;
  #days: ReportDays;

  /** @param now whose days reports may be of, as the feed takes them */
  constructor(accountId: string, now = new Date()) {
    this.#accountId = accountId;
    this.#days = reportDays(now);
  }

  /** @throws {Unreadable} where the feed would refuse it, such as for a date that is too long ago */
  line({ type, id, date, fields, raw }: ImportedReport): FoundLine {
    const record = {
      kind: 'report',
      accountId: this.#accountId,
      type,
      id,
      date: instant(date),
      ...(storable(fields) as object),
      raw: cutText(storableText(raw), LONGEST_RAW, CUT),
    };
    check(() => checkReport(record, this.#days));
    return { kind: 'line', type, id, text: JSON.stringify(record) };
  }

  certificate(sha256: string, pem: string): FoundLine {
    const text = JSON.stringify({ kind: 'certificate', sha256, pem });
    check(() => readLine(text));
    return { kind: 'line', type: 'certificate', id: sha256, text };
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

function instant(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) throw new Unreadable('has no date that can be read');
  return date.toISOString();
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
