import type { ReportType } from '@sightline/reports';
import { Exhausted } from './allowance.ts';
import { type Rejected, rejectedAs, unreadable } from './unreadable.ts';

/** A finding of an import, in the order of reading. */
export type Finding = FoundLine | Known | Skipped | Unrouted | NotKept;

/** A line of the feed, or one for each account where it belongs to several. */
export interface FoundLine {
  kind: 'line';
  /** The type of the record; otherwise the kind of the feed's line. */
  type: ReportType | 'certificate' | 'usage';
  id: string;
  /** JSON, with line breaks between several alone. */
  text: string;
  /** True where a text was longer than the feed takes, and is cut. */
  isCut?: boolean;
}

/** A mail, or an attachment of one, that was imported before and is not read again. */
export interface Known {
  kind: 'known';
  /** The number of its records. */
  records: number;
}

/** Bytes that cannot be read. */
export interface Skipped {
  kind: 'skipped';
  /** The file and the position inside, such as `inbox.mbox: mail 17, attachment 2, line 4`. */
  place: string;
  reason: string;
  detail: string;
  rejected?: Rejected;
}

/** A report that belongs to no account. */
export interface Unrouted {
  kind: 'unrouted';
  /** Its domain; '' where it has none. */
  domain: string;
}

/** A report that was understood, of a type that has no place in the read model. */
export interface NotKept {
  kind: 'notKept';
  type: string;
}

/** @throws {Exhausted} where that is the error: it ends what is around this place, too */
export function skipped(place: string, error: unknown): Skipped {
  if (error instanceof Exhausted) throw error;
  const { reason, detail, rejected } = unreadable(error);
  return { kind: 'skipped', place, reason, detail, ...(rejected && { rejected }) };
}

/** Reads a report, whose error says which report usage counts. @throws {Unreadable | Exhausted} */
export function rejecting<Value>(rejected: () => Rejected, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof Exhausted ? error : rejectedAs(error, rejected());
  }
}

export function notKept(type: string): NotKept {
  return { kind: 'notKept', type };
}
