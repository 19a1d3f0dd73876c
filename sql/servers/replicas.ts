import { setTimeout as sleep } from 'node:timers/promises';
import { type DatabaseCounters, findCode, isServersFault, SERVER_DOWN } from '@sightline/pg-client';
import type { DatabaseClient, ReadSettings } from '../client.ts';
import { type ReadServer, type ServerState, type Servers, sumOfCounters } from './servers.ts';
import { WalHistory } from './wal-history.ts';
import { WatchedServer } from './watched-server.ts';

/** Milliseconds between two checks of a server. */
const CHECK_INTERVAL = 250;

/** Fraction, and difference in milliseconds, by which another server's round trip must be shorter to switch to it. */
const NEARER = 0.7;
const NEARER_BY = 0.2;

export interface ReplicaEvents {
  away(server: string, reason: Error): void;
  back(server: string): void;
  /** Called when reads move to another server. */
  chosen(server: string): void;
  /** Called when a replica responds but cannot be read from. */
  refused(server: string, reason: Error): void;
}

export interface ReplicatedSettings {
  /** The primary's settings. */
  primary: ReadSettings;
  replicaUrls: readonly string[];
  /** Maximum tolerated lag of a replica, in milliseconds. */
  maxLag: number;
  /**
   * Checks whether a replica can be read from.
   * @throws {Error} if it cannot
   */
  validate(database: DatabaseClient): Promise<void>;
}

/**
 * A primary and its standbys. Reads go to the nearest replica that has everything committed until `maxLag` ago, or
 * otherwise to the primary.
 */
export class ReplicaSet implements Servers {
  readonly areSeveral = true;
  #primary: WatchedServer;
  #replicas: WatchedServer[];
  #settings: ReplicatedSettings;
  #events: ReplicaEvents;
  #walHistory = new WalHistory();
  /** The authoritative server: the primary, or a replica that was promoted after it. */
  #head: WatchedServer | undefined;
  /** The latest known timeline. */
  #timeline = '';
  /** The installation and database of these servers. */
  #system: string | undefined;
  #chosen: WatchedServer;
  #isEnded = false;

  constructor(settings: ReplicatedSettings, events: ReplicaEvents) {
    const watchServer = (name: string, read: ReadSettings) =>
      new WatchedServer({ name, settings: read, ...events });
    this.#settings = settings;
    this.#events = events;
    this.#primary = watchServer('primary', settings.primary);
    this.#replicas = settings.replicaUrls.map((url, index) =>
      watchServer(`replica-${index + 1}`, { ...settings.primary, url, isReplaceable: true }),
    );
    this.#chosen = this.#primary;
    for (const server of this.#all) void this.#watch(server);
  }

