import type { AccountId } from './account-id.ts';
import { Attempts } from './attempts.ts';
import { Breaker, type BreakerEvents } from './breaker.ts';
import {
  type Asker,
  type Database,
  type DatabaseClient,
  type DatabaseCounters,
  DatabaseUnavailable,
  ForeignRow,
  type OwnedRow,
  type Parameter,
  type ReadSettings,
  type StatementOptions,
} from './client.ts';
import { Driver } from './driver.ts';
import { FairQueue, OWN } from './fair-queue.ts';

/** Milliseconds by which a statement may miss PostgreSQL's own limit before it counts as lost. */
const SLACK = 500;

/** Milliseconds between two looks at what is late. */
const SWEEP_INTERVAL = 100;

/** Milliseconds within which a database that was away has to answer, to count as back. */
const PROBE_LIMIT = 1000;

const NOT_ANSWERED = 'the database did not answer in time';

interface Work {
  asker: string;
  isGone: (() => boolean) | undefined;
  text: string;
  parameters: readonly Parameter[];
  prepare: boolean;
  resolve: (rows: never[]) => void;
  reject: (error: Error) => void;
  /** Since when it waits or runs, and by when that must be over: milliseconds of the monotonic clock. */
  since: number;
  deadline: number;
  settled: boolean;
}

/**
 * The guard around the driver. The driver can leave a statement pending for ever when its connection is
 * lost, so nothing waits for it without a deadline, and the first deadline missed replaces the driver.
 */
class GuardedDatabase implements DatabaseClient {
  statements = 0;
  #settings: ReadSettings;
  #attempts = new Attempts();
  #driver: Driver;
  #breaker: Breaker;
  #queue: FairQueue<Work>;
  #running = new Set<Work>();
  #ended = { count: 0, milliseconds: 0 };
  #failed = 0;
  #waited = { count: 0, milliseconds: 0 };
  #refused = { full: 0, late: 0 };
  #replacements = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #sweep: NodeJS.Timeout | undefined;
  #sweptAt = 0;

