import type { ReadSettings } from '../database.ts';
import { Hosts } from '../dial/hosts.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import { IdleConnections } from './idle-connections.ts';
import { OVERDUE, type Standing, type Standings } from './standing.ts';
import { add, atServerSince, begin, isThoughtQuick, type Lane, NOT_BEGUN, type Work } from './work.ts';

/** Connections beyond the pool that there may be at least, while statements hang. */
const LEAST_BEYOND = 10;

/** Connections that are being made, beside which none is made beyond the pool: there are 20 attempts a second. */
const MOST_OPENING = 10;

/** Milliseconds that a key waits until it gets one of these. */
const WAITED = 100;

/** Milliseconds for which no other is tried where the server did not let one in. */
const REFUSED = 10_000;

/** Quick statements that may be under way on a connection at once. */
const DEPTH = 4;

/** Milliseconds after which nothing is sent behind a statement any more: it turns out not to be quick. */
const QUICK = 20;

/** The number of connections that there may be beyond a pool of that size, while statements hang. */
export function mostBeyond(poolSize: number): number {
  return Math.max(LEAST_BEYOND, poolSize);
}

/** Counts of the connections at work. */
interface Held {
  /** For keys. */
  keys: number;
  /** For keys that are not quick. */
  slow: number;
  /** For the one that asks, and if a statement on one of these is overdue. */
  own: number;
  isOwnOverdue: boolean;
  /** Such as are being made. */
  opening: number;
  /** Those of keys whose statement is overdue, and when the first of these began. */
  overdue: number;
  overdueSince: number;
}

/** The time, and what a connection is: a simulation has its own. */
export interface Surroundings {
  clock: Clock;
  /** Keys and owners of which something is remembered. */
  remembered: number;
  makeConnection(settings: ReadSettings, hosts: Hosts): Connection;
}

/**
 * The connections there are, and who may use them. One is the service's own, where the pool has more than two. Keys
 * that are not quick have half of the pool at most. While others ask, no key has the last one that it could have.
 *
 * While a statement hangs, a quick key waits for a moment, and then one is made beyond the pool for it. Quick
 * statements of a key that can have no other connection go behind quick ones.
 */
