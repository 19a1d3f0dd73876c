import { randomUUID } from 'node:crypto';
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Connections, isBetweenRequests } from './connections.ts';
import type { App, Reply } from './reply.ts';
import { errorReply, Refusal, type RefusalName } from './respond.ts';
import { type ParseError, requestWithUnknownMethod } from './unknown-methods.ts';

/** Node's code for a request that it could not read, and our answer. */
const REFUSALS: Readonly<Record<string, RefusalName>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'timedOut',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'bodyTooLarge',
};

/** Milliseconds for which a client may read a refusal, and go on sending, before its connection is cut. */
const LINGER = 2000;

/**
 * Requests that never become one are answered like all others: in JSON, and with the connection closed. A refusal
 * waits for the answers that its client asked for before, and is left out where it would be taken for a part of one.
 */
export function answerClientErrors(
  server: Server,
  connections: Connections,
  app: App,
  onRefusal: (status: number, reason: string | undefined) => void,
): void {
  const refused = new WeakSet<Duplex>();

  server.on('connect', ({ socket }: IncomingMessage) => {
    onRefusal(close(socket, errorReply(new Refusal('methodNotAllowed', { Allow: 'GET' }))), 'CONNECT');
  });
  server.on('clientError', (error: ParseError, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    // The bytes that follow on such a connection cannot be read either.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = async () => {
      const request = requestWithUnknownMethod(error);
      const reply = request ? await app(request) : refusalOf(error);
      if (socket.writable) onRefusal(close(socket, reply), error.code);
    };
    const connection = connections.get(socket);
    if (!connection || isBetweenRequests(connection)) return void answer();
    const { incoming, response } = connection;
    // The next request cannot be read: this one's answer goes first.
    if (incoming!.complete) response!.once('finish', answer);
    // This one's body cannot be read.
    else if (response!.socket && !response!.headersSent) void answer();
    else socket.destroy();
  });
}

function refusalOf({ code = '' }: ParseError): Reply {
  return errorReply(new Refusal(REFUSALS[code] ?? 'malformed'));
}

/** Writes a last reply. Answers with its status. */
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
