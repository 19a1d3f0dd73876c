import { connect, type ReadSettings, type ServerClient } from '../client.ts';
import { type Position, readPosition } from './position.ts';
import type { ReadServer } from './servers.ts';

/**
 * The number of round trips that are remembered. The shortest counts, because the others may have met a busy server or
 * process.
 */
const REMEMBERED = 8;

/** Milliseconds within which a healthy server answers. */
const PATIENCE = 300;

/** How long a refused server is left alone, in milliseconds. */
const REFUSED_FOR = 5000;

export interface WatchedServerOptions {
  name: string;
  settings: ReadSettings;
  /** Called when it becomes unreachable or reachable. */
  away(name: string, reason: Error): void;
  back(name: string): void;
  /** Called once for each reason why a server that responds cannot be read from. */
  refused(name: string, reason: Error): void;
}

/** A server and its state. Checks use a separate connection and bypass the queue of requests. */
export class WatchedServer implements ReadServer {
  readonly name: string;
  readonly database: ServerClient;
  timeline = '';
  /** Its last position, if it answered. */
  position: Position | undefined;
  /** When the position was queried, by the monotonic clock. */
  heardAt = Number.NEGATIVE_INFINITY;
  /** The reason why it did not respond. */
  failure: Error | undefined;
  /** The server has everything that was committed before this time. */
  freshUntil = Number.NEGATIVE_INFINITY;
  #askedAt: number | undefined;
  #probe: ServerClient;
  #roundTrips: number[] = [];
  #admission: 'none' | 'under way' | 'done' = 'none';
  #refusedAt = Number.NEGATIVE_INFINITY;
  #refused: WatchedServerOptions['refused'];
  #complaint: string | undefined;

  constructor({ name, settings, away, back, refused }: WatchedServerOptions) {
    this.name = name;
    this.#refused = refused;
    this.database = connect(settings, { away: reason => away(name, reason), back: () => back(name) });
    this.#probe = connect({
      ...settings,
      poolSize: 1,
      queueLimit: 1,
      queueTimeout: 500,
      statementTimeout: 500,
      isReplaceable: true,
    });
  }

  /** Round-trip time in milliseconds; infinite before the first answer. */
  get roundTrip(): number {
    return Math.min(...this.#roundTrips);
  }

  get isAdmitted(): boolean {
    return this.#admission === 'done';
  }

  /** Checks whether it responded to the last check. */
  get isUp(): boolean {
    return this.position !== undefined;
  }

  /** True if a check is still pending, so that no other one is started. */
  get isLate(): boolean {
    return this.#askedAt !== undefined && performance.now() - this.#askedAt > PATIENCE;
  }

  /** Queries its position. */
  async look(): Promise<void> {
    const begun = performance.now();
    this.#askedAt = begun;
    try {
      this.position = await readPosition(this.#probe);
      this.heardAt = begun;
      this.failure = undefined;
      this.#roundTrips.push(performance.now() - begun);
      if (this.#roundTrips.length > REMEMBERED) this.#roundTrips.shift();
    } catch (error) {
      this.position = undefined;
      this.failure = error as Error;
    }
    this.#askedAt = undefined;
  }

  /**
   * Checks once whether it can be read from.
   * @param admit throws if it cannot
   */
  async admit(admit: (database: ServerClient) => Promise<void>): Promise<void> {
    if (this.#admission !== 'none' || performance.now() - this.#refusedAt < REFUSED_FOR) return;
    this.#admission = 'under way';
    try {
      await admit(this.database);
      this.#admission = 'done';
      this.#complaint = undefined;
    } catch (error) {
      this.#admission = 'none';
      this.#refusedAt = performance.now();
      this.refuse(error as Error);
    }
  }

  /** Marks it as unusable although it responds, which is reported once per reason. */
  refuse(reason: Error): void {
    if (this.#complaint === reason.message) return;
    this.#complaint = reason.message;
    this.#refused(this.name, reason);
  }

  async end(): Promise<void> {
    await Promise.all([this.database.end(), this.#probe.end()]);
  }
}
