import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type HttpConnections, isBetweenRequests } from './connections.ts';
import { cutOff } from './cut-off.ts';
import type { App, Reply } from './reply.ts';
import { errorReply, Refusal, type RefusalName } from './respond.ts';
import { type ParseError, requestWithUnknownMethod } from './unknown-methods.ts';

/** The response for each of Node's error codes for unreadable requests. */
const REFUSALS: Readonly<Record<string, RefusalName>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'timedOut',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'bodyTooLarge',
};

/** Milliseconds for which a client can read a refusal and continue to send before its connection is closed. */
const LINGER = 2000;

/**
 * Responds to unreadable requests in JSON like to all others, and closes the connection. The refusal waits for the
 * pending responses of the connection, and is left out if it could be mistaken for a part of one.
 */
export function answerClientErrors(
  server: Server,
  connections: HttpConnections,
  app: App,
  onRefusal: (status: number, reason: string | undefined) => void,
): void {
  const refused = new WeakSet<Duplex>();

  const refuse = (socket: Duplex, reply: Reply, reason: string | undefined) => {
    if (socket.writable) onRefusal(close(socket, reply), reason);
  };
  /** Calls back once a refusal is next on the connection, or cuts it off. */
  const whenNext = (socket: Duplex, answer: () => void) => {
    const connection = connections.get(socket);
    if (!connection || isBetweenRequests(connection)) return answer();
    const { incoming, response } = connection;
    // The response to the previous request is sent first.
    if (incoming!.complete) response!.once('finish', answer);
    // The body of the request cannot be read.
    else if (response!.socket && !response!.headersSent) answer();
    else cutOff(connection.socket, response);
  };

  server.on('connect', ({ socket }: IncomingMessage) => {
    // Node no longer handles the errors of this connection. Without a listener, a reset would end the process.
    socket.on('error', () => {});
    const reply = errorReply(new Refusal('methodNotAllowed', { Allow: 'GET' }));
    whenNext(socket, () => refuse(socket, reply, 'CONNECT'));
  });
  server.on('clientError', (error: ParseError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // The rest of the input on this connection cannot be read either.
    if (refused.has(socket)) return;
    refused.add(socket);
    whenNext(socket, async () => {
      const request = requestWithUnknownMethod(error);
      refuse(socket, request ? await app(request) : toRefusal(error), error.code);
    });
  });
}

function toRefusal({ code = '' }: ParseError): Reply {
  return errorReply(new Refusal(REFUSALS[code] ?? 'malformed'));
}

/** Writes a last reply and returns its status. */
function close(socket: Duplex, { status, headers, body }: Reply): number {
  const lines = Object.entries({
    ...headers,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    'Content-Length': String(Buffer.byteLength(String(body))),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  const cut = setTimeout(() => socket.destroy(), LINGER);
  socket.once('close', () => clearTimeout(cut));
  return status;
}
