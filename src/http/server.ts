import { randomUUID } from 'node:crypto';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { App } from '../app.ts';
import type { Logger } from '../logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { newNotes } from '../observability/notes.ts';
import { createObserver, type Observer } from '../observability/observer.ts';
import { holdsSecret } from '../observability/redact.ts';
import { within } from '../observability/tracing.ts';
import { answerClientErrors } from './client-errors.ts';
import { Deadlines } from './deadlines.ts';
import type { Request } from './reply.ts';
import { Refusal } from './respond.ts';
import { send } from './send.ts';

const LARGEST_BODY = 1024 * 1024;

/** A sane id of the client's own is kept, so that it can follow its request through our log. */
const REQUEST_ID = /^[\w.:/+=@-]{1,128}$/;

export interface ServerSettings {
  app: App;
  logger: Logger;
  /** Undefined where nobody can ask for them. */
  metrics?: Metrics | undefined;
  /** Milliseconds within which a request is answered, one way or another. */
  answerLimit: number;
}

/** The service's HTTP server: `node:http` in, the app's replies out. */
export function createServer({ app, logger, metrics, answerLimit }: ServerSettings): Server {
  const server = createHttpServer({
    // Slow clients: ten seconds for the headers, thirty for the whole request, five between two of them.
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    // Fifty paths of 2048 characters, the longest list that a filter takes, with room for their percent-encoding.
    maxHeaderSize: 256 * 1024,
    // What Node refuses by itself has no body: we need no Host, and read past an Expect that we do not know.
    requireHostHeader: false,
  });
  const observer = createObserver(logger, metrics);
  const deadlines = new Deadlines(answerLimit);
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) =>
    void answer(app, toRequest(incoming, response, deadlines), response, logger, observer);
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  answerClientErrors(server, observer.unreadable);
  return server;
}

async function answer(
  app: App,
  request: Request,
  response: ServerResponse,
  logger: Logger,
  observer: Observer,
): Promise<void> {
  observer.follow(request, response);
  const reply = await within(request.notes.trace, () => app(request));
  response.setHeader('X-Request-Id', request.id);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  await send(response, reply, request.notes, error =>
    logger.error({ err: error, requestId: request.id }, 'a stream was cut off'),
  );
}

function toRequest(incoming: IncomingMessage, response: ServerResponse, deadlines: Deadlines): Request {
  let begun = performance.now();
  const target = originForm(incoming.url ?? '/');
  const mark = target.indexOf('?');
  const own = incoming.headers['x-request-id'];
  return {
    method: incoming.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    headers: incoming.headers,
    id: typeof own === 'string' && REQUEST_ID.test(own) && !holdsSecret(own) ? own : randomUUID(),
    notes: newNotes(),
    async body() {
      const body = await readBody(incoming);
      begun = performance.now();
      return body;
    },
    inTime: work => deadlines.bound(begun, work),
    isGone: () => response.destroyed || incoming.socket.destroyed,
  };
}

/** A client may send the whole address (RFC 9112, section 3.2.2). */
function originForm(target: string): string {
  return target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '') || '/';
}

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > LARGEST_BODY) throw new Refusal('bodyTooLarge');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > LARGEST_BODY) throw new Refusal('bodyTooLarge');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