export class Connections {
  #settings: ReadSettings;
  #clock: Clock;
  #standings: Standings;
  /** The numbers that keys may have together, and such as are not quick. */
  #ofKeys: number;
  #ofSlow: number;
  #make: () => Connection;
  #hosts: Hosts;
  #idle = new IdleConnections();
  /** Few, and an array: a set's old tables hold on to what they held, so that it outlives V8's quick collections. */
  #lanes: Lane[] = [];
  /** Connections beside these, between two callers. */
  #beside = new IdleConnections();
  /** The number that keys may have beyond the pool, and until when it grows no more. */
  #beyond = 0;
  #refusedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    settings: ReadSettings,
    standings: Standings,
    { clock, makeConnection }: Omit<Surroundings, 'remembered'>,
  ) {
    const { poolSize, url } = settings;
    this.#clock = clock;
    this.#settings = settings;
    this.#standings = standings;
    this.#ofKeys = poolSize > 2 ? poolSize - 1 : poolSize;
    this.#ofSlow = Math.max(1, Math.floor(poolSize / 2));
    this.#hosts = new Hosts(url);
    this.#make = () => makeConnection(settings, this.#hosts);
  }

  /** The number of connections, those that are being made among them. */
  get count(): number {
    return this.#lanes.length + this.#idle.count;
  }

  /** All that is under way. */
  get items(): Work[] {
    return this.#lanes.flatMap(({ items }) => items);
  }

  /** The number of attempts to make one. */
  get attempts(): number {
    return this.#hosts.attempts.count;
  }

  /**
   * Gives it a connection, or answers false where there is no place for it yet. It ends with `release`.
   * @param waited milliseconds for which the key has waited
   * @param isAwaited whether another key waits for one of its own
   */
  take(work: Work, now: number, waited: number, isAwaited: boolean): boolean {
    work.isQuick = isThoughtQuick(work) && (work.standing.isOwn || !isAwaited);
    const lane = this.#place(work, now, waited);
    if (!lane) return false;
    add(lane, work);
    if (lane.items[0] === work) begin(work, now);
    else work.deadline = NOT_BEGUN;
    return true;
  }

  /** A connection with nothing else on it, whichever key has the others. */
  takeAlone(work: Work): Connection {
    const lane = this.#free();
    add(lane, work);
    return lane.connection;
  }

  /** True if there is no place for any key now. */
  isFull(now: number): boolean {
    const held = this.#held(now);
    const isOpenFor = this.#hasRoom(held, this.#beyond) || this.#mayGrow(held, now);
    return !isOpenFor && !this.#lanes.some(lane => this.#isOpen(lane, now));
  }

  /** Those that wait behind an overdue statement, and were not sent once more for it yet. */
  behindOverdue(now: number): Work[] {
    return this.#lanes.flatMap(({ items }) => {
      const behind = now - items[0]!.since < OVERDUE ? [] : items.slice(1);
      return behind.filter(({ hasTwin }) => !hasTwin);
    });
  }

  /** A connection beside these, for its caller alone, who discards it or keeps it for the next one. */
  beside(): Connection {
    return this.#beside.take() ?? this.#make();
  }

  /** Nothing is under way on it. */
  keepBeside(connection: Connection): void {
    this.#beside.keep(connection, this.#clock.now());
  }

  /**
   * It is at work no longer, and what was sent behind it may be.
   * @param isAnswered whether it gave what was asked for
   */
  release(work: Work, now: number, isAnswered: boolean): void {
    const lane = work.lane!;
    lane.items.splice(lane.items.indexOf(work), 1);
    if (!work.hasTwin) work.standing.atWork--;
    lane.connection.usedAt = now;
    const [next] = lane.items;
    if (!next) {
      this.#lanes.splice(this.#lanes.indexOf(lane), 1);
      this.#idle.keep(lane.connection, now);
    }
    // A slow key's statement that was sent once more elsewhere would hold it in vain.
    if (next?.hasTwin && !next.standing.isQuick) lane.connection.discard();
    else if (next?.deadline === NOT_BEGUN) begin(next, now);
    if (work.deadline === NOT_BEGUN) return;
    const since = Math.min(atServerSince(work), now);
    this.#standings.ended(work.standing, since, now, isAnswered);
    if (!work.quick) work.standing.quickText = isAnswered && now - since < QUICK ? work.text : undefined;
  }

  /**
   * True if a connection beyond the pool could not be made. The server lets in no more (`max_connections`, a pooler's
   * limit), which says nothing of the others.
   */
  isRefused({ isBeyond, connection }: Lane, now: number): boolean {
    if (!isBeyond || connection.begunAt <= now) return false;
    this.#beyond = Math.max(0, this.#beyond - 1);
    this.#refusedUntil = now + REFUSED;
    return true;
  }

  /** Ends them all. Those beside end when their callers leave them. */
  end(): void {
    for (const { connection } of this.#lanes) connection.discard();
    for (const idle of [this.#idle, this.#beside]) idle.end();
  }

  discardIdle(): void {
    for (const idle of [this.#idle, this.#beside]) idle.discard();
  }

  /** Gives up what has not been used for long, and what is beyond the pool once nothing hangs any more. */
  trim(): void {
    const now = this.#clock.now();
    for (const idle of [this.#idle, this.#beside]) idle.trim(now);
    if (this.#held(now).overdue > 0) return;
    this.#beyond = 0;
    while (this.count > this.#settings.poolSize && this.#idle.count > 0) this.#idle.take()!.discard();
  }

  #place(work: Work, now: number, waited: number): Lane | undefined {
    const { standing } = work;
    const held = this.#held(now, standing);
    if (standing.isOwn ? this.#hasRoomForOwn(held) : this.#hasRoomFor(standing, held, now, waited))
      return this.#free();
    return work.isQuick ? this.#shared(standing, now, held.own > 0) : undefined;
  }

  /** It leaves keys what they have of their part. */
  #hasRoomForOwn({ keys, own }: Held): boolean {
    return own < this.#settings.poolSize - Math.min(keys, this.#ofKeys);
  }

  #hasRoomFor(standing: Standing, held: Held, now: number, waited: number): boolean {
    const { isQuick, quickSince } = standing;
    const most = isQuick ? this.#ofKeys : this.#ofSlow;
    const isAlone = isQuick && this.#standings.isOneAlone(now);
    if (held.own >= (isAlone ? most : Math.max(1, most - 1))) return false;
    if (!isQuick) return held.slow < most && this.#hasRoom(held, 0);
    if (this.#hasRoom(held, 0)) return true;
    if (held.own > 0 && (held.isOwnOverdue || quickSince < held.overdueSince)) return false;
    if (!this.#hasRoom(held, this.#beyond) && waited >= WAITED && this.#mayGrow(held, now)) this.#beyond++;
    return this.#hasRoom(held, this.#beyond);
  }

  #hasRoom({ keys }: Held, beyond: number): boolean {
    return keys < this.#ofKeys + beyond && this.#lanes.length < this.#settings.poolSize + beyond;
  }

  #mayGrow({ overdue, opening }: Held, now: number): boolean {
    if (overdue === 0 || opening >= MOST_OPENING || now < this.#refusedUntil) return false;
    return this.#beyond < mostBeyond(this.#settings.poolSize);
  }

  /** The connection with the fewest statements behind which it may go. */
  #shared(standing: Standing, now: number, isBehindOwn: boolean): Lane | undefined {
    let least: Lane | undefined;
    for (const lane of this.#lanes) {
      if (lane.items.length >= (least?.items.length ?? DEPTH) || !this.#isOpen(lane, now)) continue;
      const other = lane.items[0]!.standing;
      const isAmongKeys = standing.isOwn === other.isOwn || this.#ofKeys === this.#settings.poolSize;
      if (other === standing || (standing.isQuick && other.isQuick && isAmongKeys && !isBehindOwn))
        least = lane;
    }
    return least;
  }

  /** True if something may be sent behind what is on it: quick statements that did not turn out otherwise. */
  #isOpen({ connection, items }: Lane, now: number): boolean {
    if (items.length >= DEPTH || now - items[0]!.since >= QUICK || connection.isLost) return false;
    return items.every(({ isQuick }) => isQuick);
  }

  /** It is called for each statement, so it looks at each connection once. @param standing of the one that asks */
  #held(now: number, standing?: Standing): Held {
    const held = { keys: 0, slow: 0, own: 0, isOwnOverdue: false, opening: 0, overdue: 0, overdueSince: now };
    for (const lane of this.#lanes) {
      const head = lane.items[0]!;
      const isAskers = head.standing === standing;
      if (isAskers) held.own++;
      if (lane.connection.begunAt > now) held.opening++;
      if (head.standing.isOwn) continue;
      const since = atServerSince(head);
      this.#standings.watch(head.standing, since, now);
      held.keys++;
      if (!head.standing.isQuick) held.slow++;
      if (now - since < OVERDUE) continue;
      held.isOwnOverdue ||= isAskers;
      held.overdue++;
      held.overdueSince = Math.min(held.overdueSince, since);
    }
    return held;
  }

  #free(): Lane {
    const connection = this.#idle.take() ?? this.#make();
    const isBeyond = this.#lanes.length >= this.#settings.poolSize;
    const lane: Lane = { connection, items: [], isBeyond };
    this.#lanes.push(lane);
    return lane;
  }
}
