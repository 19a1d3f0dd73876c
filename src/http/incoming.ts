import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Notes } from '../observability/notes.ts';
import { holdsSecret } from '../observability/redact.ts';
import type { HttpConnections } from './connections.ts';
import type { Deadlines } from './deadlines.ts';
import { decompress } from './decompress.ts';
import type { Request } from './reply.ts';
import { Refusal } from './respond.ts';
import { letWait } from './room.ts';

const LARGEST_BODY = 1024 * 1024;

/** Large enough for the longest list in a filter (fifty paths of 2048 characters) and other parameters. */
const LONGEST_TARGET = 128 * 1024;

/** A valid request id from the client is used, so that the client can find its request in our log. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** RFC 3986, section 3.2.2; it can be empty (RFC 9110, section 7.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

export function toRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  deadlines: Deadlines,
  connections: HttpConnections,
): Request {
  let begun = performance.now();
  let body: Promise<Buffer> | undefined;
  const notes = newNotes();
  const own = incoming.headers['x-request-id'];
  return {
    method: incoming.method ?? 'GET',
    ...splitTarget(incoming.url ?? '/'),
    headers: toHeaders(incoming),
    rawHeaders: incoming.rawHeaders,
    peer: incoming.socket.remoteAddress ?? '',
    id: typeof own === 'string' && REQUEST_ID.test(own) && !holdsSecret(own) ? own : randomUUID(),
    notes,
    // Read only once, because a request can be retried on another server.
    body() {
      const { 'content-encoding': coding } = incoming.headers;
      body ??= readBody(incoming)
        .then(sent => decompress(sent, coding, LARGEST_BODY))
        .finally(() => {
          begun = performance.now();
        });
      return body;
    },
    inTime: work => deadlines.bound(begun, work),
    isGone: () => response.destroyed || incoming.socket.destroyed,
    letWait: reply => letWait(reply, connections.of(incoming), notes.account, connections),
  };
}

/** The state of a request before the pipeline. */
export function newNotes(): Notes {
  return { route: '(none)', statements: 0, bytes: 0 };
}

/** Returns the refusal of a request that Node accepts but a server must refuse (RFC 9112, section 3). */
export function toRefusal(incoming: IncomingMessage): Refusal | undefined {
  if (incoming.url!.length > LONGEST_TARGET) return new Refusal('targetTooLong');
  return hasSoundHost(incoming) ? undefined : new Refusal('malformed', { Connection: 'close' });
}

/** Requires exactly one valid host: with several, a proxy may have used another one. */
function hasSoundHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const [host, another] = listValues('host', rawHeaders);
  if (host === undefined) return httpVersion === '1.0';
  return another === undefined && HOST.test(host);
}

/** Node uses the first of several keys, while a proxy may have used another one. */
function toHeaders({ headers, rawHeaders }: IncomingMessage): Request['headers'] {
  const keys = listValues('authorization', rawHeaders);
  return keys.length > 1 ? Object.assign({}, headers, { authorization: keys }) : headers;
}

function listValues(name: string, rawHeaders: readonly string[]): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const other = rawHeaders[at]!;
    if (other.length === name.length && other.toLowerCase() === name) values.push(rawHeaders[at + 1]!);
  }
  return values;
}

export function splitTarget(text: string): Pick<Request, 'path' | 'query'> {
  const target = originForm(text);
  const mark = target.indexOf('?');
  return mark < 0
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) };
}

/** A client can send an absolute URL (RFC 9112, section 3.2.2), whose empty path means `/`. */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}

/** The rest of an oversized body is read and discarded, so that its client reads the response. */
function readBody(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const refuse = () => {
      chunks = [];
      reject(new Refusal('bodyTooLarge'));
    };
    let chunks: Buffer[] = [];
    let size = 0;
    if (Number(incoming.headers['content-length'] ?? 0) > LARGEST_BODY) return refuse();
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > LARGEST_BODY) refuse();
      else chunks.push(chunk);
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks)));
    // The client disconnected or sent something unreadable, so nobody waits for a response.
    incoming.once('error', () => reject(new Refusal('malformed')));
  });
}
