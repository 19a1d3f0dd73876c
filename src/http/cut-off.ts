import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Aborts a connection in the middle of a response, so that nobody mistakes the part for the complete response. In
 * HTTP/1.1, the length or the missing last chunk shows this. An HTTP/1.0 client would take a normal close for the end
 * of the response, so it gets a reset, which also discards what it has not read.
 */
export function cutOff(socket: Socket, response: ServerResponse | undefined): void {
  const isUnderWay = response && !response.writableFinished;
  if (isUnderWay && response.req.httpVersion !== '1.1') socket.resetAndDestroy();
  else socket.destroy();
}
