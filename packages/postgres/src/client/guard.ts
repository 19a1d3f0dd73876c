import {
  type DatabaseClient,
  type DatabaseCounters,
  DatabaseLost,
  DatabaseUnavailable,
  ForeignRow,
  type ReadSettings,
  type Snapshot,
  type StatementOptions,
} from '../database.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import { Breaker, type BreakerEvents } from './breaker.ts';
import { type Clock, MACHINE_CLOCK } from './clock.ts';
import { Connection } from './connection.ts';
import { Connections, type Surroundings } from './connections.ts';
import { inTime } from './in-time.ts';
import { LostOwners } from './lost-owners.ts';
import { REFUSALS, Scheduler } from './scheduler.ts';
import { ownSnapshot } from './snapshot.ts';
import { OVERDUE, Standings } from './standing.ts';
import { verdictOn } from './verdict.ts';
import { NOT_BEGUN, newWork, twinOf, type Work } from './work.ts';

/** Milliseconds by which a statement may miss PostgreSQL's own limit before it counts as lost. */
const SLACK = 150;

/** Milliseconds between two looks at what may be late; and at idle connections alone, while nothing is under way. */
const [SWEEP_INTERVAL, IDLE_INTERVAL] = [100, 10_000];

/** Milliseconds within which a database that was away has to answer, to count as back. */
const PROBE_LIMIT = 1000;

const [NOT_ANSWERED, GONE] = ['the database did not answer in time', 'the client has gone away'];

/** The client of a single server. */
export interface ServerClient<Owner extends string = string, Owned extends object = object>
  extends DatabaseClient<Owner, Owned> {
  readonly isAway: boolean;
  /** Somebody else found out that the server does not answer: it counts as away until it does. */
  distrust(reason: Error): void;
}

/**
 * The guard around the connections: it knows who may send next, and which connections there are. Nothing waits
 * without a deadline, and the first one that is missed casts doubt on every connection.
 */
class GuardedDatabase implements ServerClient {
  statements = 0;
  #settings: ReadSettings;
  #clock: Clock;
  #standings: Standings;
  #connections: Connections;
  #scheduler: Scheduler;
  #breaker: Breaker;
  #lostOwners: LostOwners;
  #ended = { count: 0, milliseconds: 0 };
  #failed = 0;
  #replacements = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #stopSweep: (() => void) | undefined;
  #interval = 0;
  #sweptAt = 0;

