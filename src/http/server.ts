import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { mapMaybePromise } from '../executor/maybe-promise.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createObserver } from '../observability/observer.ts';
import { runWithin } from '../observability/tracing.ts';
import { answerClientErrors } from './client-errors.ts';
import { HttpConnections } from './connections.ts';
import { Deadlines } from './deadlines.ts';
import { toRefusal, toRequest } from './incoming.ts';
import type { App } from './reply.ts';
import { errorReply } from './respond.ts';
import { type SendContext, send } from './send.ts';
import { cutSlowClients, LONGEST_HEADERS } from './slow-clients.ts';

export interface ServerSettings {
  app: App;
  logger: Logger;
  /** Undefined without a metrics port. */
  metrics?: Metrics | undefined;
  /** Time limit for answering a request, in milliseconds. */
  answerLimit: number;
  /** Idle timeout of connections in milliseconds: `KEEP_ALIVE_TIMEOUT`. */
  keepAlive?: number;
}

/**
 * The idle time in milliseconds that `Keep-Alive` advertises. Clients that read it do not reuse a connection
 * afterwards, so a hand-over need not wait for them. Connection pools of proxies do not read it and get more time.
 */
const NAMED_KEEP_ALIVE = 5000;

/** Longer than the 60 s for which proxies usually pool connections. */
const USUAL_KEEP_ALIVE = 75_000;

/** The service's HTTP server: `node:http` in, the app's replies out. */
export function createServer({
  app,
  logger,
  metrics,
  answerLimit,
  keepAlive = USUAL_KEEP_ALIVE,
}: ServerSettings): Server {
  const server = createHttpServer({
    // Limits for slow clients: ten seconds for the headers, twenty for the request from its first byte on.
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    keepAliveTimeout: Math.min(NAMED_KEEP_ALIVE, keepAlive),
    connectionsCheckingInterval: 1_000,
    // Larger than the longest target, which gets its own refusal.
    maxHeaderSize: LONGEST_HEADERS,
    // Node's refusals have no body. Our own checks cover the Host header, and an unknown Expect is ignored.
    requireHostHeader: false,
  });
  const connections = new HttpConnections(server);
  const observer = createObserver(logger, metrics);
  const deadlines = new Deadlines(answerLimit);
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    const request = toRequest(incoming, response, deadlines, connections);
    observer.follow(request, response);
    const refusal = toRefusal(incoming);
    const sending: SendContext = {
      request,
      connection: connections.of(incoming),
      onCut: error => logger.error({ err: error, requestId: request.id }, 'a stream was cut off'),
    };
    const reply = refusal ? errorReply(refusal) : runWithin(request.notes.trace, () => app(request));
    mapMaybePromise(reply, reply => send(response, reply, sending));
  };
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  answerClientErrors(server, connections, app, observer.onUnreadable);
  cutSlowClients(server, connections);
  closeIdleConnections(server, keepAlive);
  return server;
}

/**
 * Closes idle connections. Node would do so from a timer after its `keepAliveTimeout`, before it reads input that
 * arrived while the process was suspended.
 */
function closeIdleConnections(server: Server, keepAlive: number): void {
  const extended = new WeakMap<Socket, number>();
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    const rest = keepAlive - server.keepAliveTimeout;
    if (rest > 0 && extended.get(socket) !== bytesRead) {
      extended.set(socket, bytesRead);
      socket.setTimeout(rest);
    } else setImmediate(() => socket.bytesRead === bytesRead && socket.destroy());
  });
}
