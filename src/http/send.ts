import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Notes } from '../observability/notes.ts';
import type { Reply } from './reply.ts';

/** Milliseconds for which a reader may take nothing of what waits for it. */
const PATIENCE = 30_000;

/**
 * Writes a reply. A stream is read no faster than it is taken; one that fails half-way is cut off, so that nobody
 * takes it for whole. `onCut` gets the reason, unless the client went away.
 */
export async function send(
  response: ServerResponse,
  reply: Reply,
  notes: Pick<Notes, 'bytes'>,
  onCut: (error: unknown) => void,
): Promise<void> {
  const { status, headers, body } = reply;
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    notes.bytes = Buffer.byteLength(body);
    const length = status === 304 ? {} : { 'Content-Length': notes.bytes };
    response.writeHead(status, { ...headers, ...length });
    response.end(body);
    return;
  }
  response.writeHead(status, headers);
  try {
    for await (const chunk of body) {
      if (response.destroyed) return;
      notes.bytes += Buffer.byteLength(chunk);
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch (error) {
    if (!response.destroyed) onCut(error);
    response.destroy();
  }
}

async function drained(response: ServerResponse): Promise<void> {
  const tooSlow = AbortSignal.timeout(PATIENCE);
  const gone = new AbortController();
  const close = () => gone.abort();
  response.once('close', close);
  try {
    await once(response, 'drain', { signal: AbortSignal.any([tooSlow, gone.signal]) });
  } finally {
    response.off('close', close);
  }
}
