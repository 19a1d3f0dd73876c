import type { ReadSettings } from '../database.ts';
import { Hosts } from '../dial/hosts.ts';
import type { MonotonicClock } from './clock.ts';
import type { Connection } from './connection.ts';
import { IdleConnections } from './idle-connections.ts';
import { CHECK_INTERVAL, MOST_OPENING, OVERDUE, PIPELINE_DEPTH, QUICK, TRIM_INTERVAL } from './limits.ts';
import type { TenantState, TenantStates } from './tenant-state.ts';
import {
  add,
  atServerSince,
  begin,
  isThoughtQuick,
  NOT_BEGUN,
  type PooledConnection,
  type Work,
} from './work.ts';

/** Returns the overflow connection limit of a pool while statements hang. */
export function maxOverflow(poolSize: number): number {
  return Math.max(MOST_OPENING, poolSize);
}

/** Numbers of connections in use. */
interface ConnectionCounts {
  /** Connections used by keys. */
  keys: number;
  /** Connections used by slow keys. */
  slow: number;
  /** Connections of the requesting key, and whether a statement on one of them is overdue. */
  own: number;
  isOwnOverdue: boolean;
  /** Connections being opened. */
  opening: number;
  /** Connections with an overdue statement of a key, and when the first of these statements began. */
  overdue: number;
  overdueSince: number;
}

/** The clock and the connection factory; simulations replace them. */
export interface PoolDeps {
  clock: MonotonicClock;
  /** Maximum number of keys and owners with cached state. */
  remembered: number;
  makeConnection(settings: ReadSettings, hosts: Hosts): Connection;
}

/**
 * Owns the connections and assigns them to keys. In a pool of more than two, one connection is reserved for the
 * service. Slow keys use at most half of the pool. While other keys wait, no key gets its last possible connection.
 * While a statement hangs, a quick key gets an overflow connection after a short wait. If no connection is free, quick
 * statements are pipelined after other quick ones.
 */
export class Connections {
  #settings: ReadSettings;
  #clock: MonotonicClock;
  #tenants: TenantStates;
  /** Maximum number of connections for all keys, and for slow keys. */
  #ofKeys: number;
  #ofSlow: number;
  #make: () => Connection;
  #hosts: Hosts;
  #idle = new IdleConnections();
  /** An array, because a set would leave garbage that survives V8's minor collections. */
  #connections: PooledConnection[] = [];
  /** Idle connections outside the pool, which exports reuse. */
  #exportConnections = new IdleConnections();
  /** Current overflow connection limit, and the time until which it can grow. */
  #overflowLimit = 0;
  #refusedUntil = Number.NEGATIVE_INFINITY;

  constructor(
    settings: ReadSettings,
    tenants: TenantStates,
    { clock, makeConnection }: Omit<PoolDeps, 'remembered'>,
  ) {
    const { poolSize, url } = settings;
    this.#clock = clock;
    this.#settings = settings;
    this.#tenants = tenants;
    this.#ofKeys = poolSize > 2 ? poolSize - 1 : poolSize;
    this.#ofSlow = Math.max(1, Math.floor(poolSize / 2));
    this.#hosts = new Hosts(url);
    this.#make = () => makeConnection(settings, this.#hosts);
  }

  /** The number of connections, including those that are being opened. */
  get count(): number {
    return this.#connections.length + this.#idle.count;
  }

  /** All statements in progress. */
  get items(): Work[] {
    return this.#connections.flatMap(({ items }) => items);
  }

  /** The number of connection attempts. */
  get attempts(): number {
    return this.#hosts.attempts.count;
  }

  /**
   * Assigns a connection, or returns false if none is available yet. `release` returns the connection.
   * @param waited how long the key has waited, in milliseconds
   * @param isAwaited whether another key waits for its first connection
   */
  take(work: Work, now: number, waited: number, isAwaited: boolean): boolean {
    work.isQuick = isThoughtQuick(work) && (work.tenant.isOwn || !isAwaited);
    const pooled = this.#place(work, now, waited);
    if (!pooled) return false;
    add(pooled, work);
    if (pooled.items[0] === work) begin(work, now);
    else work.deadline = NOT_BEGUN;
    return true;
  }

