import {
  type DatabaseClient,
  type DatabaseCounters,
  DatabaseLost,
  DatabaseUnavailable,
  ForeignRow,
  KeyIsSlow,
  type ReadSettings,
  type Snapshot,
  type StatementOptions,
} from '../database.ts';
import { ServerError } from '../driver/errors.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import { Breaker, type BreakerEvents } from './breaker.ts';
import { classifyError } from './classify-error.ts';
import { MACHINE_CLOCK, type MonotonicClock } from './clock.ts';
import { Connection } from './connection.ts';
import { Connections, type PoolDeps } from './connections.ts';
import { inTime } from './in-time.ts';
import { CHECK_INTERVAL, OVERDUE, PROBE_LIMIT, SLACK, TRIM_INTERVAL } from './limits.ts';
import { LostOwners } from './lost-owners.ts';
import { REFUSALS, type RefusalReason, Scheduler } from './scheduler.ts';
import { ownSnapshot } from './snapshot.ts';
import { TenantStates } from './tenant-state.ts';
import { findCounterpart, NOT_BEGUN, newWork, type Work } from './work.ts';

/** How a statement that got no result is handled. */
type Outcome = 'queue' | 'retry' | 'fail' | 'ignore';

const [NOT_ANSWERED, GONE] = ['the database did not answer in time', 'the client has disconnected'];

/** The client of a single server. */
export interface ServerClient<Owner extends string = string, Owned extends object = object>
  extends DatabaseClient<Owner, Owned> {
  readonly isAway: boolean;
  /** Marks the server as unavailable until it answers, because a caller detected that it does not. */
  distrust(reason: Error): void;
}

/**
 * Sends statements and detects lost servers. Every wait has a deadline. If a deadline is missed, the other connections
 * can be lost too.
 */
class GuardedDatabase implements ServerClient {
  statements = 0;
  #settings: ReadSettings;
  #clock: MonotonicClock;
  #tenants: TenantStates;
  #connections: Connections;
  #scheduler: Scheduler;
  #breaker: Breaker;
  #lostOwners: LostOwners;
  #ended = { count: 0, milliseconds: 0 };
  #failed = 0;
  #replacements = 0;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;
  #stopSweep: (() => void) | undefined;
  #interval = 0;
  #sweptAt = 0;

