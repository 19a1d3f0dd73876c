import type { ServerResponse } from 'node:http';
import type { Soon } from '@sightline/json/then-if-promise';
import type { Connection } from './connections.ts';
import type { Reply, Request } from './reply.ts';

/** Bytes that are written at once, or half as many more. A reader has some time for each piece (`slow-clients.ts`). */
export const PIECE = 64 * 1024;

export interface Sending {
  request: Pick<Request, 'id' | 'notes'>;
  connection: Pick<Connection, 'waiting'>;
  /** Gets the reason why a stream broke off, unless the client went away. */
  onCut(error: unknown): void;
}

/** Writes a reply: at once where it is short. */
export function send(response: ServerResponse, reply: Reply, sending: Sending): Soon<void> {
  const { status, headers, body, onSent } = reply;
  const { id, notes } = sending.request;
  const whole = wholeOf(body);
  if (whole) notes.bytes = sizeOf(whole);
  // All at once and in a row: a header that is set by itself costs as much as five that are written together.
  const all = ['X-Request-Id', id, 'X-Content-Type-Options', 'nosniff'];
  for (const name in headers) all.push(name, headers[name]!);
  // It is not cached unless a door says so.
  if (headers['Cache-Control'] === undefined) all.push('Cache-Control', 'no-store');
  if (whole && status !== 304) all.push('Content-Length', String(notes.bytes));
  response.writeHead(status, all);
  if (whole?.length === 1 && notes.bytes <= PIECE) return sendAtOnce(response, whole[0]!, onSent);
  return sendParts(response, whole, reply, sending);
}

/**
 * Writes the body before the end. Node's `end` writes an empty piece behind a body that it is given, and hands both over
 * as a list. That costs a short answer a tenth.
 */
function sendAtOnce(response: ServerResponse, body: string | Buffer, onSent?: () => void): void {
  const { socket } = response;
  // Node corks a socket for a turn, unless it is corked.
  socket?.cork();
  response.write(body);
  socket?.uncork();
  response.end(onSent);
}

/**
 * Writes a body no faster than it is taken. A stream that fails half-way is cut off, so that no reader takes it for
 * whole.
 */
async function sendParts(
  response: ServerResponse,
  whole: Parts | undefined,
  { body, onSent }: Reply,
  { request: { notes }, connection, onCut }: Sending,
): Promise<void> {
  try {
    for await (const some of whole ? [whole] : (body as AsyncIterable<string | Buffer>)) {
      for (const [piece, rest] of pieces(wholeOf(some)!)) {
        if (response.destroyed) return;
        if (!whole) notes.bytes += piece.length;
        connection.waiting += rest;
        await written(response, piece);
        connection.waiting -= rest;
      }
    }
    if (!response.destroyed) onSent?.();
    response.end();
  } catch (error) {
    if (!response.destroyed) onCut(error);
    response.destroy();
  }
}

type Parts = readonly (string | Buffer)[];

export function sizeOf(parts: Parts): number {
  return parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
}

/** The part of a body that is there at once: all of it, or nothing. */
export function wholeOf(body: Reply['body'] | Parts): Parts | undefined {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return [body];
  return Array.isArray(body) ? body : undefined;
}

/** Each with the length of all from it on. */
function* pieces(parts: Parts): Generator<[piece: Buffer, rest: number]> {
  let rest = sizeOf(parts);
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

/** Until the reader has taken it, or is gone. */
function written(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('close', done);
      resolve();
    };
    // For an answer that waits behind others, Node does not tell that it was never written.
    response.on('close', done);
    response.write(piece, done);
  });
}
