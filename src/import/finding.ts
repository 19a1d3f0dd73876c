import type { ReportType } from '../../sql/report/types.ts';
import { Exhausted } from './allowance.ts';
import { unreadable } from './unreadable.ts';

/** What an import finds, in the order in which it finds it. */
export type Finding = FoundLine | Known | Skipped | Unrouted | NotKept;

/** A line of the feed, or one for each account where it belongs to several. */
export interface FoundLine {
  kind: 'line';
  /** Of the record; otherwise the kind of the feed's line. */
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
  /** How many it has. */
  records: number;
}

/** What cannot be read. */
export interface Skipped {
  kind: 'skipped';
  /** The file and the position inside, such as `inbox.mbox: mail 17, attachment 2, line 4`. */
  place: string;
  reason: string;
  detail: string;
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
  const { reason, detail } = unreadable(error);
  return { kind: 'skipped', place, reason, detail };
}

export function notKept(type: string): NotKept {
  return { kind: 'notKept', type };
}