  constructor(settings: ReadSettings, { away, back }: BreakerEvents, surroundings: Surroundings) {
    const { clock, remembered } = surroundings;
    this.#settings = settings;
    this.#clock = clock;
    this.#lostOwners = new LostOwners(clock, remembered);
    this.#standings = new Standings(remembered);
    this.#connections = new Connections(settings, this.#standings, surroundings);
    this.#scheduler = new Scheduler(settings, this.#standings, this.#connections);
    const resume = () => {
      back();
      this.#startNext();
    };
    const leave = (reason: Error) => {
      away(reason);
      // The statement that found it out is settled first.
      if (settings.isReplaceable) queueMicrotask(() => this.#giveUp());
    };
    this.#breaker = new Breaker(() => this.#probe(), { away: leave, back: resume }, clock);
  }

  get isAway(): boolean {
    return this.#breaker.reason !== undefined;
  }

  distrust(reason: Error): void {
    this.#breaker.open(reason);
  }

  get counters(): DatabaseCounters {
    return {
      poolSize: this.#settings.poolSize,
      running: this.#connections.items.length,
      waiting: this.#scheduler.waiting,
      ended: { ...this.#ended },
      failed: this.#failed,
      waited: { ...this.#scheduler.waited },
      refused: { ...this.#scheduler.refused, lost: this.#lostOwners.refused },
      replacements: this.#replacements,
      connections: this.#connections.count,
      attempts: this.#connections.attempts,
      isAway: this.isAway,
    };
  }

  snapshot(): Snapshot {
    return ownSnapshot(this.#connections, this.#settings.ownerColumn);
  }

  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    const answer: Promise<Rows> = new Promise((resolve, reject) => {
      const { asker: sender, limit = this.#settings.statementTimeout + SLACK } = options ?? {};
      const prepare = this.#settings.prepare && (options?.prepare ?? true);
      const quick = options?.quick === true;
      const standing = this.#standings.of(sender?.key);
      const asked = { standing, sender, text, parameters, prepare, quick, limit, resolve, reject };
      this.#submit(newWork(asked, this.#clock.now()));
    });
    return answer as Promise<Rows<Row>>;
  }

  async owned<Row extends object>(
    owners: string | readonly string[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    const send = () => this.rows<Row>(text, parameters, options);
    const rows = await this.#lostOwners.ask(owners, send);
    if (rows.hasForeign(owners, this.#settings.ownerColumn))
      throw new ForeignRow('a statement answered with a row of another owner');
    return rows;
  }

  async ping(timeout: number): Promise<void> {
    if (this.#breaker.reason) throw this.#away();
    if (this.#clock.now() - this.#answeredAt < timeout) return;
    await inTime(this.rows('select 1', [], { prepare: false, quick: true }), timeout, this.#clock);
  }

  async end(): Promise<void> {
    const reason = new DatabaseUnavailable('the service has ended');
    this.#breaker.end(reason);
    this.#stopSweep?.();
    for (const work of this.#scheduler.clear()) work.reject(reason);
    this.#connections.end();
  }

  #submit(work: Work): void {
    const { reason, age } = this.#breaker;
    // One that is just being replaced is back in a moment, and those who ask can wait for that.
    const patience = this.#settings.isReplaceable ? 0 : this.#settings.queueTimeout;
    if (reason && age >= patience) work.reject(this.#away());
    else if (!reason && this.#scheduler.start(work, this.#clock.now())) this.#send(work);
    // While the connections are stalled, a statement waits although there is one for it.
    else if (this.#lineUp(work)) this.#startNext();
  }

  #lineUp(work: Work): boolean {
    this.#lookEvery(SWEEP_INTERVAL);
    const refusal = this.#scheduler.wait(work);
    if (refusal) work.reject(new DatabaseUnavailable(REFUSALS[refusal]));
    return refusal === undefined;
  }

  #send(work: Work): void {
    if (this.#interval !== SWEEP_INTERVAL) this.#lookEvery(OVERDUE);
    this.statements++;
    work.lane!.connection.run(work.text, work.parameters, work.prepare).then(
      rows => this.#succeed(work, rows),
      error => this.#fail(work, error),
    );
  }

  #succeed(work: Work, rows: Rows): void {
    if (work.settled) return;
    this.#breaker.answered();
    this.#settle(work, true);
    this.#answeredAt = work.lane!.connection.usedAt;
    work.resolve(rows);
    this.#startNext();
  }

  #fail(work: Work, error: Error): void {
    if (work.settled) return;
    const lane = work.lane!;
    const { isLost } = lane.connection;
    const isGivenUp = this.isAway || error instanceof DatabaseUnavailable;
    if (!isGivenUp && this.#connections.isRefused(lane, this.#clock.now())) {
      this.#postpone(work);
      return;
    }
    if (isLost) lane.suspect ??= lane.items[0]!;
    // It only waited for its turn on a connection that was lost.
    if (isLost && lane.suspect !== work && (!work.again || lane.suspect!.hasTwin))
      return void this.#startAgain(work);
    // A statement that was sent once more elsewhere leaves that to the second one.
    if (!work.hasTwin) {
      this.#failed++;
      this.#breaker.failed(error);
    }
    if (verdictOn(error) !== 'answer') {
      lane.suspect ??= work;
      lane.connection.discard();
    }
    this.#settle(work, false);
    work.reject(error);
    this.#startNext();
  }

  #settle(work: Work, isAnswered: boolean): void {
    work.settled = true;
    if (work.deadline !== NOT_BEGUN) {
      this.#ended.count++;
      this.#ended.milliseconds += this.#clock.now() - work.since;
    }
    this.#connections.release(work, this.#clock.now(), isAnswered);
  }

  /** Sends a statement again: one that only reads may be sent twice. */
  #startAgain(work: Work): void {
    work.settled = true;
    this.#connections.release(work, this.#clock.now(), false);
    this.#submit(newWork(work, this.#clock.now(), true));
  }

  /** It was not sent. It is when the next one has ended, or at the next look at what is late. */
  #postpone(work: Work): void {
    work.deadline = NOT_BEGUN;
    this.#settle(work, false);
    this.#lineUp(newWork(work, work.since));
  }

  #startNext(): void {
    while (!this.#breaker.reason) {
      const next = this.#scheduler.next(this.#clock.now());
      if (!next) return;
      if (next.lane) this.#send(next);
      else next.reject(new DatabaseUnavailable(GONE));
    }
  }

  #lookEvery(interval: number): void {
    if (this.#interval === interval) return;
    this.#stopSweep?.();
    this.#interval = interval;
    this.#sweptAt = this.#clock.now();
    this.#stopSweep = this.#clock.every(interval, () => this.#expire());
  }

  #expire(): void {
    const now = this.#clock.now();
    const hasSlept = now - this.#sweptAt > this.#interval + SLACK;
    this.#sweptAt = hasSlept ? Number.POSITIVE_INFINITY : now;
    // Answers may have come while this process stood still: they are read before the next look.
    if (hasSlept) return;
    for (const [work, refusal] of this.#scheduler.expire(now))
      work.reject(new DatabaseUnavailable(refusal ? REFUSALS[refusal] : GONE));
    const late = this.#connections.items.filter(({ deadline }) => deadline < now);
    if (late.length > 0) this.#doubt(late);
    for (const work of this.#connections.behindOverdue(now)) this.#submit(twinOf(work));
    // There may be more connections by now, as others are overdue.
    this.#startNext();
    this.#connections.trim();
    const { items } = this.#connections;
    // Most are answered long before they are overdue: to wake for each of them would cost a sixth of a request.
    const areYoung = items.every(({ since }) => now - since < SWEEP_INTERVAL);
    if (this.#scheduler.waiting > 0 || !areYoung) this.#lookEvery(SWEEP_INTERVAL);
    else this.#lookEvery(items.length > 0 ? OVERDUE : IDLE_INTERVAL);
  }

  /**
   * Statements without an answer. Where the server has answered others in the later half of that time, their
   * connections alone are lost; otherwise all may be.
   */
  #doubt(late: Work[]): void {
    const reason = new DatabaseLost(NOT_ANSWERED);
    const isSilent = late.some(({ deadline, limit }) => this.#answeredAt < deadline - limit / 2);
    this.#replacements++;
    for (const { lane } of late) lane?.connection.discard();
    if (isSilent) {
      this.#connections.discardIdle();
      this.#breaker.open(reason);
    }
    for (const work of late) this.#fail(work, reason);
  }

  /** Fails all that waits for it at once, since another server answers. */
  #giveUp(): void {
    if (!this.isAway) return;
    const reason = this.#away();
    for (const work of this.#scheduler.clear()) work.reject(reason);
    this.#connections.discardIdle();
    for (const work of this.#connections.items) this.#fail(work, reason);
  }

  /** There is a place for it: while the database is away nothing else begins. */
  async #probe(): Promise<void> {
    const work = newWork({ standing: this.#standings.own, text: 'select 1' }, this.#clock.now());
    // It is settled here alone.
    work.settled = true;
    const connection = this.#connections.takeAlone(work);
    try {
      await inTime(connection.run(work.text, work.parameters, work.prepare), PROBE_LIMIT, this.#clock);
      this.#answeredAt = this.#clock.now();
    } catch (error) {
      connection.discard();
      throw error;
    } finally {
      this.#connections.release(work, this.#clock.now(), false);
    }
  }

  #away(): DatabaseUnavailable {
    return new DatabaseLost('the database is away', { cause: this.#breaker.reason });
  }
}

const UNHEARD: BreakerEvents = { away() {}, back() {} };

const REAL: Surroundings = {
  clock: MACHINE_CLOCK,
  remembered: 10_000,
  makeConnection: (settings, hosts) => new Connection(settings, hosts),
};

/** Connects lazily: it answers at once, also while the database is away. */
export function connect(
  settings: ReadSettings,
  events: BreakerEvents = UNHEARD,
  surroundings: Surroundings = REAL,
): ServerClient {
  return new GuardedDatabase(settings, events, surroundings);
}
