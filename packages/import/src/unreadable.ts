import type { ReportType } from '@sightline/reports';

/** A report of a known type that an import leaves out: usage counts it once, however often it comes. */
export interface Rejected {
  type: ReportType;
  /** Tells it from all others of its type, and is the same wherever it is found. */
  id: string;
  /** The accounts of its hosts; undefined where no host can be read. */
  accounts?: readonly string[];
}

/** An item, or a part of one, that cannot be read. */
export class Unreadable extends Error {
  override name = 'Unreadable';
  /** One of few sentences, by which skipped items are counted. */
  readonly reason: string;
  /** A detail of this item alone; '' for none. */
  readonly detail: string;
  /** Undefined where its type is not known. */
  readonly rejected: Rejected | undefined;

  constructor(reason: string, detail = '', rejected?: Rejected) {
    super(detail === '' ? reason : `${reason}: ${detail}`);
    this.reason = reason;
    this.detail = detail;
    this.rejected = rejected;
  }
}

/** As `Unreadable`, whatever was thrown: a parser that fails in a new way must not end an import. */
export function unreadable(error: unknown): Unreadable {
  if (error instanceof Unreadable) return error;
  return new Unreadable('cannot be read', error instanceof Error ? error.message : String(error));
}

/** The same of a report of this type, unless more is known of it. */
export function rejectedAs(error: unknown, rejected: Rejected): Unreadable {
  const cause = unreadable(error);
  return cause.rejected ? cause : new Unreadable(cause.reason, cause.detail, rejected);
}
