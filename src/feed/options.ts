import type { BadLineReport, BadLines, Enrich, RecordKind } from '@sightline/feed';
import type { OverfullDay } from '../../sql/feed/daily-counts.ts';
import type { LoadSession } from '../../sql/feed/session.ts';

export type LineKind = RecordKind | 'report';

export interface LoadOptions {
  /**
   * Receives the bad lines in order, once all are found. Each has its line break and is truncated to 64 KiB. The load
   * then continues without them.
   */
  rejects?: (bytes: Uint8Array) => Promise<unknown> | unknown;
  /**
   * Accepts reports of any number of new months; their partitions are created in earlier transactions. These remain,
   * without reports, if the load fails.
   */
  makesAllMonths?: boolean;
  /** Fills in empty fields of reports. */
  enrich?: Enrich | undefined;
  /** Kinds of lines that are refused, because their sender must not load them. */
  withheld?: ReadonlySet<LineKind>;
  /** Runs the entire load and rolls it back; the result is that of a load. */
  isTrial?: boolean;
  /** The instant that bounds the dates of reports; by default the system's clock. */
  now?: Date;
  /** Called in the load's transaction, before it reads a line. */
  onBegin?: (session: LoadSession) => Promise<void>;
  /** Called at the end of the load's transaction, with the number of bad lines, before versions change. */
  onEnd?: (session: LoadSession, rejected: number) => Promise<void>;
  /** Called frequently with the progress of the load. */
  onProgress?: (progress: LoadProgress) => void;
  /** Called if this load has to wait for another one. */
  onWait?: () => void;
  /** Aborts the load with an AbortError; nothing is loaded. */
  signal?: AbortSignal;
}

export interface LoadProgress {
  lines: number;
  /** Bytes read from all sources, before decompression. */
  bytes: number;
  /** Total size of all sources; undefined if one is unknown. */
  totalBytes: number | undefined;
}

export interface LoadSummary {
  /** True if any account has changed. */
  hasChanged: boolean;
  /** Number of loaded lines by kind, including deletions; kinds without a line are absent. */
  records: Partial<Record<LineKind, number>>;
  /** Lines that equal the stored record. */
  repeated: LineCounts;
  /** Lines of reports that are not stored because they are past the retention. */
  pastRetention: LineCounts;
  /** Loaded reports that `prune` will remove because of their age. */
  expiring: number;
  /** Loaded lines that a later line with the same key replaced. */
  superseded: LineCounts;
  rejected: number;
  /** The number of bad lines that were truncated. */
  cut: number;
  /** The first bad lines that were left out. */
  badLines: readonly BadLineReport[];
  seconds: number;
}

/** Number of lines: reports by type, all others by kind. */
export type LineCounts = Record<string, number>;

/** The feed has bad lines, and nothing was loaded. */
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

/** A daily count would exceed the largest number that JSON readers represent exactly. */
export class CountOverflow extends Error {
  override name = 'CountOverflow';

  constructor({ accountId, type, day }: OverfullDay) {
    super(`The ${type} reports of ${day} would count more than 2^53-1 for the account "${accountId}"`);
  }
}
