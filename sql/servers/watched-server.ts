import { connect, type ReadSettings, type ServerClient } from '../client.ts';
import { type Position, positionOf } from './position.ts';
import type { Server } from './servers.ts';

/** Round trips of which the shortest counts: others met a busy server, or a busy process here. */
const REMEMBERED = 8;

/** Milliseconds within which it answers, unless something is wrong. */
const PATIENCE = 300;

/** Milliseconds between two attempts to find a server fit that was refused. */
const REFUSED_FOR = 5000;

export interface WatchedServerOptions {
  name: string;
  settings: ReadSettings;
  /** Told when it goes away and comes back. */
  away(name: string, reason: Error): void;
  back(name: string): void;
  /** Told once for each reason why it is not read from, although it answers. */
  refused(name: string, reason: Error): void;
}

/** A server and its state. It is asked on a connection of its own, past the queue of the requests. */
export class WatchedServer implements Server {
  readonly name: string;
  readonly database: ServerClient;
  timeline = '';
  /** Its last position, where it answered. */
  position: Position | undefined;
  /** When it was asked for that, by the monotonic clock. */
  heardAt = Number.NEGATIVE_INFINITY;
  /** Why it did not answer. */
  failure: Error | undefined;
  /** It has everything that was committed before this instant. */
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

  /** Milliseconds there and back; infinite before it has answered. */
  get roundTrip(): number {
    return Math.min(...this.#roundTrips);
  }

  get isAdmitted(): boolean {
    return this.#admission === 'done';
  }

  /** Tells whether it answered when it was asked last. */
  get isUp(): boolean {
    return this.position !== undefined;
  }

  /** Tells whether it is taking its time with an answer: no other look need ask it meanwhile. */
  get isLate(): boolean {
    return this.#askedAt !== undefined && performance.now() - this.#askedAt > PATIENCE;
  }

  /** Asks where it is. */
  async look(): Promise<void> {
    const begun = performance.now();
    this.#askedAt = begun;
    try {
      this.position = await positionOf(this.#probe);
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

  /** Finds out once whether it may be read from. @param admit throws where it may not */
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

  /** It answers, and cannot be read from: that is told once for each reason. */
  refuse(reason: Error): void {
    if (this.#complaint === reason.message) return;
    this.#complaint = reason.message;
    this.#refused(this.name, reason);
  }

  async end(): Promise<void> {
    await Promise.all([this.database.end(), this.#probe.end()]);
  }
}