  get counters(): DatabaseCounters {
    return sumOfCounters(this.#all.map(({ database }) => database.counters));
  }

  get states(): ServerState[] {
    const chosen = this.choose();
    return this.#all.map(server => ({
      name: server.name,
      isInUse: server === chosen,
      isUp: server.isUp,
      lag: this.#measureLag(server),
      roundTrip: server.roundTrip,
    }));
  }

  choose(): ReadServer {
    const isGood = this.#chosen === this.#primary || this.#isFit(this.#chosen);
    return isGood ? this.#chosen : this.#chooseNearest();
  }

  replacementFor(lost: ReadServer): ReadServer | undefined {
    const other = this.#nearest(lost) ?? this.#primary;
    return other === lost ? undefined : other;
  }

  /** Resolves when all servers have been checked once. */
  async waitUntilChecked(): Promise<void> {
    while (!this.#all.every(({ position, failure }) => position ?? failure)) await sleep(5);
    const same = this.#replicas.filter(server => server.position && this.#isSameDatabase(server));
    await Promise.all(same.map(server => this.#validate(server)));
    this.#chooseNearest();
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    await Promise.all(this.#all.map(server => server.end()));
  }

  get #all(): WatchedServer[] {
    return [this.#primary, ...this.#replicas];
  }

  async #watch(server: WatchedServer): Promise<void> {
    while (!this.#isEnded) {
      await server.check();
      if (this.#isEnded) return;
      if (server.position) this.#updateState(server);
      else this.#reportFailure(server);
      this.#chooseNearest();
      await sleep(CHECK_INTERVAL, undefined, { ref: false });
    }
  }

  #updateState(server: WatchedServer): void {
    const { isStandby, bytes, timeline } = server.position!;
    // The state of the primary is needed first.
    if (!this.#primary.position && !this.#primary.failure) return;
    this.#identifySystem(this.#primary.position?.system ?? this.#system ?? server.position!.system);
    if (!isStandby) this.#updateHead(server, timeline);
    if (server === this.#head) this.#walHistory.add(server.checkedAt, bytes);
    for (const other of this.#all) this.#updateFreshness(other);
    if (server === this.#primary) return;
    if (this.#isSameDatabase(server)) void this.#validate(server);
    else server.refuse(new Error('it holds other data than the primary'));
  }

  /** Records the identity of the database; if it changes, all state about the servers is discarded. */
  #identifySystem(system: string): void {
    if (system === this.#system) return;
    this.#system = system;
    this.#head = undefined;
    this.#timeline = '';
    this.#walHistory.clear();
    for (const server of this.#all) server.freshUntil = Number.NEGATIVE_INFINITY;
  }

  #reportFailure(server: WatchedServer): void {
    if (server === this.#primary) return;
    if (isServersFault(server.failure)) server.database.distrust(server.failure!);
    else server.refuse(server.failure!);
  }

  /** A server that was promoted later takes precedence; an older history never counts again. */
  #updateHead(server: WatchedServer, timeline: string): void {
    server.timeline = timeline;
    const isLater = timeline > this.#timeline || (timeline === this.#timeline && !this.#head);
    if (!isLater || !this.#isSameDatabase(server)) return;
    if (server !== this.#head) this.#walHistory.clear();
    this.#head = server;
    this.#timeline = timeline;
  }

  /** Positions are only comparable within one database. */
  #updateFreshness(server: WatchedServer): void {
    if (!server.position?.isStandby || !this.#isSameDatabase(server)) return;
    server.timeline = this.#timeline;
    const until = this.#walHistory.coveredBy(server.position.bytes);
    if (until !== undefined) server.freshUntil = Math.max(server.freshUntil, until);
  }

  async #validate(server: WatchedServer): Promise<void> {
    await server.validate(database => this.#settings.validate(database));
  }

  #isSameDatabase({ position }: WatchedServer): boolean {
    return position?.system === this.#system;
  }

  #isFit(server: WatchedServer): boolean {
    const answers = server.isUp && !server.isLate && !server.database.isAway;
    if (!answers || !server.isValidated || !this.#isSameDatabase(server)) return false;
    const { maxLag } = this.#settings;
    if (server === this.#head) return performance.now() - server.checkedAt <= maxLag;
    return server.position!.isStandby && this.#measureLag(server) <= maxLag;
  }

  #measureLag(server: WatchedServer): number {
    return server === this.#head ? 0 : this.#now() - server.freshUntil;
  }

  /** Time stands still while nothing can be written. */
  #now(): number {
    const isDown = this.#head?.failure && SERVER_DOWN.has(findCode(this.#head.failure));
    return isDown ? this.#walHistory.end : performance.now();
  }

  #nearest(except?: ReadServer): WatchedServer | undefined {
    return this.#replicas
      .filter(server => server !== except && this.#isFit(server))
      .reduce<WatchedServer | undefined>(
        (best, next) => (best && best.roundTrip <= next.roundTrip ? best : next),
        undefined,
      );
  }

  #chooseNearest(): WatchedServer {
    const nearest = this.#nearest();
    const next = nearest && this.#isNearEnough(nearest) ? this.#chosen : (nearest ?? this.#primary);
    if (next !== this.#chosen) this.#events.chosen(next.name);
    this.#chosen = next;
    return next;
  }

  /** Checks whether the current server remains in use although another is slightly nearer. */
  #isNearEnough({ roundTrip }: WatchedServer): boolean {
    if (this.#chosen === this.#primary || !this.#isFit(this.#chosen)) return false;
    const present = this.#chosen.roundTrip;
    return roundTrip >= present * NEARER || present - roundTrip < NEARER_BY;
  }
}
