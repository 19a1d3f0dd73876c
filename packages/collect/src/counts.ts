import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** Their names in the feed's `usage`. Accepted reports are counted where they come in. */
const USAGE = {
  filtered: 'filtered',
  sampled: 'sampled',
  otherHost: 'rejected',
  rate: 'rejected',
  spool: 'rejected',
  /** A report of a type without a record; no report at all; a body that nothing has read. */
  unkept: '',
  unknown: '',
  unread: '',
} as const;

export type Dropped = keyof typeof USAGE;

/** The sums of a day, in UTC: a later line replaces an earlier one. */
export interface UsageLine {
  type: string;
  date: string;
  filtered: number;
  sampled: number;
  rejected: number;
}

interface Usage extends UsageLine {
  account: string;
  /** True if it has changed since it was written. */
  isNew: boolean;
}

/** Milliseconds for which the sums of a day are kept: a clock that jumps must not fill memory. */
const KEPT = 3 * 24 * 60 * 60 * 1000;

/** Counts what becomes of reports: for metrics, for the log, and as usage of each day. */
export class Counts {
  readonly registry = new Registry();
  #registers = [this.registry];
  #reports = new Counter({
    name: 'sightline_collect_reports_total',
    help: 'Reports by account and by what became of them.',
    labelNames: ['account', 'outcome'],
    registers: this.#registers,
  });
  #answers = new Map<number, number>();
  #dropped = new Map<string, Partial<Record<Dropped, number>>>();
  #usage = new Map<string, Usage>();

  /** @param waiting bytes of the spool */
  constructor(waiting: () => number) {
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
      help: 'Bytes of the spool that no importer has taken yet.',
      registers: this.#registers,
      collect() {
        this.set(waiting());
      },
    });
  }

  answered(status: number): void {
    this.#answers.set(status, (this.#answers.get(status) ?? 0) + 1);
  }

  accepted(account: string, count: number): void {
    this.#reports.inc({ account, outcome: 'accepted' }, count);
  }

  /** @param type '' where it is not known */
  drop(account: string, type: string, outcome: Dropped, count = 1): void {
    this.#reports.inc({ account, outcome }, count);
    const dropped = this.#dropped.get(account) ?? {};
    this.#dropped.set(account, dropped);
    dropped[outcome] = (dropped[outcome] ?? 0) + count;
    const field = USAGE[outcome];
    if (field === '' || type === '') return;
    const usage = this.#usageOf(account, type);
    usage[field] += count;
    usage.isNew = true;
  }

  /** The dropped reports since the last call, by account. */
  takeDropped(): Record<string, Partial<Record<Dropped, number>>> {
    const dropped = Object.fromEntries(this.#dropped);
    this.#dropped.clear();
    return dropped;
  }

  /** Tells the usage that has changed since it was last told, and taken. */
  tellUsage(tell: (account: string, line: UsageLine) => boolean): void {
    for (const usage of this.#usage.values()) {
      const { account, isNew, ...line } = usage;
      if (isNew) usage.isNew = !tell(account, line);
    }
  }

  /** The state for a next process, as JSON. */
  save(): string {
    return JSON.stringify([...this.#usage]);
  }

  /** @throws for what no process has saved */
  restore(text: string): void {
    this.#usage = new Map(JSON.parse(text));
  }

  #usageOf(account: string, type: string): Usage {
    const date = new Date().toISOString().slice(0, 10);
    const key = JSON.stringify([date, type, account]);
    const known = this.#usage.get(key);
    if (known) return known;
    for (const [other, { date: day }] of this.#usage)
      if (Math.abs(Date.parse(day) - Date.now()) > KEPT) this.#usage.delete(other);
    const usage = { type, date, filtered: 0, sampled: 0, rejected: 0, account, isNew: true };
    this.#usage.set(key, usage);
    return usage;
  }
}
