import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Sends a request as it is written, for what no client library would send, and answers with all that comes back
 * until the connection is closed.
 */
export async function exchangeRaw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  return text(socket);
}

/** Reads the answer only after the whole request is written, as a slow proxy does. @throws where it cannot be written */
export async function writeThenRead(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).write(request, () => resolve());
  });
  return text(socket);
}

/** A GET of a target, byte for byte, with further header lines. */
export function getExactly(url: string, target: string, ...lines: string[]): Promise<string> {
  const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines];
  return exchangeRaw(url, `${head.join('\r\n')}\r\n\r\n`);
}
