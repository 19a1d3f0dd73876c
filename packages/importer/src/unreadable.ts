import type { ReportType } from '@sightline/reports';

/** A report of a known type that an import rejects; usage counts it once, however often it arrives. */
export interface RejectedReport {
  type: ReportType;
  /** Identifies the report within its type, and is the same in every copy. */
  id: string;
  /** The accounts of its hosts; undefined if no hosts can be read. */
  accounts?: readonly string[];
}

/** An item, or part of an item, that cannot be read. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  /** One of a few fixed sentences, by which skipped items are counted. */
  readonly reason: string;
  /** Details about this item, or ''. */
  readonly detail: string;
  /** The rejected report; undefined if its type is unknown. */
  readonly rejected: RejectedReport | undefined;

  constructor(reason: string, detail = '', rejected?: RejectedReport) {
    super(detail === '' ? reason : `${reason}: ${detail}`);
    this.reason = reason;
    this.detail = detail;
    this.rejected = rejected;
  }
}

/** Returns true for the error of an aborted import, which ends the import instead of skipping an item. */
export const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';

/** Converts any error to `Unreadable`, because an unexpected parser error must not stop an import. */
export function toUnreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  return new Unreadable('cannot be read', error instanceof Error ? error.message : String(error));
}

/** Converts an error to the rejection of a report of this type, unless it already has a more specific one. */
export function toRejection(error: unknown, rejected: RejectedReport): Unreadable {
  const cause = toUnreadable(error);
  return cause.rejected ? cause : new Unreadable(cause.reason, cause.detail, rejected);
}
