import type { Connection } from './connection.ts';

/** Milliseconds after which a connection without work is given up. */
const IDLE_LIMIT = 5 * 60_000;

/** Milliseconds after which any is: the server's process grows with what it has seen. */
const LIFETIME = 60 * 60_000;

/** Connections on which nothing is under way; what was used last stands last. */
export class IdleConnections {
  #items: Connection[] = [];
  #hasEnded = false;

  /** The number of those that are good for more. */
  get count(): number {
    return this.#items.filter(({ isLost }) => !isLost).length;
  }

  /** The one that was used last; undefined where there is none. */
  take(): Connection | undefined {
    let connection = this.#items.pop();
    while (connection?.isLost) connection = this.#items.pop();
    return connection;
  }

  keep(connection: Connection, now: number): void {
    connection.usedAt = now;
    if (this.#hasEnded || now - connection.madeAt > LIFETIME) connection.discard();
    if (!connection.isLost) this.#items.push(connection);
  }

  discard(): void {
    for (const connection of this.#items.splice(0)) connection.discard();
  }

  /** Gives up what has not been used for long. */
  trim(now: number): void {
    const [oldest] = this.#items;
    if (oldest && now - oldest.usedAt > IDLE_LIMIT) this.#items.shift()!.discard();
  }

  /** Keeps no connection that comes back from now on. */
  end(): void {
    this.#hasEnded = true;
    this.discard();
  }
}
