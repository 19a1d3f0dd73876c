import type { ReadSettings } from '../database.ts';
import { Hosts } from '../dial/hosts.ts';
import type { Clock } from './clock.ts';
import type { Connection } from './connection.ts';
import { IdleConnections } from './idle-connections.ts';
import { type Shares, sharesOf } from './shares.ts';
import { holds, isShareable, leastOf } from './sharing.ts';
import { type Overdue, Spare } from './spare.ts';
import { SLOW, type Standing, type Standings } from './standing.ts';
import { atServerSince, begin, hasTwin, type Lane, NOT_BEGUN, type Work } from './work.ts';

/** Milliseconds for which a key counts as one that asks. */
const OF_LATE = 2000;

/** Milliseconds after which a statement is overdue. */
const OVERDUE = 100;

/** Counts of the connections by the asker whose statement is on them. */
interface Held extends Overdue {
  /** Connections for keys. */
  keys: number;
  /** Connections for keys that have not proved to be quick. */
  strangers: number;
  /** Connections for the key that asks. */
  own: number;
  /** True if one of its own is overdue. */
  isOwnOverdue: boolean;
}

/** The time, and what a connection is: a simulation has its own. */
export interface Surroundings {
  clock: Clock;
  /** Keys and owners of which something is remembered. */
  remembered: number;
  makeConnection(settings: ReadSettings, hosts: Hosts): Connection;
}

/**
 * The connections there are, and who may use them (`Shares`). A statement gets one of its own, or follows quick ones of
 * its kind once there are as many as may be. No key has the last one of its share, and a new key has a single one.
 *
 * Keys that were quick may all begin to hang at once. Then the connections are stalled: more are overdue than keys
 * may have that are not quick. While that lasts, as many more are made for keys that count as quick, which shows who
 * they are.
 */
export class Connections {
  #settings: ReadSettings;
  #clock: Clock;
  #standings: Standings;
  #shares: Shares;
  #make: () => Connection;
  #hosts: Hosts;
  #idle = new IdleConnections();
  /** Few, and an array: a set's old tables hold on to what they held, so that it outlives V8's quick collections. */
  #lanes: Lane[] = [];
  /** Connections beside these, between two callers. */
  #beside = new IdleConnections();
  #spare: Spare;

