import type { Connection } from './connection.ts';
import { IDLE_LIMIT, LIFETIME } from './limits.ts';

/** Connections without a running statement; the most recently used is last. */
export class IdleConnections {
  #items: Connection[] = [];
  #hasEnded = false;

  /** The number of connections that are not lost. */
  get count(): number {
    return this.#items.filter(({ isLost }) => !isLost).length;
  }

  /** Returns the most recently used connection; undefined if there is none. */
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

  /** Closes connections that have been idle or open for too long. */
  trim(now: number): void {
    const [oldest] = this.#items;
    if (oldest && now - oldest.usedAt > IDLE_LIMIT) this.#items.shift()!.discard();
  }

  /** Closes all connections, and those that are returned later. */
  end(): void {
    this.#hasEnded = true;
    this.discard();
  }
}
