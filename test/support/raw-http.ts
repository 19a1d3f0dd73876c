import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/**
 * Sends raw bytes that no client library would send, and returns everything received until the connection is closed.
 */
export async function exchangeRaw(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write(request);
  return text(socket);
}

/**
 * Reads the response only after writing the whole request, like a slow proxy.
 * @throws if it cannot be written
 */
export async function writeThenRead(url: string, request: string): Promise<string> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).write(request, () => resolve());
  });
  return text(socket);
}

/** Sends a GET request with a raw target and additional header lines. */
export function getExactly(url: string, target: string, ...lines: string[]): Promise<string> {
  const head = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...lines];
  return exchangeRaw(url, `${head.join('\r\n')}\r\n\r\n`);
}
