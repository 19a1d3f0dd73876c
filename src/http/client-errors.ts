import { randomUUID } from 'node:crypto';
import { type Server, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorReply, Refusal, type RefusalName } from './respond.ts';

/** What Node says of a request that it could not read, and what we say of it. */
const REFUSALS: Readonly<Record<string, RefusalName>> = {
  HPE_HEADER_OVERFLOW: 'headersTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'timedOut',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'bodyTooLarge',
};

/** Requests that never become one are answered like all others: in JSON, and with the connection closed. */
export function answerClientErrors(
  server: Server,
  onRefusal: (status: number, reason: string | undefined) => void,
): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    const status = refuse(socket, REFUSALS[error.code ?? ''] ?? 'malformed');
    onRefusal(status, error.code);
  });
}

function refuse(socket: Duplex, refusal: RefusalName): number {
  const { status, headers, body } = errorReply(new Refusal(refusal));
  const lines = Object.entries({
    ...headers,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': randomUUID(),
    'Content-Length': String(Buffer.byteLength(String(body))),
    Connection: 'close',
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
  return status;
}
