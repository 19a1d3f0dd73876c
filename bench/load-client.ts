import { connect, type Socket } from 'node:net';
import { quantile } from './statistics.ts';

/** Requests to send over and over again, each connection its next one when it has its answer. */
export interface Load {
  port: number;
  /** A whole HTTP/1.1 request, as it is sent. */
  request: string;
  connections: number;
  seconds: number;
  /** The status that every answer has to have. */
  status: number;
}

export interface LoadResult {
  requests: number;
  /** From the first request to the last answer. */
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  /** The size of one answer, head and body, in bytes. */
  bytes: number;
}

/**
 * A load generator over bare sockets: it shares the machine with what it measures, so it does the least it can.
 * @throws {Error} when an answer has another status or a connection is lost
 */
export async function runLoad({ port, request, connections, seconds, status }: Load): Promise<LoadResult> {
  const latencies: number[] = [];
  let bytes = 0;
  const message = Buffer.from(request);
  const exchanges = await Promise.all(Array.from({ length: connections }, () => Exchange.on(port, status)));
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

/**
 * A buffer that all connections read into, one after the other: a buffer for each piece would cost more than reading
 * it.
 */
const inbox = Buffer.allocUnsafeSlow(256 * 1024);

/** A connection that is asked, and read as far as it takes to know where an answer ends. */
export class Exchange {
  #socket: Socket;
  #status: number;
  #settle: { resolve: (bytes: number) => void; reject: (error: Error) => void } | undefined;
  #head: Buffer = Buffer.alloc(0);
  #total = 0;
  /** Bytes of the body still to come; -1 within the head, infinite where chunks say when it ends. */
  #left = -1;

  static async on(port: number, status: number): Promise<Exchange> {
    const exchange = new Exchange(port, status);
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

  /** Answers with the length of the answer, once it has come whole. */
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

  /** Tells whether the answer has come whole, and is as expected. */
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

export interface Reading {
  /** Milliseconds from the request to the first byte, and to the last. */
  firstByte: number;
  whole: number;
  bytes: number;
}

/** Reads one answer to its end, as fast as it comes. The request has to ask for the connection to be closed. */
export async function readOnce(port: number, request: string): Promise<Reading> {
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
