import type { ServerResponse } from 'node:http';
import type { MaybePromise } from '../executor/maybe-promise.ts';
import type { HttpConnection } from './connections.ts';
import { cutOff } from './cut-off.ts';
import type { Reply, Request } from './reply.ts';

/**
 * Bytes per write; the last write can have up to half as many more. A time limit applies to each write
 * (`slow-clients.ts`).
 */
export const PIECE = 64 * 1024;

export interface SendContext {
  request: Pick<Request, 'id' | 'notes'>;
  connection: Pick<HttpConnection, 'waiting'>;
  /** Receives the reason why a stream was aborted, unless the client disconnected. */
  onCut(error: unknown): void;
}

/** Writes a reply; a short one in a single write. */
export function send(response: ServerResponse, reply: Reply, sending: SendContext): MaybePromise<void> {
  const { status, headers, body, onSent } = reply;
  const { id, notes } = sending.request;
  const whole = readWhole(body);
  if (whole) notes.bytes = measureSize(whole);
  // Set together as a flat list: one separate header costs as much as five in a list.
  const all = ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff'];
  for (const name in headers) all.push(name, headers[name]!);
  // Responses are not cached unless the reply allows it.
  if (headers['Cache-Control'] === undefined) all.push('Cache-Control', 'no-store');
  if (whole && status !== 304) all.push('Content-Length', String(notes.bytes));
  response.writeHead(status, all);
  if (whole?.length === 1 && notes.bytes <= PIECE) return sendAtOnce(response, whole[0]!, onSent);
  return sendParts(response, whole, reply, sending);
}

/**
 * Writes the body before calling `end`. Node's `end` would append an empty chunk and pass both as a list, which slows
 * short responses by a tenth.
 */
function sendAtOnce(response: ServerResponse, body: string | Buffer, onSent?: () => void): void {
  const { socket } = response;
  // Node corks a socket for a turn, unless it is already corked.
  socket?.cork();
  response.write(body);
  socket?.uncork();
  response.end(onSent);
}

/** Aborts a response that cannot be completed. */
function breakOff(response: ServerResponse, error: unknown, { onCut }: SendContext): void {
  if (response.destroyed) return;
  onCut(error);
  if (response.socket) cutOff(response.socket, response);
  response.destroy();
}

/**
 * Writes a body no faster than its client reads it. If a stream fails, the connection is aborted, so that no client
 * mistakes the part for the complete response.
 */
async function sendParts(
  response: ServerResponse,
  whole: Parts | undefined,
  { body, onSent }: Reply,
  sending: SendContext,
): Promise<void> {
  const { notes } = sending.request;
  const { connection } = sending;
  try {
    for await (const some of whole ? [whole] : (body as AsyncIterable<string | Buffer>)) {
      for (const [piece, rest] of pieces(readWhole(some)!)) {
        if (response.destroyed) return;
        if (!whole) notes.bytes += piece.length;
        connection.waiting += rest;
        await writePiece(response, piece);
        connection.waiting -= rest;
      }
    }
    if (!response.destroyed) onSent?.();
    response.end();
  } catch (error) {
    breakOff(response, error, sending);
  }
}

type Parts = readonly (string | Buffer)[];

export function measureSize(parts: Parts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** Returns a body that is completely in memory; undefined for a stream. */
export function readWhole(body: Reply['body'] | Parts): Parts | undefined {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return [body];
  return Array.isArray(body) ? body : undefined;
}

/** Yields each chunk with the remaining length, including its own. */
function* pieces(parts: Parts): Generator<[piece: Buffer, rest: number]> {
  let rest = measureSize(parts);
  for (const part of parts) {
    const buffer = typeof part === 'string' ? Buffer.from(part) : part;
    const size = Math.ceil(buffer.length / Math.max(1, Math.round(buffer.length / PIECE)));
    for (let at = 0; at < buffer.length; at += size) {
      const piece = buffer.subarray(at, at + size);
      yield [piece, rest];
      rest -= piece.length;
    }
  }
}

/** Resolves when the client has read the chunk or disconnected. */
function writePiece(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('close', done);
      resolve();
    };
    // Node does not report that a queued pipelined response was never written.
    response.on('close', done);
    response.write(piece, done);
  });
}
