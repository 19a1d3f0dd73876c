import {
  createServer as createHttpServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { thenIfPromise } from '@sightline/json/then-if-promise';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import { createObserver } from '../observability/observer.ts';
import { within } from '../observability/tracing.ts';
import { answerClientErrors } from './client-errors.ts';
import { Connections } from './connections.ts';
import { Deadlines } from './deadlines.ts';
import { refusalOf, toRequest } from './incoming.ts';
import type { App } from './reply.ts';
import { errorReply } from './respond.ts';
import { type Sending, send } from './send.ts';
import { cutSlowClients, LONGEST_HEADERS } from './slow-clients.ts';

export interface ServerSettings {
  app: App;
  logger: Logger;
  /** Undefined where no port serves them. */
  metrics?: Metrics | undefined;
  /** Milliseconds within which a request is answered, one way or another. */
  answerLimit: number;
}

/** The service's HTTP server: `node:http` in, the app's replies out. */
export function createServer({ app, logger, metrics, answerLimit }: ServerSettings): Server {
  const server = createHttpServer({
    // Slow clients: ten seconds for the headers, twenty for the whole request, five between two of them.
    headersTimeout: 10_000,
    requestTimeout: 20_000,
    keepAliveTimeout: 5_000,
    connectionsCheckingInterval: 1_000,
    // More than the longest target: that is refused by its own name.
    maxHeaderSize: LONGEST_HEADERS,
    // Node's own refusals have no body: we look at the Host, and read past an Expect that we do not know.
    requireHostHeader: false,
  });
  const connections = new Connections(server);
  const observer = createObserver(logger, metrics);
  const deadlines = new Deadlines(answerLimit);
  const onRequest = (incoming: IncomingMessage, response: ServerResponse) => {
    const request = toRequest(incoming, response, deadlines, connections);
    observer.follow(request, response);
    const refusal = refusalOf(incoming);
    const sending: Sending = {
      request,
      connection: connections.of(incoming),
      onCut: error => logger.error({ err: error, requestId: request.id }, 'a stream was cut off'),
    };
    const reply = refusal ? errorReply(refusal) : within(request.notes.trace, () => app(request));
    thenIfPromise(reply, reply => send(response, reply, sending));
  };
  server.on('request', onRequest);
  server.on('checkExpectation', onRequest);
  answerClientErrors(server, connections, app, observer.unreadable);
  cutSlowClients(server, connections);
  server.on('timeout', closeUnlessAsked);
  return server;
}

/**
 * Closes a connection that was idle for too long. Node would do so from its timer, before it reads what came while this
 * process was not running.
 */
function closeUnlessAsked(socket: Socket): void {
  const { bytesRead } = socket;
  setImmediate(() => socket.bytesRead === bytesRead && socket.destroy());
}
