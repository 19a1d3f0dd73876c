import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Statements } from '@sightline/pg-client';
import { inTime } from '@sightline/pg-client';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import { isDistributed, isEverywhere } from '../operator/distribute.ts';

/** How long a service can reuse a caller lookup after sending it, in milliseconds. */
export const LONGEST_LEASE = 250;

/** Further milliseconds as a margin for clocks of different speed and early timers. */
const SLACK = 20;

/** Time limit in milliseconds for announcing a change; after it the change is rolled back. */
const LIMIT = 10_000;

/**
 * Maximum wait in milliseconds for all servers of a distributed database; Citus recovers missed commits once a minute.
 * The intervals are the first and the longest between two checks.
 */
const EVERYWHERE_LIMIT = 90_000;
const EVERYWHERE_INTERVALS = { first: 50, most: 1000 };

/** True if the transaction of the announcement has ended. */
const IS_OVER = `pg_try_advisory_xact_lock(${ADVISORY_LOCKS.announcements}, id)`;

/** The change was rolled back because it could not be announced. */
export class AnnouncementFailed extends Error {
  override name = 'AnnouncementFailed';
}

/** A change was committed, but a server has not confirmed it and can still show the previous state. */
export class NotEverywhere extends Error {
  override name = 'NotEverywhere';

  constructor() {
    super(
      'The change is not committed on all servers yet. Until it is (see pg_prepared_xacts on each), responses can be outdated',
    );
  }
}

/**
 * Invalidates the caches of services, which can therefore reuse recent lookups without returning outdated data. A
 * change is announced on a second connection shortly before its commit. The commit waits until the leases of earlier
 * lookups have ended, and withdraws the announcement in the same transaction. Every lookup is then safe: if it sees the
 * announcement, its result is not reused; if it was sent before, its lease has ended; and if the announcement is gone,
 * it sees the change. Distributed servers commit one after the other, the one with the versions first, so the
 * announcement is withdrawn after all of them have committed.
 */
export class Announcer {
  #second: Statements;
  #lease: number;
  #patience: number;
  /** True if there can be an announcement that has not been withdrawn. */
  #isOut = false;
  /** The id of the announcement of the current transaction. */
  #id: number | undefined;
  /** The time of the announcement on the monotonic clock. */
  #made: Promise<number> | undefined;
  /** Undefined until it was checked whether the database is distributed. */
  #isSpread: boolean | undefined;

  /**
   * @param second a connection for announcements that is not in a transaction
   * @param lease milliseconds for which services reuse a lookup; 0 disables announcements
   * @param patience milliseconds to wait for servers that have not committed
   */
  constructor(second: Statements, lease = LONGEST_LEASE, patience = EVERYWHERE_LIMIT) {
    this.#second = second;
    this.#lease = lease;
    this.#patience = patience;
  }

  /** Withdraws announcements of processes that ended without their change, and of changes that are on all servers. */
  async clear(): Promise<void> {
    const isDone = await this.#ask(async second => {
      const over = await second.query<{ id: number }>(`select id from announced_change where ${IS_OVER}`);
      // Checked afterwards, because the change of an announcement that ends later may not have reached all servers.
      if ((await this.#knowsSpread()) && !(await isEverywhere(second))) return false;
      const ids = over.map(({ id }) => id).join(', ');
      if (ids) await second.query(`delete from announced_change where id in (${ids}) and ${IS_OVER}`);
      return true;
    });
    if (isDone) this.#isOut = false;
  }

  /** Called after a rollback. If it fails, the next command does it. */
  async giveUp(): Promise<void> {
    [this.#id, this.#made] = [undefined, undefined];
    if (this.#isOut) await this.clear().catch(() => {});
  }

  /**
   * Called after the commit: waits until the change is on all servers.
   * @throws {NotEverywhere} the next command withdraws the announcement
   */
  async settle(): Promise<void> {
    // On a single server, the announcement is withdrawn together with the change.
    if (!this.#isSpread) this.#isOut = false;
    const end = performance.now() + this.#patience;
    for (let interval = EVERYWHERE_INTERVALS.first; this.#isOut; interval *= 2) {
      await this.clear().catch(() => {});
      if (!this.#isOut) return;
      if (performance.now() > end) throw new NotEverywhere();
      await pause(Math.min(interval, EVERYWHERE_INTERVALS.most));
    }
  }

  /**
   * Prepares the transaction for an announcement.
   * @param sql on its connection
   */
  async prepare(sql: Statements): Promise<void> {
    if (this.#lease === 0) return;
    this.#id = randomInt(2 ** 31);
    await sql.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.announcements}, ${this.#id})`);
  }

  /** Announces the change while the transaction is still running, so `announce` has to wait less. */
  scheduleAnnouncement(): void {
    if (this.#lease === 0) return;
    this.#isOut = true;
    const insert = `insert into announced_change (id) values (${this.#id})`;
    this.#made ??= this.#ask(second => second.query(insert)).then(() => performance.now());
    // The reason if `announce` failed.
    this.#made.catch(() => {});
  }

  /**
   * Announces the changes of the transaction, which must be committed afterwards.
   * @param sql on the transaction's connection
   * @throws {AnnouncementFailed} if it must not be committed
   */
  async announce(sql: Statements): Promise<void> {
    if (this.#lease === 0) return;
    if (this.#id === undefined) await this.prepare(sql);
    this.scheduleAnnouncement();
    const made = await this.#made!;
    const isSpread = await this.#ask(() => this.#knowsSpread());
    await pause(Math.max(0, made + this.#lease + SLACK - performance.now()));
    const own = isSpread
      ? await sql.query(`select id from announced_change where id = ${this.#id}`)
      : await sql.query(`delete from announced_change where id = ${this.#id} returning id`);
    [this.#id, this.#made] = [undefined, undefined];
    if (own.length === 0) throw new AnnouncementFailed('The announcement of the change was deleted');
  }

  async #knowsSpread(): Promise<boolean> {
    this.#isSpread ??= await isDistributed(this.#second);
    return this.#isSpread;
  }

  /** Returns undefined without a statement if announcements are disabled. */
  async #ask<Answer>(question: (second: Statements) => PromiseLike<Answer>): Promise<Answer | undefined> {
    if (this.#lease === 0) return undefined;
    try {
      return await inTime(question(this.#second), LIMIT);
    } catch (error) {
      const { message } = error as Error;
      throw new AnnouncementFailed(`The change cannot be announced to the services: ${message}`, {
        cause: error,
      });
    }
  }
}
