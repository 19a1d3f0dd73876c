import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { addressOf, freePort } from './network.ts';

/** What is wrong between the service and its database. */
export type Fault =
  | 'none'
  /** The port is closed. */
  | 'refuse'
  /** Connections are made, and reset at once. */
  | 'reset'
  /** Connections are made and kept, and nothing comes through, in either direction; those there were are dead, too. */
  | 'halfOpen'
  /** Connections are made, and ended before the server has said anything. */
  | 'finAtStart'
  /** What the server says comes late. */
  | 'latency'
  /** Some bytes of what the server says are others. */
  | 'garble'
  /** The server's answer stops half-way, and with it the connection. */
  | 'cut';

/** Milliseconds by which `latency` delays. */
const LATENCY = 1500;

/** Bytes of which `garble` changes about one. */
const GARBLED = 50;

interface Link {
  client: Socket;
  server: Socket;
  /** Nothing comes through any more, whatever happens. */
  isDead: boolean;
}

/** A network between the service and a PostgreSQL, whose faults a test chooses. Loopback alone. */
export class FaultProxy {
  /** The database's address by this network. */
  readonly url: string;
  /** When connections were made, in milliseconds of the monotonic clock. */
  readonly accepted: number[] = [];
  /** Connections open at the same time at most. */
  mostOpen = 0;
  #fault: Fault = 'none';
  #port: number;
  #target: string;
  #listener: Server | undefined;
  #links = new Set<Link>();
  #random = 1;

  static async start(databaseUrl: string): Promise<FaultProxy> {
    const proxy = new FaultProxy(databaseUrl, await freePort());
    await proxy.set('none');
    return proxy;
  }

  private constructor(databaseUrl: string, port: number) {
    this.#target = databaseUrl;
    this.#port = port;
    this.url = databaseUrl.replace(/@[^/]+/, `@127.0.0.1:${port}`);
  }

  /** Leads new connections to another server with the same databases. */
  retarget(databaseUrl: string): void {
    this.#target = databaseUrl;
  }

  async set(fault: Fault): Promise<void> {
    this.#fault = fault;
    for (const link of this.#links) {
      if (fault === 'refuse' || fault === 'reset') link.client.resetAndDestroy();
      if (fault === 'finAtStart') link.client.end();
      if (fault === 'halfOpen') link.isDead = true;
    }
    if (fault === 'refuse') await this.#close();
    else await this.#listen();
  }

  /** Connections that were made within one second, at most. */
  get busiestSecond(): number {
    const perBegin = this.accepted.map(
      begin => this.accepted.filter(at => at >= begin && at < begin + 1000).length,
    );
    return Math.max(0, ...perBegin);
  }

  async close(): Promise<void> {
    for (const { client } of this.#links) client.destroy();
    await this.#close();
  }

  async #listen(): Promise<void> {
    if (this.#listener) return;
    this.#listener = createServer({ allowHalfOpen: true }, client => this.#accept(client));
    this.#listener.listen(this.#port, '127.0.0.1');
    await once(this.#listener, 'listening');
  }

  async #close(): Promise<void> {
    const listener = this.#listener;
    this.#listener = undefined;
    if (!listener) return;
    const closed = once(listener, 'close');
    listener.close();
    await closed;
  }

  #accept(client: Socket): void {
    this.accepted.push(performance.now());
    const server = connect(addressOf(this.#target));
    const link = { client, server, isDead: this.#fault === 'halfOpen' };
    this.#links.add(link);
    void this.#count();
    client
      .on('error', () => {})
      .on('close', () => {
        this.#links.delete(link);
        server.destroy();
      });
    server.on('error', () => client.destroy()).on('close', () => client.end());
    client.on('data', chunk => link.isDead || server.write(chunk));
    client.on('end', () => client.destroy());
    server.on('data', chunk => void this.#answer(link, chunk));
    if (this.#fault === 'reset') client.resetAndDestroy();
    if (this.#fault === 'finAtStart') client.end();
  }

  /** A little later, since the end of another connection may be known only then. */
  async #count(): Promise<void> {
    const now = [...this.#links];
    await sleep(20);
    this.mostOpen = Math.max(this.mostOpen, now.filter(link => this.#links.has(link)).length);
  }

  async #answer(link: Link, chunk: Buffer): Promise<void> {
    if (this.#fault === 'latency') await sleep(LATENCY);
    if (link.isDead || link.client.destroyed) return;
    if (this.#fault === 'finAtStart') return;
    if (this.#fault === 'garble') this.#garble(chunk);
    if (this.#fault !== 'cut') return void link.client.write(chunk);
    link.client.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => link.client.destroy());
  }

  #garble(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at++) {
      this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
      if ((this.#random >>> 8) % GARBLED === 0) bytes[at] = this.#random & 0xff;
    }
  }
}
