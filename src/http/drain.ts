import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { cutOff } from './cut-off.ts';
import { LiveSet } from './live-set.ts';

export interface Drain {
  /** True once shutdown was requested: `/readyz` then answers 503. */
  readonly isDraining: boolean;
  /**
   * Stops the server without truncating responses. During the grace period it keeps listening, so that proxies notice
   * `/readyz`. Then it accepts no more connections and waits for the requests in progress.
   * @param grace milliseconds for which it keeps listening
   * @param limit further milliseconds after which the remaining requests are aborted
   */
  close(grace: number, limit: number): Promise<void>;
  /**
   * Stops the server while another process listens on the same port. It accepts no more connections and stays ready for
   * the open ones. The next response on each connection asks the client to reconnect. An idle connection is closed
   * after `handOverTime`, when its client no longer uses it.
   * @param grace minimum milliseconds for which it stays ready
   * @param limit further milliseconds after which the remaining requests are aborted
   */
  handOver(grace: number, limit: number): Promise<void>;
}

/**
 * Milliseconds for which a connection stays open after the advertised time, for requests in transit. Node adds the same
 * by default.
 */
const UNDER_WAY = 1000;

/** Milliseconds between two checks for idle connections. */
const SWEEP_INTERVAL = 50;

/**
 * Returns the milliseconds for which a server stays ready during a hand-over: until no client uses an idle connection.
 */
export function handOverTime(server: Server, grace: number): number {
  return Math.max(grace, server.keepAliveTimeout + UNDER_WAY);
}

/** Must be called before the server listens, to see every request. */
export function createDrain(server: Server): Drain {
  const atWork = new LiveSet<ServerResponse>();
  let isDraining = false;
  let isEnding = false;

  server.prependListener('request', (_, response: ServerResponse) => {
    if (isEnding) lastOnItsConnection(response);
    // Not `once`, because removing the listener is more expensive.
    response.on('close', atWork.add(response));
  });

  /** @param leave closes the port, and resolves once idle connections can be closed */
  const end = async (deadline: number, leave: () => Promise<void>) => {
    isEnding = true;
    for (const response of atWork) lastOnItsConnection(response);
    const cut = setTimeout(cutAll, deadline);
    if (server.listening) {
      const closed = once(server, 'close');
      await Promise.race([leave(), closed]);
      // A connection becomes idle when its last request is answered. Nothing else would close it.
      const sweep = setInterval(() => setImmediate(closeIdle), SWEEP_INTERVAL);
      await closed;
      clearInterval(sweep);
    }
    clearTimeout(cut);
  };

  const cutAll = () => {
    for (const response of atWork) if (response.socket) cutOff(response.socket, response);
    server.closeAllConnections();
  };

  /**
   * Not directly in a timer: input that arrived while the process was suspended is read after timers, but before this.
   */
  const closeIdle = () => server.closeIdleConnections();

  /** `server.close` of HTTP would also close the idle connections. */
  const stopListening = () => void TcpServer.prototype.close.call(server);

  return {
    get isDraining() {
      return isDraining;
    },
    close(grace, limit) {
      isDraining = true;
      return end(grace + limit, async () => {
        await sleep(grace);
        stopListening();
      });
    },
    handOver(grace, limit) {
      const ready = handOverTime(server, grace);
      return end(ready + limit, async () => {
        stopListening();
        await sleep(ready, undefined, { ref: false });
      });
    },
  };
}

/** Tells the client to open a new connection for its next request, which reaches another instance. */
function lastOnItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
