import type { ServerResponse } from 'node:http';
import type { Notes } from '../observability/notes.ts';
import type { Connection } from './connections.ts';
import type { Reply } from './reply.ts';

/** Bytes that are written at once. A reader has some time for each piece (`slow-clients.ts`). */
const PIECE = 64 * 1024;

export interface Sending {
  notes: Pick<Notes, 'bytes'>;
  connection: Pick<Connection, 'waiting'>;
  /** Gets the reason why a stream broke off, unless the client went away. */
  onCut(error: unknown): void;
}

/**
 * Writes a reply, no faster than it is taken. A stream that fails half-way is cut off, so that nobody takes it for
 * whole.
 */
export async function send(
  response: ServerResponse,
  reply: Reply,
  { notes, connection, onCut }: Sending,
): Promise<void> {
  const { status, headers, body } = reply;
  const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
  if (isWhole) notes.bytes = Buffer.byteLength(body);
  if (isWhole && status !== 304) headers['Content-Length'] = String(notes.bytes);
  // All at once: a header that is set by itself costs as much as five that are written together.
  response.writeHead(status, headers);
  if (isWhole && notes.bytes <= PIECE) return void response.end(body);
  try {
    for await (const chunk of isWhole ? [body] : body) {
      for (const [piece, rest] of pieces(chunk)) {
        if (response.destroyed) return;
        if (!isWhole) notes.bytes += piece.length;
        if (response.write(piece)) continue;
        connection.waiting += rest;
        await drained(response);
        connection.waiting -= rest;
      }
    }
    response.end();
  } catch (error) {
    if (!response.destroyed) onCut(error);
    response.destroy();
  }
}

/** Each with the length of all from it on. */
function* pieces(chunk: string | Buffer): Generator<[piece: Buffer, rest: number]> {
  const whole = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  for (let at = 0; at < whole.length; at += PIECE) yield [whole.subarray(at, at + PIECE), whole.length - at];
}

/** Until the reader has taken what was written, or is gone. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise(resolve => {
    const done = () => {
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.on('drain', done).on('close', done);
  });
}
