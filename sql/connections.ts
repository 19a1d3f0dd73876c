import { Attempts } from './attempts.ts';
import type { ReadSettings } from './client.ts';
import { Connection } from './connection.ts';

/** Milliseconds after which a connection without work is given up. */
const IDLE_LIMIT = 5 * 60_000;

/** Milliseconds after which any is: the server's process grows with what it has seen. */
const LIFETIME = 60 * 60_000;

/** The connections there are. Whoever takes one sees to it that they do not become too many. */
export class Connections {
  #settings: ReadSettings;
  #attempts = new Attempts();
  /** Connections without a statement; what was used last stands last. */
  #idle: Connection[] = [];
  #busy = 0;

  constructor(settings: ReadSettings) {
    this.#settings = settings;
  }

  /** How many there are, or are being made. */
  get count(): number {
    return this.#busy + this.#idle.filter(({ isLost }) => !isLost).length;
  }

  /** How often one was tried to be made. */
  get attempts(): number {
    return this.#attempts.count;
  }

  /** One that is free, or a new one. Give it back with `release`. */
  take(): Connection {
    this.#busy++;
    for (;;) {
      const connection = this.#idle.pop() ?? new Connection(this.#settings, this.#attempts);
      if (!connection.isLost) return connection;
    }
  }

  release(connection: Connection): void {
    this.#busy--;
    connection.usedAt = performance.now();
    if (connection.usedAt - connection.madeAt > LIFETIME) connection.discard();
    if (!connection.isLost) this.#idle.push(connection);
  }

  discardIdle(): void {
    for (const connection of this.#idle.splice(0)) connection.discard();
  }

  /** Gives up what has not been used for long. */
  trim(): void {
    const [oldest] = this.#idle;
    if (oldest && performance.now() - oldest.usedAt > IDLE_LIMIT) this.#idle.shift()!.discard();
  }
}