  /** Assigns an idle connection, regardless of the limits per key. */
  takeAlone(work: Work): Connection {
    const pooled = this.#free();
    add(pooled, work);
    return pooled.connection;
  }

  /** True if no key can get a connection now. */
  isFull(now: number): boolean {
    const held = this.#countConnections(now);
    const isOpenFor = this.#hasRoom(held, 0) || this.#hasRoomForOverflow(held) || this.#mayGrow(held, now);
    return !isOpenFor && !this.#connections.some(pooled => this.#isOpen(pooled, now));
  }

  /** Returns the statements that wait behind an overdue one and have not been retried. */
  listBlockedWork(now: number): Work[] {
    return this.#connections.flatMap(({ items }) => {
      const behind = now - items[0]!.since < OVERDUE ? [] : items.slice(1);
      return behind.filter(({ hasRetry }) => !hasRetry);
    });
  }

  /** Returns a connection outside the pool. The caller discards it or releases it for reuse. */
  openOverflow(): Connection {
    return this.#exportConnections.take() ?? this.#make();
  }

  /** Releases a connection from `openOverflow`, which must be idle. */
  releaseOverflow(connection: Connection): void {
    this.#exportConnections.keep(connection, this.#clock.now());
  }

  /**
   * Ends a statement's use of its connection, so the next one can proceed.
   * @param isAnswered whether the statement got its result
   */
  release(work: Work, now: number, isAnswered: boolean): void {
    const pooled = work.pooled!;
    pooled.items.splice(pooled.items.indexOf(work), 1);
    if (!work.hasRetry) work.tenant.atWork--;
    pooled.connection.usedAt = now;
    const [next] = pooled.items;
    if (!next) {
      this.#connections.splice(this.#connections.indexOf(pooled), 1);
      this.#idle.keep(pooled.connection, now);
    }
    // The next statement has already been retried on another connection, and would block this one.
    if (next?.hasRetry && !next.tenant.isQuick) pooled.connection.discard();
    else if (next?.deadline === NOT_BEGUN) begin(next, now);
    if (work.deadline === NOT_BEGUN) return;
    const since = Math.min(atServerSince(work), now);
    this.#tenants.ended(work.tenant, since, now, isAnswered);
    if (!work.quick) work.tenant.quickText = isAnswered && now - since < QUICK ? work.text : undefined;
  }

  /**
   * True if an overflow connection could not be opened. The server accepts no more connections (`max_connections`, a
   * pooler's limit); the existing ones still work.
   */
  isRefused({ isOverflow, connection }: PooledConnection, now: number): boolean {
    if (!isOverflow || connection.begunAt <= now) return false;
    this.#overflowLimit = Math.max(0, this.#overflowLimit - 1);
    this.#refusedUntil = now + TRIM_INTERVAL;
    return true;
  }

  /** Closes all connections. Connections outside the pool are closed by their callers. */
  end(): void {
    for (const { connection } of this.#connections) connection.discard();
    for (const idle of [this.#idle, this.#exportConnections]) idle.end();
  }

  discardIdle(): void {
    for (const idle of [this.#idle, this.#exportConnections]) idle.discard();
  }

  /** Closes connections that were idle for too long, and overflow connections once no statement hangs. */
  trim(): void {
    const now = this.#clock.now();
    for (const idle of [this.#idle, this.#exportConnections]) idle.trim(now);
    if (this.#countConnections(now).overdue > 0) return;
    this.#overflowLimit = 0;
    while (this.count > this.#settings.poolSize && this.#idle.count > 0) this.#idle.take()!.discard();
  }

  #place(work: Work, now: number, waited: number): PooledConnection | undefined {
    const { tenant } = work;
    const held = this.#countConnections(now, tenant);
    if (tenant.isOwn ? this.#hasRoomForOwn(held) : this.#hasRoomFor(tenant, held, now, waited))
      return this.#free();
    return work.isQuick ? this.#shared(tenant, now, held.own > 0) : undefined;
  }

  /** Checks the pool limit for the service's own statements. */
  #hasRoomForOwn({ keys, own }: ConnectionCounts): boolean {
    return own < this.#settings.poolSize - Math.min(keys, this.#ofKeys);
  }

  #hasRoomFor(tenant: TenantState, held: ConnectionCounts, now: number, waited: number): boolean {
    if (held.own >= this.#limitFor(tenant, now)) return false;
    const hasRoom = this.#hasRoom(held, 0);
    if (!tenant.isQuick) return hasRoom && held.slow < this.#ofSlow;
    return hasRoom || this.#hasOverflowFor(tenant, held, now, waited);
  }

  /** Returns the maximum number of connections of a key: all but one while other keys send requests. */
  #limitFor({ isQuick }: TenantState, now: number): number {
    const most = isQuick ? this.#ofKeys : this.#ofSlow;
    const isAlone = isQuick && this.#tenants.isOneAlone(now);
    return isAlone ? most : Math.max(1, most - 1);
  }

  /** Checks whether a quick key that has waited can get an overflow connection, unless its own statements hang. */
  #hasOverflowFor({ quickSince }: TenantState, held: ConnectionCounts, now: number, waited: number): boolean {
    if (held.own > 0 && (held.isOwnOverdue || quickSince < held.overdueSince)) return false;
    if (!this.#hasRoomForOverflow(held) && waited >= CHECK_INTERVAL && this.#mayGrow(held, now))
      this.#overflowLimit++;
    return this.#hasRoomForOverflow(held);
  }

  /** Checks the overflow limit, which applies while a statement hangs. */
  #hasRoomForOverflow(held: ConnectionCounts): boolean {
    return held.overdue > 0 && this.#hasRoom(held, this.#overflowLimit);
  }

  #hasRoom({ keys }: ConnectionCounts, overflow: number): boolean {
    return keys < this.#ofKeys + overflow && this.#connections.length < this.#settings.poolSize + overflow;
  }

  #mayGrow({ overdue, opening }: ConnectionCounts, now: number): boolean {
    if (overdue === 0 || opening >= MOST_OPENING || now < this.#refusedUntil) return false;
    return this.#overflowLimit < maxOverflow(this.#settings.poolSize);
  }

  /** Returns the connection with the shortest pipeline that the statement can join. */
  #shared(tenant: TenantState, now: number, isBehindOwn: boolean): PooledConnection | undefined {
    let least: PooledConnection | undefined;
    for (const pooled of this.#connections) {
      if (pooled.items.length >= (least?.items.length ?? PIPELINE_DEPTH) || !this.#isOpen(pooled, now))
        continue;
      const other = pooled.items[0]!.tenant;
      const isAmongKeys = tenant.isOwn === other.isOwn || this.#ofKeys === this.#settings.poolSize;
      if (other === tenant || (tenant.isQuick && other.isQuick && isAmongKeys && !isBehindOwn))
        least = pooled;
    }
    return least;
  }

  /**
   * True if a statement can be pipelined: all statements on the connection are quick, and none has turned out to be
   * slow.
   */
  #isOpen({ connection, items }: PooledConnection, now: number): boolean {
    if (items.length >= PIPELINE_DEPTH || now - items[0]!.since >= QUICK || connection.isLost) return false;
    return items.every(({ isQuick }) => isQuick);
  }

  /**
   * Counts the connections in use. Called for every statement, so it visits each connection only once.
   * @param tenant the requesting tenant
   */
  #countConnections(now: number, tenant?: TenantState): ConnectionCounts {
    const held = { keys: 0, slow: 0, own: 0, isOwnOverdue: false, opening: 0, overdue: 0, overdueSince: now };
    for (const pooled of this.#connections) {
      const head = pooled.items[0]!;
      const isCallers = head.tenant === tenant;
      if (isCallers) held.own++;
      if (pooled.connection.begunAt > now) held.opening++;
      if (head.tenant.isOwn) continue;
      const since = atServerSince(head);
      this.#tenants.watch(head.tenant, since, now);
      held.keys++;
      if (!head.tenant.isQuick) held.slow++;
      if (now - since < OVERDUE) continue;
      held.isOwnOverdue ||= isCallers;
      held.overdue++;
      held.overdueSince = Math.min(held.overdueSince, since);
    }
    return held;
  }

  #free(): PooledConnection {
    const connection = this.#idle.take() ?? this.#make();
    const isOverflow = this.#connections.length >= this.#settings.poolSize;
    const pooled: PooledConnection = { connection, items: [], isOverflow };
    this.#connections.push(pooled);
    return pooled;
  }
}
