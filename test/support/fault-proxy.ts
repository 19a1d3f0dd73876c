import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort, toAddress } from './network.ts';

/** A fault between the service and its database. */
export type ProxyFault =
  | 'none'
  /** The port is closed. */
  | 'refuse'
  /** Resets connections immediately. */
  | 'reset'
  /** Accepts connections and transfers nothing in either direction; existing connections hang as well. */
  | 'halfOpen'
  /** Closes connections before the server has sent anything. */
  | 'finAtStart'
  /** Delays the server's bytes longer than a request waits for a connection. */
  | 'latency'
  /** Delays them less. */
  | 'lag'
  /** Limits the server's bytes to 20 kB/s per connection. */
  | 'slow'
  /** Holds the server's bytes back until the fault is over. */
  | 'stall'
  /** Changes some of the server's bytes. */
  | 'garble'
  /** Closes the connection in the middle of the server's answer. */
  | 'cut'
  /** The same once a connection has transferred 5 kB. */
  | 'cutLater';

/** Delays that faults add, in milliseconds. */
const DELAYS: Partial<Record<ProxyFault, number>> = { latency: 1500, lag: 200 };

/** The bytes per millisecond of `slow`, and the size of its pieces. */
const SPEED = 20;
const SLICE = 1000;

/** The number of bytes after which `cutLater` disconnects. */
const LIMIT = 5000;

/** `garble` changes one in this many bytes on average. */
const GARBLED = 50;

interface Link {
  client: Socket;
  server: Socket;
  /** Stops the transfer for good. */
  isDead: boolean;
  /** The bytes transferred since the fault started. */
  given: number;
  /** Resolves when earlier data has been forwarded, so that answers stay in order. */
  before: Promise<void>;
}

/** A network between the service and PostgreSQL with faults chosen by the test. Only on loopback. */
export class FaultProxy {
  /** The URL of the database in this network. */
  readonly url: string;
  /** When connections were accepted, in milliseconds of the monotonic clock. */
  readonly accepted: number[] = [];
  /** The highest number of connections that were open at the same time. */
  mostOpen = 0;
  #fault: ProxyFault = 'none';
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

  /** Sends new connections to another server with the same databases. */
  retarget(databaseUrl: string): void {
    this.#target = databaseUrl;
  }

  async set(fault: ProxyFault): Promise<void> {
    this.#fault = fault;
    for (const link of this.#links) {
      if (fault === 'refuse' || fault === 'reset') link.client.resetAndDestroy();
      if (fault === 'finAtStart') link.client.end();
      if (fault === 'halfOpen') link.isDead = true;
      link.given = 0;
    }
    if (fault === 'refuse') await this.#close();
    else await this.#listen();
  }

  /** The highest number of new connections within one second. */
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
    const server = connect(toAddress(this.#target));
    const link = { client, server, isDead: this.#fault === 'halfOpen', given: 0, before: Promise.resolve() };
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
    server.on('data', chunk => {
      const due = performance.now() + (DELAYS[this.#fault] ?? 0);
      link.before = link.before.then(() => this.#answer(link, chunk, due));
    });
    if (this.#fault === 'reset') client.resetAndDestroy();
    if (this.#fault === 'finAtStart') client.end();
  }

  /** Slightly more, because it can notice late that another connection has ended. */
  async #count(): Promise<void> {
    const now = [...this.#links];
    await sleep(20);
    this.mostOpen = Math.max(this.mostOpen, now.filter(link => this.#links.has(link)).length);
  }

  async #answer(link: Link, chunk: Buffer, due: number): Promise<void> {
    const begun = performance.now();
    if (begun < due) await sleep(due - begun);
    for (let rest = chunk; rest.length > 0; ) {
      while (this.#fault === 'stall') await sleep(5);
      const slice = rest.subarray(0, this.#fault === 'slow' ? SLICE : rest.length);
      if (this.#fault === 'slow') await sleep(slice.length / SPEED);
      this.#give(link, slice);
      rest = rest.subarray(slice.length);
    }
  }

  #give(link: Link, bytes: Buffer): void {
    if (link.isDead || link.client.destroyed) return;
    if (this.#fault === 'finAtStart') return;
    if (this.#fault === 'garble') this.#garble(bytes);
    link.given += bytes.length;
    const isCut = this.#fault === 'cut' || (this.#fault === 'cutLater' && link.given > LIMIT);
    if (!isCut) link.client.write(bytes);
    else link.client.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => link.client.destroy());
  }

  #garble(bytes: Buffer): void {
    for (let at = 0; at < bytes.length; at++) {
      this.#random = (Math.imul(this.#random, 1664525) + 1013904223) >>> 0;
      if ((this.#random >>> 8) % GARBLED === 0) bytes[at] = this.#random & 0xff;
    }
  }
}