  constructor(settings: ReadSettings, events: BreakerEvents) {
    this.#settings = settings;
    this.#driver = new Driver(settings, this.#attempts);
    this.#queue = new FairQueue({ places: settings.poolSize, waiting: settings.queueLimit });
    this.#breaker = new Breaker(() => this.#probe(), {
      away: events.away,
      back: () => {
        events.back();
        this.#startNext();
      },
    });
  }

  get counters(): DatabaseCounters {
    return {
      poolSize: this.#settings.poolSize,
      running: this.#running.size,
      waiting: this.#queue.waiting,
      ended: { ...this.#ended },
      failed: this.#failed,
      waited: { ...this.#waited },
      refused: { ...this.#refused },
      replacements: this.#replacements,
      connections: this.#driver.connections,
      attempts: this.#attempts.count,
      isAway: this.#breaker.reason !== undefined,
    };
  }

  for(asker: Asker): Database {
    return new AskersDatabase(this, asker);
  }

  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
    asker?: Asker,
  ): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      this.#submit({
        asker: asker?.key ?? OWN,
        isGone: asker && (() => asker.isGone()),
        text,
        parameters,
        prepare: this.#settings.prepare && options?.prepare !== false,
        resolve,
        reject,
        since: 0,
        deadline: 0,
        settled: false,
      });
    });
  }

  async owned<Row extends OwnedRow>(
    accounts: AccountId | readonly AccountId[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
    asker?: Asker,
  ): Promise<Row[]> {
    const rows = await this.rows<Row>(text, parameters, options, asker);
    const isForeign =
      typeof accounts === 'string'
        ? (row: Row) => row.account_id !== accounts
        : (row: Row) => !accounts.includes(row.account_id);
    if (rows.some(isForeign)) throw new ForeignRow('a statement answered with a row of another account');
    return rows;
  }

  async ping(timeout: number): Promise<void> {
    if (this.#breaker.reason) throw this.#away();
    if (performance.now() - this.#answeredAt < timeout) return;
    await inTime(this.rows('select 1', [], { prepare: false }), timeout);
  }

  async end(): Promise<void> {
    this.#breaker.end();
    clearInterval(this.#sweep);
    await this.#driver.end();
  }

  #submit(work: Work): void {
    const { reason, age } = this.#breaker;
    // One that is just being replaced is back in a moment, and those who ask can wait for that.
    if (reason && age > this.#settings.queueTimeout) work.reject(this.#away());
    else if (!reason && this.#queue.enter(work)) this.#start(work);
    else this.#wait(work);
  }

  #wait(work: Work): void {
    work.since = performance.now();
    work.deadline = work.since + this.#settings.queueTimeout;
    this.#watch();
    if (this.#queue.wait(work)) return;
    this.#refused.full++;
    work.reject(new DatabaseUnavailable('too many statements are waiting'));
  }

  #start(work: Work): void {
    work.since = performance.now();
    work.deadline = work.since + this.#settings.statementTimeout + SLACK;
    this.#running.add(work);
    this.#watch();
    this.statements++;
    this.#driver.run(work.text, work.parameters, work.prepare).then(
      rows => this.#succeed(work, rows),
      error => {
        if (work.settled) return;
        this.#breaker.failed(error);
        this.#fail(work, error);
      },
    );
  }

  #succeed(work: Work, rows: object[]): void {
    if (work.settled) return;
    this.#breaker.answered();
    this.#answeredAt = performance.now();
    this.#settle(work);
    work.resolve(rows as never);
    this.#startNext();
  }

  #fail(work: Work, error: Error): void {
    this.#failed++;
    this.#settle(work);
    work.reject(error);
    this.#startNext();
  }

  #settle(work: Work): void {
    work.settled = true;
    this.#running.delete(work);
    this.#queue.leave(work);
    add(this.#ended, work.since);
  }

  #startNext(): void {
    while (!this.#breaker.reason) {
      const next = this.#queue.next();
      if (!next) return;
      if (next.isGone?.()) {
        this.#queue.leave(next);
        next.reject(new DatabaseUnavailable('nobody waits for the answer any more'));
        continue;
      }
      add(this.#waited, next.since);
      this.#start(next);
    }
  }

  #watch(): void {
    if (this.#sweep) return;
    this.#sweptAt = performance.now();
    this.#sweep = setInterval(() => this.#expire(), SWEEP_INTERVAL).unref();
  }

  #expire(): void {
    const now = performance.now();
    const hasSlept = now - this.#sweptAt > SWEEP_INTERVAL + SLACK;
    this.#sweptAt = now;
    // Answers may have come while this process stood still: they are read before the next look.
    if (hasSlept) return;
    for (const work of this.#queue.expire(({ deadline }) => deadline < now)) {
      this.#refused.late++;
      work.reject(new DatabaseUnavailable('no connection became free in time'));
    }
    // Deadlines are a constant apart from their start, so the oldest comes first in both.
    const oldest = this.#running.values().next().value;
    if (oldest && oldest.deadline < now) this.#replaceDriver();
  }

  #replaceDriver(): void {
    const lost = [...this.#running];
    const old = this.#driver;
    const reason = new DatabaseUnavailable(NOT_ANSWERED);
    this.#replacements++;
    this.#driver = new Driver(this.#settings, this.#attempts);
    old.discard();
    this.#breaker.open(reason);
    for (const work of lost) this.#fail(work, reason);
  }

  async #probe(): Promise<void> {
    try {
      await inTime(this.#driver.run('select 1', [], false), PROBE_LIMIT);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) this.#replaceDriver();
      throw error;
    }
    this.#answeredAt = performance.now();
  }

  #away(): DatabaseUnavailable {
    return new DatabaseUnavailable('the database is away', { cause: this.#breaker.reason });
  }
}

/** The database as one asker sees it. */
class AskersDatabase implements Database {
  #database: GuardedDatabase;
  #asker: Asker;

  constructor(database: GuardedDatabase, asker: Asker) {
    this.#database = database;
    this.#asker = asker;
  }

  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Row[]> {
    return this.#database.rows<Row>(text, parameters, options, this.#asker);
  }

  owned<Row extends OwnedRow>(
    accounts: AccountId | readonly AccountId[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Row[]> {
    return this.#database.owned<Row>(accounts, text, parameters, options, this.#asker);
  }
}

function add(sum: { count: number; milliseconds: number }, since: number): void {
  sum.count++;
  sum.milliseconds += performance.now() - since;
}

/** @throws {DatabaseUnavailable} after so many milliseconds */
async function inTime<Result>(answer: Promise<Result>, limit: number): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new DatabaseUnavailable(NOT_ANSWERED)), limit);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

const NOBODY: BreakerEvents = { away() {}, back() {} };

/** Connects lazily: it answers at once, also while the database is away. */
export function connect(settings: ReadSettings, events: BreakerEvents = NOBODY): DatabaseClient {
  return new GuardedDatabase(settings, events);
}
