import type { ReportType } from '@sightline/reports';
import { BudgetExceeded } from './resource-budget.ts';
import { type RejectedReport, toRejection, toUnreadable } from './unreadable.ts';

/** A result of reading an item. Results are in the order of reading. */
export type ParseResult = FoundLine | KnownItem | SkippedPart | UnroutedReport | UnstoredType;

/** A line of the feed, or one per account if it belongs to several. */
export interface FoundLine {
  kind: 'line';
  /** The type of the record, or the kind of the line. */
  type: ReportType | 'certificate' | 'usage';
  id: string;
  /** One or more JSON values, separated by line breaks. */
  text: string;
  /** True if a text was truncated to the feed's limit. */
  isCut?: boolean;
}

/** A mail or attachment that was imported before and is not read again. */
export interface KnownItem {
  kind: 'known';
  /** The number of its records. */
  records: number;
}

/** Part of the input that cannot be read. */
export interface SkippedPart {
  kind: 'skipped';
  /** The file and the position in it, such as `inbox.mbox: mail 17, attachment 2, line 4`. */
  place: string;
  reason: string;
  detail: string;
  rejected?: RejectedReport;
}

/** A report whose host belongs to no account. */
export interface UnroutedReport {
  kind: 'unrouted';
  /** The host's domain, or ''. */
  domain: string;
}

/** A valid report of a type that is not stored. */
export interface UnstoredType {
  kind: 'unstored';
  type: string;
}

/**
 * Converts an error to a result.
 * @throws {BudgetExceeded} because it also ends the containing item
 */
export function toSkipped(place: string, error: unknown): SkippedPart {
  if (error instanceof BudgetExceeded) throw error;
  const { reason, detail, rejected } = toUnreadable(error);
  return { kind: 'skipped', place, reason, detail, ...(rejected && { rejected }) };
}

/**
 * Reads part of an item. An error becomes a result, so that the rest is read.
 * @throws {BudgetExceeded}
 */
export function readOrSkip(place: string, read: () => ParseResult[]): ParseResult[] {
  try {
    return read();
  } catch (error) {
    return [toSkipped(place, error)];
  }
}

/**
 * Reads a report. An error identifies the report, which the usage then counts as rejected.
 * @throws {Unreadable | BudgetExceeded}
 */
export function readOrReject<Value>(rejected: () => RejectedReport, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof BudgetExceeded ? error : toRejection(error, rejected());
  }
}

export function toUnstored(type: string): UnstoredType {
  return { kind: 'unstored', type };
}
