import { randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Statements } from '@sightline/postgres';
import { inTime } from '@sightline/postgres';
import { isDistributed, isEverywhere } from '../operator/distribute.ts';

/** Milliseconds for which a service may use again what a look-up of callers said, from when it was sent. */
export const LONGEST_LEASE = 250;

/** Milliseconds beyond that: two machines' clocks do not run quite alike, and timers may be early. */
const SLACK = 20;

/** Milliseconds within which an announcement is made, or the change given up. */
const LIMIT = 10_000;

/**
 * The wait for the servers of a spread database, in milliseconds: once a minute, Citus looks for commits that one
 * of them missed. The intervals are the first and the longest between two checks.
 */
const EVERYWHERE_LIMIT = 90_000;
const EVERYWHERE_INTERVALS = { first: 50, most: 1000 };

/** A number of this project alone; with an announcement's id it is the lock of its maker. */
const LOCK = 744_685_844;

/** True if the transaction of an announcement has ended. */
const IS_OVER = `pg_try_advisory_xact_lock(${LOCK}, id)`;

/** A change could not be announced, so that it was not made. */
export class AnnouncementFailed extends Error {
  override name = 'AnnouncementFailed';
}

/** A change was committed, and a server does not say that it has it, so that it may still show what was before. */
export class NotEverywhere extends Error {
  override name = 'NotEverywhere';

  constructor() {
    super(
      'The change is committed, but not on all servers yet: until it is (pg_prepared_xacts on each), answers may be of before',
    );
  }
}

/**
 * Lets services answer from what they looked up a moment ago, and still never from a state that has passed. A change
 * of what answers are made of is announced when all is done but the commit, or soon before, on a connection of its own.
 * It waits until what was looked up before is used no more, and takes the announcement back in its own transaction. A
 * look-up is then one of three. It sees the announcement: its answer is used for no other request. Or it was sent so
 * long before the change that it is forgotten by then. Or it sees the change, which comes in the moment in which the
 * announcement goes.
 *
 * Where the data is spread over servers, these commit one after the other, the one with the versions first. There the
 * announcement goes when all of them have.
 */
export class Announcer {
  #second: Statements;
  #lease: number;
  #patience: number;
  /** True if there may be an announcement of ours that was not taken back. */
  #isOut = false;
  /** The number of the announcement of the transaction at work. */
  #id: number | undefined;
  /** The time when it was made, by the monotonic clock. */
  #made: Promise<number> | undefined;
  /** True if the database is spread over servers, once that is known. */
  #isSpread: boolean | undefined;

  /**
   * @param second a connection beside the one that changes something; nothing else may hold a transaction on it
   * @param lease milliseconds for which services use a look-up; 0 where none of them does, and nothing is announced
   * @param patience milliseconds for which servers are waited for that have not committed
   */
  constructor(second: Statements, lease = LONGEST_LEASE, patience = EVERYWHERE_LIMIT) {
    this.#second = second;
    this.#lease = lease;
    this.#patience = patience;
  }

  /** Takes back what those announced who ended without their change, and those whose change is on all servers. */
  async clear(): Promise<void> {
    const isDone = await this.#ask(async second => {
      const over = await second.query<{ id: number }>(`select id from announced_change where ${IS_OVER}`);
      // After that look: an announcement that ends later may not be on all servers yet, and stays.
      if ((await this.#knowsSpread()) && !(await isEverywhere(second))) return false;
      const ids = over.map(({ id }) => id).join(', ');
      if (ids) await second.query(`delete from announced_change where id in (${ids}) and ${IS_OVER}`);
      return true;
    });
    if (isDone) this.#isOut = false;
  }

  /** After the transaction was rolled back. Where this fails, the next command does it. */
  async giveUp(): Promise<void> {
    [this.#id, this.#made] = [undefined, undefined];
    if (this.#isOut) await this.clear().catch(() => {});
  }

  /**
   * After the transaction was committed: answers when it is on all servers.
   * @throws {NotEverywhere} the next command takes the announcement back
   */
  async settle(): Promise<void> {
    // Elsewhere the announcement went with the change.
    if (!this.#isSpread) this.#isOut = false;
    const end = performance.now() + this.#patience;
    for (let interval = EVERYWHERE_INTERVALS.first; this.#isOut; interval *= 2) {
      await this.clear().catch(() => {});
      if (!this.#isOut) return;
      if (performance.now() > end) throw new NotEverywhere();
      await pause(Math.min(interval, EVERYWHERE_INTERVALS.most));
    }
  }

  /** Lets the transaction be announced. @param sql on its connection */
  async prepare(sql: Statements): Promise<void> {
    if (this.#lease === 0) return;
    this.#id = randomInt(2 ** 31);
    await sql.query(`select pg_advisory_xact_lock(${LOCK}, ${this.#id})`);
  }

  /** Announces what the transaction does while it is at work, so that `announce` has less to wait for. */
  announceSoon(): void {
    if (this.#lease === 0) return;
    this.#isOut = true;
    const insert = `insert into announced_change (id) values (${this.#id})`;
    this.#made ??= this.#ask(second => second.query(insert)).then(() => performance.now());
    // `announce` tells why it failed.
    this.#made.catch(() => {});
  }

  /**
   * Announces what the transaction has done. When this has answered, it has to be committed.
   * @param sql on the transaction's connection
   * @throws {AnnouncementFailed} when it must not be committed
   */
  async announce(sql: Statements): Promise<void> {
    if (this.#lease === 0) return;
    if (this.#id === undefined) await this.prepare(sql);
    this.announceSoon();
    const made = await this.#made!;
    const isSpread = await this.#ask(() => this.#knowsSpread());
    await pause(Math.max(0, made + this.#lease + SLACK - performance.now()));
    const own = isSpread
      ? await sql.query(`select id from announced_change where id = ${this.#id}`)
      : await sql.query(`delete from announced_change where id = ${this.#id} returning id`);
    [this.#id, this.#made] = [undefined, undefined];
    if (own.length === 0) throw new AnnouncementFailed('Somebody took the announcement of the change back');
  }

  async #knowsSpread(): Promise<boolean> {
    this.#isSpread ??= await isDistributed(this.#second);
    return this.#isSpread;
  }

  /** Undefined, and nothing is asked, where nothing is announced. */
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
