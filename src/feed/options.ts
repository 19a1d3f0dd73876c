import type { BadLineReport, BadLines } from '@sightline/feed/bad-lines';
import type { RecordKind } from '@sightline/feed/records';
import type { Enrich } from '@sightline/feed/reports';
import type { OverfullDay } from '../../sql/feed/daily-counts.ts';
import type { LoadSession } from '../../sql/feed/session.ts';

export type Kind = RecordKind | 'report';

export interface LoadOptions {
  /**
   * Takes the bad lines as they came and in their order, each with its end and cut at 64 KiB, once all are found. The
   * load then goes on without them.
   */
  rejects?: (bytes: Uint8Array) => Promise<unknown> | unknown;
  /**
   * Takes reports of any number of new months, whose partitions are then made in transactions before that of the load.
   * They stay, without a report, where the load fails.
   */
  makesAllMonths?: boolean;
  /** Fills in what reports leave empty. */
  enrich?: Enrich | undefined;
  /** Kinds whose lines are bad: who brings the feed may not bring these. */
  withheld?: ReadonlySet<Kind>;
  /** Does everything but keep it: the answer is that of a load, and the database is as it was. */
  isTrial?: boolean;
  /** The instant that bounds the dates of reports; by default the system's clock. */
  now?: Date;
  /** Called in the load's transaction, before it reads a line. */
  onBegin?: (session: LoadSession) => Promise<void>;
  /** Called in the load's transaction at its end, with the number of bad lines, before versions move on. */
  onEnd?: (session: LoadSession, rejected: number) => Promise<void>;
  /** Called often: how far the load is. */
  onProgress?: (progress: LoadProgress) => void;
  /** Called when another load is at work, which this one waits for. */
  onWait?: () => void;
  /** Gives the load up: nothing is loaded, and the answer is an AbortError. */
  signal?: AbortSignal;
}

export interface LoadProgress {
  lines: number;
  /** Bytes read of all sources, compressed as they are. */
  bytes: number;
  /** Bytes of all sources together, where all of them are known. */
  totalBytes: number | undefined;
}

export interface LoadSummary {
  /** True if any account has changed. */
  hasChanged: boolean;
  /** Lines loaded by kind, deletions too; kinds without a line are left out. */
  records: Partial<Record<Kind, number>>;
  /** Lines that say what is stored. */
  repeated: Counts;
  /** Lines of reports that are not stored and older than what was removed for its age. */
  pastRetention: Counts;
  /** Reports that are in, and that `prune` will remove for their age. */
  expiring: number;
  /** Lines, of those loaded, in whose place others with the same key came soon after them. */
  superseded: Counts;
  rejected: number;
  /** The number of these that were too long to be handed over whole. */
  cut: number;
  /** The first bad lines, when they were left out. */
  badLines: readonly BadLineReport[];
  seconds: number;
}

/** Numbers of lines: reports by their type, all others by their kind. */
export type Counts = Record<string, number>;

/** The feed has bad lines, and nothing of it was loaded. */
export class LoadRefused extends Error {
  override name = 'LoadRefused';
  readonly badLines: readonly BadLineReport[];
  readonly count: number;

  constructor({ first, count }: BadLines) {
    super(count === 1 ? 'The feed has a bad line' : `The feed has ${count} bad lines`);
    this.badLines = first;
    this.count = count;
  }
}

/** A daily count would become larger than any reader of JSON can keep. */
export class TooManyCounted extends Error {
  override name = 'TooManyCounted';

  constructor({ accountId, type, day }: OverfullDay) {
    super(`The ${type} reports of ${day} would count more than 2^53-1 for the account "${accountId}"`);
  }
}
