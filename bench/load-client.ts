import { connect, type Socket } from 'node:net';
import { quantile } from './statistics.ts';

/** A request to send repeatedly. Each connection sends it again after receiving the response. */
export interface Load {
  port: number;
  /** A complete HTTP/1.1 request. */
  request: string;
  connections: number;
  seconds: number;
  /** The expected status of every response. */
  status: number;
}

export interface LoadResult {
  requests: number;
  /** From the first request to the last response. */
  seconds: number;
  /** In milliseconds. */
  p50: number;
  p99: number;
  /** The size of one response, head and body, in bytes. */
  bytes: number;
}

/**
 * A load generator over bare sockets. It does as little as possible, because it shares the machine with the services.
 * @throws {Error} if a response has another status or a connection is lost
 */
export async function runLoad({ port, request, connections, seconds, status }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let bytes = 0;
  const message = Buffer.from(request);
  const exchanges = await Promise.all(
    Array.from({ length: connections }, () => BenchExchange.on(port, status)),
  );
  const began = performance.now();
  const until = began + seconds * 1000;
  try {
    await Promise.all(
      exchanges.map(async exchange => {
        while (performance.now() < until) {
          const sent = performance.now();
          bytes = await exchange.ask(message);
          latencies.push(performance.now() - sent);
        }
      }),
    );
  } finally {
    for (const exchange of exchanges) exchange.end();
  }
  const elapsed = (performance.now() - began) / 1000;
  const sorted = Float64Array.from(latencies).sort();
  return {
    requests: sorted.length,
    seconds: elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    bytes,
  };
}

const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** A buffer shared by all connections. Allocating one per chunk would take longer than reading the chunk. */
const inbox = Buffer.allocUnsafeSlow(256 * 1024);

/** A connection that sends requests and parses responses only far enough to find their ends. */
export class BenchExchange {
  #socket: Socket;
  #status: number;
  #settle: { resolve: (bytes: number) => void; reject: (error: Error) => void } | undefined;
  #head: Buffer = Buffer.alloc(0);
  #total = 0;
  /** The remaining bytes of the body; -1 within the head, infinite for a chunked body. */
  #left = -1;

  static async on(port: number, status: number): Promise<BenchExchange> {
    const exchange = new BenchExchange(port, status);
    await connected(exchange.#socket);
    return exchange;
  }

  private constructor(port: number, status: number) {
    this.#status = status;
    const callback = (length: number) => {
      this.#read(inbox.subarray(0, length));
      return true;
    };
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: inbox, callback } });
    this.#socket.on('close', () => this.#fail(new Error('the connection was closed')));
    this.#socket.on('error', error => this.#fail(error));
  }

  get isOpen(): boolean {
    return !this.#socket.destroyed;
  }

  /** Resolves with the length of the response once it is complete. */
  ask(message: Buffer): Promise<number> {
    this.#socket.write(message);
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  end(): void {
    this.#socket.destroy();
  }

  #read(chunk: Buffer): void {
    this.#total += chunk.length;
    if (this.#left >= 0) {
      this.#left -= chunk.length;
    } else if (!this.#readHead(chunk)) {
      return;
    }
    if (this.#left > 0 && !(this.#left === Number.POSITIVE_INFINITY && endsWithLastChunk(chunk))) return;
    const total = this.#total;
    this.#head = Buffer.alloc(0);
    this.#total = 0;
    this.#left = -1;
    this.#settle?.resolve(total);
  }

  /** Returns true once the head is complete. Checks its status. */
  #readHead(chunk: Buffer): boolean {
    this.#head = Buffer.concat([this.#head, chunk]);
    const end = this.#head.indexOf(END_OF_HEAD);
    if (end < 0) return false;
    const text = this.#head.toString('latin1', 0, end);
    if (Number(text.slice(9, 12)) !== this.#status) {
      this.#fail(new Error(`answered "${text.split('\r\n')[0]}" instead of ${this.#status}`));
      return false;
    }
    this.#left = bodyLength(text, this.#status) - (this.#head.length - end - END_OF_HEAD.length);
    return true;
  }

  #fail(error: Error): void {
    this.#settle?.reject(error);
  }
}

function connected(socket: Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve();
    });
  });
}

function bodyLength(head: string, status: number): number {
  if (status === 304) return 0;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  return length === undefined ? Number.POSITIVE_INFINITY : Number(length);
}

function endsWithLastChunk(chunk: Buffer): boolean {
  return chunk.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
}

export interface ReadTimes {
  /** Milliseconds from the request to the first byte and to the last one. */
  firstByte: number;
  whole: number;
  bytes: number;
}

/** Reads one response as fast as it arrives. The request must ask for the connection to be closed. */
export async function readOnce(port: number, request: string): Promise<ReadTimes> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await connected(socket);
  const began = performance.now();
  let firstByte = Number.NaN;
  let bytes = 0;
  socket.write(request);
  await new Promise<void>((resolve, reject) => {
    socket.on('data', chunk => {
      if (bytes === 0) firstByte = performance.now() - began;
      bytes += chunk.length;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
  return { firstByte, whole: performance.now() - began, bytes };
}