  constructor(
    settings: ReadSettings,
    standings: Standings,
    { clock, makeConnection }: Omit<Surroundings, 'remembered'>,
  ) {
    this.#clock = clock;
    this.#settings = settings;
    this.#standings = standings;
    this.#shares = sharesOf(settings.poolSize);
    this.#spare = new Spare(settings.poolSize);
    this.#hosts = new Hosts(settings.url);
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

  /** Gives it a connection, or answers false where there is no place for it yet. It ends with `release`. */
  take(work: Work, now: number): boolean {
    const lane = work.standing.isOwn ? this.#placeOfOwn(now) : this.#place(work, now);
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

  /** Those that wait behind a slow statement of another key. */
  behindSlow(now: number): Work[] {
    return this.#lanes.flatMap(({ items }) => {
      const { standing, since } = items[0]!;
      return now - since < SLOW ? [] : items.filter(item => item.standing !== standing && !hasTwin(item));
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
    work.standing.atWork--;
    lane.connection.usedAt = now;
    const [next] = lane.items;
    if (!next) this.#leave(lane, now);
    if (work.deadline !== NOT_BEGUN)
      this.#standings.ended(work.standing, Math.min(atServerSince(work), now), now, isAnswered);
    if (next?.deadline === NOT_BEGUN) begin(next, now);
  }

  /**
   * True if a connection beyond the pool could not be made. The server lets in no more (`max_connections`, a pooler's
   * limit), which says nothing of the others.
   */
  isRefused({ isSpare, connection }: Lane, now: number): boolean {
    if (!isSpare || connection.begunAt <= now) return false;
    const others = this.#lanes.filter(lane => lane.connection.begunAt <= now).length;
    this.#spare.refused(Math.max(0, others - this.#settings.poolSize), now);
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

  /** Gives up what has not been used for long, and what is beyond the pool once that is not needed any more. */
  trim(): void {
    const now = this.#clock.now();
    for (const idle of [this.#idle, this.#beside]) idle.trim(now);
    if (this.count <= this.#settings.poolSize || this.look(now).isStalled) return;
    while (this.count > this.#settings.poolSize && this.#idle.count > 0) this.#idle.take()!.discard();
  }

  /**
   * Tells if there is no place for any key, and if there are connections beyond the pool, or may be. It is called for
   * each statement, so it looks at each connection once.
   */
  look(now: number): { isFull: boolean; isStalled: boolean } {
    const held = this.#held(now);
    const spare = this.#spare.count(held, now);
    const isFull = !this.#mayHaveFree(held, spare) && !this.#lanes.some(lane => isShareable(lane, now));
    return { isFull, isStalled: spare > 0 };
  }

  #placeOfOwn(now: number): Lane | undefined {
    const { poolSize } = this.#settings;
    const isShared = this.#shares.keys === poolSize;
    const hasNone = !isShared && !this.#lanes.some(({ items: [head] }) => head!.standing.isOwn);
    if (hasNone || this.#lanes.length < poolSize + this.#spare.count(this.#held(now), now))
      return this.#free();
    // Where there is one for it alone, nothing of it is behind what others ask.
    return leastOf(this.#lanes, now, ({ items: [head] }) => isShared || head!.standing.isOwn);
  }

  #place({ standing }: Work, now: number): Lane | undefined {
    const held = this.#held(now, standing);
    const stranger = isStranger(standing);
    const isFree = !stranger || held.strangers < this.#shares.strangers;
    const hasMost = held.own >= this.#mostOf(standing, now);
    const isProven = standing.quickSince > held.overdueSince;
    const isStalled = this.#spare.count(held, now) > 0;
    const mayHaveSpare = !stranger && !held.isOwnOverdue && (isProven || held.own === 0);
    const spare = mayHaveSpare ? this.#spare.count(held, now, isProven) : 0;
    if (isFree && !hasMost && this.#mayHaveFree(held, spare)) return this.#free();
    // Nothing more is spread by it until that one has ended.
    if (held.isOwnOverdue) return undefined;
    return leastOf(this.#lanes, now, lane => {
      const [head] = lane.items;
      if (head!.standing.isOwn || isStranger(head!.standing) !== stranger) return false;
      return hasMost || isStalled ? holds(lane, standing) : true;
    });
  }

  /** @param standing of the key that asks */
  #held(now: number, standing?: Standing): Held {
    const held = {
      isOfSeveral: false,
      keys: 0,
      strangers: 0,
      own: 0,
      isOwnOverdue: false,
      overdue: 0,
      overdueSince: now,
    };
    let first = standing;
    for (const lane of this.#lanes) {
      const head = lane.items[0]!;
      if (head.standing.isOwn) continue;
      const since = atServerSince(head);
      this.#standings.watch(head.standing, since, now);
      const isOwn = head.standing === standing;
      first ??= head.standing;
      held.isOfSeveral ||= head.standing !== first;
      held.keys++;
      if (isStranger(head.standing)) held.strangers++;
      if (isOwn) held.own++;
      if (now - since < OVERDUE) continue;
      held.isOwnOverdue ||= isOwn;
      held.overdue++;
      held.overdueSince = Math.min(held.overdueSince, since);
    }
    return held;
  }

  /** True if a key may have a connection that is not at work. */
  #mayHaveFree({ keys }: Held, spare: number): boolean {
    return keys < this.#shares.keys + spare && this.#lanes.length < this.#settings.poolSize + spare;
  }

  /** The number of connections that a key may have. */
  #mostOf(standing: Standing, now: number): number {
    const { keys, strangers } = this.#shares;
    if (standing.pace !== 'quick') return Math.max(1, strangers - 1);
    const isAlone = now - this.#standings.askedBeside(standing) >= OF_LATE;
    return isAlone ? keys : Math.max(1, keys - 1);
  }

  /** Nothing is under way on it. */
  #leave(lane: Lane, now: number): void {
    const { connection } = lane;
    this.#lanes.splice(this.#lanes.indexOf(lane), 1);
    this.#idle.keep(connection, now);
  }

  #free(): Lane {
    const connection = this.#idle.take() ?? this.#make();
    const isSpare = this.#lanes.length >= this.#settings.poolSize;
    const lane: Lane = { connection, items: [], isSpare };
    this.#lanes.push(lane);
    return lane;
  }
}

function add(lane: Lane, work: Work): void {
  work.lane = lane;
  lane.items.push(work);
  work.standing.atWork++;
}

/** Not known to be quick: it is new, or was slow. */
function isStranger(standing: Standing): boolean {
  return !standing.isOwn && standing.pace !== 'quick';
}
