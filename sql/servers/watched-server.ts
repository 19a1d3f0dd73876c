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
  checkedAt = Number.NEGATIVE_INFINITY;
  /** The reason why it did not respond. */
  failure: Error | undefined;
  /** The server has everything that was committed before this time. */
  freshUntil = Number.NEGATIVE_INFINITY;
  #pendingSince: number | undefined;
  #probe: ServerClient;
  #roundTrips: number[] = [];
  #validation: 'none' | 'running' | 'done' = 'none';
  #refusedAt = Number.NEGATIVE_INFINITY;
  #refused: WatchedServerOptions['refused'];
  #reportedReason: string | undefined;

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

  get isValidated(): boolean {
    return this.#validation === 'done';
  }

  /** Checks whether it responded to the last check. */
  get isUp(): boolean {
    return this.position !== undefined;
  }

  /** True if a check is still pending, so that no other one is started. */
  get isLate(): boolean {
    return this.#pendingSince !== undefined && performance.now() - this.#pendingSince > PATIENCE;
  }

  /** Queries its position. */
  async check(): Promise<void> {
    const begun = performance.now();
    this.#pendingSince = begun;
    try {
      this.position = await readPosition(this.#probe);
      this.checkedAt = begun;
      this.failure = undefined;
      this.#roundTrips.push(performance.now() - begun);
      if (this.#roundTrips.length > REMEMBERED) this.#roundTrips.shift();
    } catch (error) {
      this.position = undefined;
      this.failure = error as Error;
    }
    this.#pendingSince = undefined;
  }

  /**
   * Checks once whether it can be read from.
   * @param validate throws if it cannot
   */
  async validate(validate: (database: ServerClient) => Promise<void>): Promise<void> {
    if (this.#validation !== 'none' || performance.now() - this.#refusedAt < REFUSED_FOR) return;
    this.#validation = 'running';
    try {
      await validate(this.database);
      this.#validation = 'done';
      this.#reportedReason = undefined;
    } catch (error) {
      this.#validation = 'none';
      this.#refusedAt = performance.now();
      this.refuse(error as Error);
    }
  }

  /** Marks it as unusable although it responds, which is reported once per reason. */
  refuse(reason: Error): void {
    if (this.#reportedReason === reason.message) return;
    this.#reportedReason = reason.message;
    this.#refused(this.name, reason);
  }

  async end(): Promise<void> {
    await Promise.all([this.database.end(), this.#probe.end()]);
  }
}
