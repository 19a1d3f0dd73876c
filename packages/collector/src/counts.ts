import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { ForwardOutcome } from './forward.ts';

/** Names of outcomes in the feed's `usage`; '' for those that it does not count. */
const USAGE = {
  filtered: 'filtered',
  sampled: 'sampled',
  otherHost: 'rejected',
  rate: 'rejected',
  quota: 'rejected',
  spool: 'rejected',
  /** Reports of types that are not stored, and values that are not reports. */
  unstored: '',
  unknown: '',
  /** Bodies without readable reports, bodies that are too large, and bodies that are not JSON. */
  unread: '',
  tooLarge: '',
  malformed: '',
} as const;

export type DropOutcome = keyof typeof USAGE;

/** The usage of a UTC day. A later line replaces an earlier one. */
export interface UsageLine {
  type: string;
  date: string;
  filtered: number;
  sampled: number;
  rejected: number;
}

interface Usage extends UsageLine {
  account: string;
  /** True if the line has changed since it was last written. */
  isNew: boolean;
}

/** Maximum distance in milliseconds between now and a day with counts, so that a jumping clock cannot fill memory. */
const KEPT = 3 * 24 * 60 * 60 * 1000;

/** Counts the outcomes of reports: for metrics, for the log, and as daily usage. */
export class CollectorCounts {
  readonly registry = new Registry();
  #registers = [this.registry];
  #reports = new Counter({
    name: 'sightline_collect_reports_total',
    help: 'Reports by account and outcome.',
    labelNames: ['account', 'outcome'],
    registers: this.#registers,
  });
  #forwarded = new Counter({
    name: 'sightline_collect_forwarded_total',
    help: 'Bodies to forward, by account and outcome.',
    labelNames: ['account', 'outcome'],
    registers: this.#registers,
  });
  #answers = new Map<number, number>();
  #dropped = new Map<string, Partial<Record<DropOutcome, number>>>();
  #usage = new Map<string, Usage>();
  #notForwarded: Partial<Record<ForwardOutcome, number>> = {};

  /**
   * @param waiting returns the number of bytes in the spool
   * @param forwarding returns the number of bytes that wait to be forwarded
   */
  constructor(waiting: () => number, forwarding: () => number = () => 0) {
    collectDefaultMetrics({ register: this.registry });
    const answers = this.#answers;
    new Counter({
      name: 'sightline_collect_answers_total',
      help: 'Answers by status.',
      labelNames: ['status'],
      registers: this.#registers,
      collect() {
        this.reset();
        for (const [status, count] of answers) this.inc({ status }, count);
      },
    });
    new Gauge({
      name: 'sightline_collect_spool_bytes',
      help: 'Bytes of the spool that no importer has read yet.',
      registers: this.#registers,
      collect() {
        this.set(waiting());
      },
    });
    new Gauge({
      name: 'sightline_collect_forward_bytes',
      help: 'Bytes of bodies that wait to be forwarded.',
      registers: this.#registers,
      collect() {
        this.set(forwarding());
      },
    });
  }

  answered(status: number): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
  }

  accepted(account: string, count: number): void {
    this.#reports.inc({ account, outcome: 'accepted' }, count);
  }

  forwarded(account: string, outcome: ForwardOutcome): void {
    this.#forwarded.inc({ account, outcome });
    if (outcome !== 'taken') this.#notForwarded[outcome] = (this.#notForwarded[outcome] ?? 0) + 1;
  }

  /** Returns and resets the number of bodies that the other collector refused. */
  takeNotForwarded(): Partial<Record<ForwardOutcome, number>> {
    const counted = this.#notForwarded;
    this.#notForwarded = {};
    return counted;
  }

  /**
   * Counts dropped reports.
   * @param type '' if unknown
   */
  drop(account: string, type: string, outcome: DropOutcome, count = 1): void {
    this.#reports.inc({ account, outcome }, count);
    const dropped = this.#dropped.get(account) ?? {};
    this.#dropped.set(account, dropped);
    dropped[outcome] = (dropped[outcome] ?? 0) + count;
    const field = USAGE[outcome];
    if (field === '' || type === '') return;
    const usage = this.#getUsage(account, type);
    usage[field] += count;
    usage.isNew = true;
  }

  /** Returns and resets the number of dropped reports by account. */
  takeDropped(): Record<string, Partial<Record<DropOutcome, number>>> {
    const dropped = Object.fromEntries(this.#dropped);
    this.#dropped.clear();
    return dropped;
  }

  /** Writes the usage that has changed since the last successful write. */
  writeUsage(write: (account: string, line: UsageLine) => boolean): void {
    for (const usage of this.#usage.values()) {
      const { account, isNew, ...line } = usage;
      if (isNew) usage.isNew = !write(account, line);
    }
  }

  /** Returns the state for the next process. */
  save(): [string, object][] {
    return [...this.#usage];
  }

  restore(saved: Iterable<[string, Usage]>): void {
    this.#usage = new Map(saved);
  }

  #getUsage(account: string, type: string): Usage {
    const date = new Date().toISOString().slice(0, 10);
    const key = JSON.stringify([date, type, account]);
    const existing = this.#usage.get(key);
    if (existing) return existing;
    for (const [other, { date: day }] of this.#usage)
      if (Math.abs(Date.parse(day) - Date.now()) > KEPT) this.#usage.delete(other);
    const usage = { type, date, filtered: 0, sampled: 0, rejected: 0, account, isNew: true };
    this.#usage.set(key, usage);
    return usage;
  }
}
