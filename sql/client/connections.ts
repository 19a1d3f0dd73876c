import type { ReadSettings } from '../client.ts';
import { Hosts } from '../dial/hosts.ts';
import { Connection } from './connection.ts';
import { OWN } from './fair-queue.ts';

/** Milliseconds after which a connection without work is given up. */
const IDLE_LIMIT = 5 * 60_000;

/** Milliseconds after which any is: the server's process grows with what it has seen. */
const LIFETIME = 60 * 60_000;

/** Quick statements that may be under way on a connection at once. */
const DEPTH = 4;

/** Milliseconds after which a statement turns out not to be quick: nothing is sent behind it any more. */
const QUICK = 20;

/** A statement that wants a connection. */
export interface Item {
  /** Whose it is. */
  asker: string;
  /** Whether it may share a connection with others of its kind. */
  quick: boolean;
  /** Since when it has been at work, in milliseconds of the monotonic clock. */
  since: number;
}

/** A connection with the statements that are under way on it; they are answered one after the other. */
export interface Lane<Work extends Item> {
  connection: Connection;
  /** The oldest first: that is the one which is being answered. */
  items: Work[];
  /** The one that was being answered when the connection was lost. */
  suspect?: Work;
}

/**
 * The connections there are, and who may use them: a statement gets one of its own, or, once there are as many as may
 * be, it follows quick ones. One is left to quick statements, and one to other askers, so that
 * nobody waits because of what another one asks.
 */
export class Connections<Work extends Item> {
  #settings: ReadSettings;
  #hosts: Hosts;
  /** Connections without a statement; what was used last stands last. */
  #idle: Connection[] = [];
  /** Few, and an array: a set's old tables hold on to what they held, so that it outlives V8's quick collections. */
  #lanes: Lane<Work>[] = [];
  /** Connections that may be left to those that are not quick, and to a single asker. */
  #most: number;

  constructor(settings: ReadSettings) {
    this.#settings = settings;
    this.#hosts = new Hosts(settings.url);
    this.#most = Math.max(1, settings.poolSize - 1);
  }

  /** How many there are, or are being made. */
  get count(): number {
    return this.#lanes.length + this.#idle.filter(({ isLost }) => !isLost).length;
  }

  /** All that is under way. */
  get items(): Work[] {
    return this.#lanes.flatMap(({ items }) => items);
  }

  /** How often one was tried to be made. */
  get attempts(): number {
    return this.#hosts.attempts.count;
  }

  /** A connection with the item on it, if there is a place for it. Give it back with `release`. */
  take(item: Work): Lane<Work> | undefined {
    const lane = this.#place(item);
    lane?.items.push(item);
    return lane;
  }

  /** A connection with nothing else on it, whoever may have the others. */
  takeAlone(item: Work): Lane<Work> {
    const lane = this.#free();
    lane.items.push(item);
    return lane;
  }

  release(lane: Lane<Work>, item: Work): void {
    const { connection, items } = lane;
    items.splice(items.indexOf(item), 1);
    connection.usedAt = performance.now();
    if (items.length > 0) return;
    this.#lanes.splice(this.#lanes.indexOf(lane), 1);
    if (connection.usedAt - connection.madeAt > LIFETIME) connection.discard();
    if (!connection.isLost) this.#idle.push(connection);
  }

  discardBusy(): void {
    for (const { connection } of this.#lanes) connection.discard();
  }

  discardIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.discard();
  }

  /** Gives up what has not been used for long. */
  trim(): void {
    const [oldest] = this.#idle;
    if (oldest && performance.now() - oldest.usedAt > IDLE_LIMIT) this.#idle.shift()!.discard();
  }

  #place(item: Work): Lane<Work> | undefined {
    const lanes = this.#lanes;
    if (!item.quick && lanes.filter(isSlow).length >= this.#most) return undefined;
    const own = item.asker === OWN ? [] : lanes.filter(({ items }) => items.some(isOf(item.asker)));
    const isAtLimit = own.length >= this.#most;
    if (!isAtLimit && lanes.length < this.#settings.poolSize) return this.#free();
    return leastOf(isAtLimit ? own : lanes);
  }

  #free(): Lane<Work> {
    for (;;) {
      const connection = this.#idle.pop() ?? new Connection(this.#settings, this.#hosts);
      if (connection.isLost) continue;
      const lane: Lane<Work> = { connection, items: [] };
      this.#lanes.push(lane);
      return lane;
    }
  }
}

function isOf(asker: string): (item: Item) => boolean {
  return item => item.asker === asker;
}

/** Nothing is sent behind a statement that is not quick. */
function isSlow({ items }: Lane<Item>): boolean {
  return !items.at(-1)!.quick;
}

/** Of those that can be shared, the one with the least on it. */
function leastOf<Work extends Item>(lanes: readonly Lane<Work>[]): Lane<Work> | undefined {
  const latest = performance.now() - QUICK;
  let least: Lane<Work> | undefined;
  for (const lane of lanes) {
    const { connection, items } = lane;
    const isOpen = !isSlow(lane) && items[0]!.since > latest && !connection.isLost;
    if (isOpen && items.length < (least?.items.length ?? DEPTH)) least = lane;
  }
  return least;
}
