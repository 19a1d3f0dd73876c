import type { ReportType } from '../../sql/report/types.ts';
import { unreadable } from './unreadable.ts';

/** What an import finds, in the order in which it finds it. */
export type Finding = FoundLine | Skipped | NotKept;

/** A line of the feed. */
export interface FoundLine {
  kind: 'line';
  /** Of the record; `certificate` for the feed's line of that kind. */
  type: ReportType | 'certificate';
  id: string;
  /** JSON without a line break. */
  text: string;
}

/** What cannot be read. */
export interface Skipped {
  kind: 'skipped';
  /** The file and the position inside, such as `inbox.mbox: mail 17, attachment 2, line 4`. */
  place: string;
  reason: string;
  detail: string;
}

/** A report that was understood, of a type that has no place in the read model. */
export interface NotKept {
  kind: 'notKept';
  type: string;
}

export function skipped(place: string, error: unknown): Skipped {
  const { reason, detail } = unreadable(error);
  return { kind: 'skipped', place, reason, detail };
}

export function notKept(type: string): NotKept {
  return { kind: 'notKept', type };
}