  constructor(settings: ReadSettings, { away, back }: BreakerEvents, deps: PoolDeps) {
    const { clock, remembered } = deps;
    this.#settings = settings;
    this.#clock = clock;
    this.#lostOwners = new LostOwners(clock, remembered);
    this.#tenants = new TenantStates(remembered);
    this.#connections = new Connections(settings, this.#tenants, deps);
    this.#scheduler = new Scheduler(settings, this.#tenants, this.#connections);
    const resume = () => {
      back();
      this.#startNext();
    };
    const leave = (reason: Error) => {
      away(reason);
      // Deferred, so that the statement that detected the loss fails first.
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
    return ownSnapshot(this.#connections, this.#settings.tenantColumn);
  }

  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    const answer: Promise<Rows> = new Promise((resolve, reject) => {
      const { caller: sender, limit = this.#settings.statementTimeout + SLACK } = options ?? {};
      const prepare = this.#settings.prepare && (options?.prepare ?? true);
      const quick = options?.quick === true;
      const tenant = this.#tenants.of(sender?.key);
      const request = { tenant, sender, text, parameters, prepare, quick, limit, resolve, reject };
      this.#submit(newWork(request, this.#clock.now()));
    });
    return answer as Promise<Rows<Row>>;
  }

  async queryTenant<Row extends object>(
    owners: string | readonly string[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    const send = () => this.rows<Row>(text, parameters, options);
    const rows = await this.#lostOwners.ask(owners, send);
    if (await rows.hasForeignInTurns(owners, this.#settings.tenantColumn))
      throw new ForeignRow('a statement returned a row of another tenant');
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
    // Without another server, statements wait, because a server usually restarts quickly.
    const patience = this.#settings.isReplaceable ? 0 : this.#settings.queueTimeout;
    if (reason && age >= patience) work.reject(this.#away());
    else if (!reason && this.#scheduler.start(work, this.#clock.now())) this.#send(work);
    // Statements queue while the connections are stalled, even if one is free.
    else if (this.#lineUp(work)) this.#startNext();
  }

  #lineUp(work: Work): boolean {
    this.#lookEvery(CHECK_INTERVAL);
    const refusal = this.#scheduler.wait(work);
    if (refusal) work.reject(toUnavailable(work, refusal));
    return refusal === undefined;
  }

  #send(work: Work): void {
    if (this.#interval !== CHECK_INTERVAL) this.#lookEvery(OVERDUE);
    this.statements++;
    work.pooled!.connection.run(work.text, work.parameters, work.prepare).then(
      rows => this.#succeed(work, rows),
      error => this.#fail(work, error),
    );
  }

  #succeed(work: Work, rows: Rows): void {
    if (work.settled) return;
    this.#breaker.answered();
    this.#settle(work, true);
    this.#answeredAt = work.pooled!.connection.usedAt;
    work.resolve(rows);
    this.#startNext();
  }

  #fail(work: Work, error: Error): void {
    if (work.settled) return;
    if (error instanceof ServerError) this.#answeredAt = this.#clock.now();
    const outcome = this.#decide(work, error);
    if (outcome === 'queue') this.#postpone(work);
    else if (outcome === 'retry') this.#startAgain(work);
    else this.#end(work, error, outcome === 'fail');
  }

  #end(work: Work, error: Error, isCounted: boolean): void {
    if (isCounted) {
      this.#failed++;
      this.#breaker.failed(error);
    }
    if (classifyError(error) !== 'answer') work.pooled!.connection.discard();
    this.#settle(work, false);
    work.reject(error);
    this.#startNext();
  }

  /**
   * Decides how a statement that got no result is handled, and notes the first statement of a lost connection:
   *
   * | connection | its first statement | statements behind it |
   * |---|---|---|
   * | an overflow connection that could not be opened | queue | queue |
   * | lost | fail | retry once, because the server had not started them; again behind a retried one |
   * | usable | fail | |
   *
   * A statement with a retry is ignored instead of failing, because the retry settles it.
   */
  #decide(work: Work, error: Error): Outcome {
    const pooled = work.pooled!;
    const isGivenUp = this.isAway || error instanceof DatabaseUnavailable;
    if (!isGivenUp && this.#connections.isRefused(pooled, this.#clock.now())) return 'queue';
    if (pooled.connection.isLost || classifyError(error) !== 'answer') pooled.blamed ??= pooled.items[0]!;
    const isBehind = pooled.blamed !== undefined && pooled.blamed !== work;
    if (isBehind && (!work.isRetry || pooled.blamed!.hasRetry)) return 'retry';
    return work.hasRetry ? 'ignore' : 'fail';
  }

  #settle(work: Work, isAnswered: boolean): void {
    work.settled = true;
    if (work.deadline !== NOT_BEGUN) {
      this.#ended.count++;
      this.#ended.milliseconds += this.#clock.now() - work.since;
    }
    this.#connections.release(work, this.#clock.now(), isAnswered);
  }

  /** Retries a statement, which is safe because statements only read. */
  #startAgain(work: Work): void {
    work.settled = true;
    this.#connections.release(work, this.#clock.now(), false);
    this.#submit(newWork(work, this.#clock.now(), true));
  }

  /** Queues a statement until another one ends, or until the next check. */
  #postpone(work: Work): void {
    work.deadline = NOT_BEGUN;
    this.#settle(work, false);
    this.#lineUp(newWork(work, work.since));
  }

  #startNext(): void {
    while (!this.#breaker.reason) {
      const next = this.#scheduler.next(this.#clock.now());
      if (!next) return;
      if (next.pooled) this.#send(next);
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
    // Answers may have arrived while the process was suspended. They are read before the next check.
    if (hasSlept) return;
    for (const [work, refusal] of this.#scheduler.expire(now))
      work.reject(refusal ? toUnavailable(work, refusal) : new DatabaseUnavailable(GONE));
    // After a long turn of the event loop, unread answers can be in the sockets. They are read first.
    if (this.#lateAt(now).length > 0) this.#clock.after(0, () => this.#judge(now));
    if (this.#isUncertain(now)) void this.#askServer();
    for (const work of this.#connections.listBlockedWork(now)) this.#submit(findCounterpart(work));
    // Overdue statements can raise the connection limit, so a waiting statement may be able to start.
    this.#startNext();
    this.#connections.trim();
    const { items } = this.#connections;
    // Most statements are answered early, so the timer is not reset for each of them.
    const areYoung = items.every(({ since }) => now - since < CHECK_INTERVAL);
    if (this.#scheduler.waiting > 0 || !areYoung) this.#lookEvery(CHECK_INTERVAL);
    else this.#lookEvery(items.length > 0 ? OVERDUE : TRIM_INTERVAL);
  }

  #lateAt(now: number): Work[] {
    return this.#connections.items.filter(({ deadline }) => deadline < now);
  }

  #judge(now: number): void {
    const late = this.#lateAt(now);
    if (late.length > 0) this.#doubt(late);
    this.#startNext();
  }

  /**
   * Checks whether a statement has used half of its time, the server has answered nothing since then, and a probe can
   * be sent.
   */
  #isUncertain(now: number): boolean {
    const { items } = this.#connections;
    if (this.#isAsking || this.isAway || items.length >= this.#settings.poolSize) return false;
    const since = (work: Work) => work.deadline - work.limit / 2;
    return items.some(work => since(work) <= now && this.#answeredAt < since(work));
  }

  /** Sends a probe, which distinguishes an unreachable server from slow statements when there are few requests. */
  async #askServer(): Promise<void> {
    this.#isAsking = true;
    await this.#probe()
      // A failed probe is ignored, because the deadlines of the statements still apply.
      .catch(() => {})
      .finally(() => {
        this.#isAsking = false;
      });
  }

  /**
   * Handles overdue statements. If the server has answered others during the second half of their time, only their
   * connections are closed; otherwise the server counts as unavailable.
   */
  #doubt(late: Work[]): void {
    const reason = new DatabaseLost(NOT_ANSWERED);
    const isSilent = late.some(({ deadline, limit }) => this.#answeredAt < deadline - limit / 2);
    this.#replacements++;
    for (const { pooled } of late) pooled?.connection.discard();
    if (isSilent) {
      this.#connections.discardIdle();
      this.#breaker.open(reason);
    }
    for (const work of late) this.#fail(work, reason);
  }

  /** Fails all queued statements immediately, because another server can answer. */
  #giveUp(): void {
    if (!this.isAway) return;
    const reason = this.#away();
    for (const work of this.#scheduler.clear()) work.reject(reason);
    this.#connections.discardIdle();
    for (const work of this.#connections.items) this.#fail(work, reason);
  }

  /** Sends a statement on a separate connection. */
  async #probe(): Promise<void> {
    const work = newWork({ tenant: this.#tenants.own, text: 'select 1' }, this.#clock.now());
    // The promise of this statement is not used; the result is evaluated below.
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

/** Returns the error for a refused statement, which may have waited for others of its key. */
function toUnavailable({ tenant }: Work, refusal: RefusalReason): DatabaseUnavailable {
  const isBehindItself = refusal === 'slow' || (tenant.atWork > 0 && !tenant.isOwn);
  return new (isBehindItself ? KeyIsSlow : DatabaseUnavailable)(REFUSALS[refusal]);
}

const UNHEARD: BreakerEvents = { away() {}, back() {} };

const REAL: PoolDeps = {
  clock: MACHINE_CLOCK,
  remembered: 10_000,
  makeConnection: (settings, hosts) => new Connection(settings, hosts),
};

/** Connects lazily, so it returns immediately even if the database is unreachable. */
export function connect(
  settings: ReadSettings,
  events: BreakerEvents = UNHEARD,
  deps: PoolDeps = REAL,
): ServerClient {
  return new GuardedDatabase(settings, events, deps);
}
