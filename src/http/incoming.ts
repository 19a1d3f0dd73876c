import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Notes } from '../observability/notes.ts';
import { holdsSecret } from '../observability/redact.ts';
import type { Connections } from './connections.ts';
import type { Deadlines } from './deadlines.ts';
import type { Request } from './reply.ts';
import { Refusal } from './respond.ts';
import { letWait } from './room.ts';

const LARGEST_BODY = 1024 * 1024;

/** Fifty paths of 2048 characters, the longest list that a filter takes, with room for what else is asked. */
const LONGEST_TARGET = 128 * 1024;

/** A sane id of the client's own is kept, so that it can follow its request through our log. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

/** RFC 3986, section 3.2.2; it may be empty (RFC 9110, section 7.2). */
const HOST = /^(?:\[[\da-f:.]+\]|[\w.~%!$&'()*+,;=-]*)(?::\d*)?$/i;

export function toRequest(
  incoming: IncomingMessage,
  response: ServerResponse,
  deadlines: Deadlines,
  connections: Connections,
): Request {
  let begun = performance.now();
  let body: Promise<Buffer> | undefined;
  const notes = newNotes();
  const own = incoming.headers['x-request-id'];
  return {
    method: incoming.method ?? 'GET',
    ...splitTarget(incoming.url ?? '/'),
    headers: headersOf(incoming),
    id: typeof own === 'string' && REQUEST_ID.test(own) && !holdsSecret(own) ? own : randomUUID(),
    notes,
    // Read once: a request that is asked of another server has it still.
    body() {
      body ??= readBody(incoming).finally(() => {
        begun = performance.now();
      });
      return body;
    },
    inTime: work => deadlines.bound(begun, work),
    isGone: () => response.destroyed || incoming.socket.destroyed,
    letWait: reply => letWait(reply, connections.of(incoming), notes.account, connections),
  };
}

/** The state of a request that no door has looked at yet. */
export function newNotes(): Notes {
  return { route: '(none)', statements: 0, bytes: 0 };
}

/** Requests that Node reads, but a server refuses (RFC 9112, section 3): no door needs to look at it. */
export function refusalOf(incoming: IncomingMessage): Refusal | undefined {
  if (incoming.url!.length > LONGEST_TARGET) return new Refusal('targetTooLong');
  return hasSoundHost(incoming) ? undefined : new Refusal('malformed', { Connection: 'close' });
}

/** One host, and a sound one: what stands between a client and us may have gone by another of several. */
function hasSoundHost({ rawHeaders, httpVersion }: IncomingMessage): boolean {
  const [host, another] = valuesOf('host', rawHeaders);
  if (host === undefined) return httpVersion === '1.0';
  return another === undefined && HOST.test(host);
}

/** Node keeps the first of several keys, and what stands between a client and us may have taken another one. */
function headersOf({ headers, rawHeaders }: IncomingMessage): Request['headers'] {
  const keys = valuesOf('authorization', rawHeaders);
  return keys.length > 1 ? Object.assign({}, headers, { authorization: keys }) : headers;
}

function valuesOf(name: string, rawHeaders: readonly string[]): string[] {
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

/** A client may send the whole address (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

/**
 * The rest of a body that is too large is read and dropped, so that its client comes to read the answer.
 */
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
    // Its client went away, or sent what cannot be read: no client is there for an answer.
    incoming.once('error', () => reject(new Refusal('malformed')));
  });
}
