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
  /** Of one answer, head and body. */
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
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const began = performance.now();
  const until = began + seconds * 1000;
  try {
    await Promise.all(
      sockets.map(async socket => {
        const read = reader(socket, status);
        while (performance.now() < until) {
          const sent = performance.now();
          socket.write(message);
          bytes = await read();
          latencies.push(performance.now() - sent);
        }
      }),
    );
  } finally {
    for (const socket of sockets) socket.destroy();
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

export function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    socket.once('error', reject);
    socket.once('connect', () => {
      socket.off('error', reject);
      resolve(socket);
    });
  });
}

const END_OF_HEAD = '\r\n\r\n';
const LAST_CHUNK = Buffer.from('0\r\n\r\n');

/** Answers with the length of the next answer, once it has come whole. */
function reader(socket: Socket, status: number): () => Promise<number> {
  let settle: { resolve: (bytes: number) => void; reject: (error: Error) => void } | undefined;
  let head: Buffer = Buffer.alloc(0);
  let total = 0;
  /** Bytes of the body still to come; -1 within the head, infinite where chunks say when it ends. */
  let left = -1;

  socket.on('data', (chunk: Buffer) => {
    total += chunk.length;
    if (left < 0) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(END_OF_HEAD);
      if (end < 0) return;
      const text = head.toString('latin1', 0, end);
      if (Number(text.slice(9, 12)) !== status) {
        return fail(new Error(`answered "${text.split('\r\n')[0]}" instead of ${status}`));
      }
      left = bodyLength(text, status) - (head.length - end - END_OF_HEAD.length);
    } else {
      left -= chunk.length;
    }
    if (left > 0 && !(left === Number.POSITIVE_INFINITY && endsWithLastChunk(chunk))) return;
    const length = total;
    head = Buffer.alloc(0);
    total = 0;
    left = -1;
    settle?.resolve(length);
  });
  socket.on('close', () => fail(new Error('the connection was closed')));
  socket.on('error', fail);

  function fail(error: Error): void {
    settle?.reject(error);
  }
  return () =>
    new Promise((resolve, reject) => {
      settle = { resolve, reject };
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
  const socket = await open(port);
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
