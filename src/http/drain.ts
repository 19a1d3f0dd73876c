import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LiveSet } from './live-set.ts';

export interface Drain {
  /** True from the moment on that the end was asked for: `/readyz` then answers 503. */
  readonly isDraining: boolean;
  /**
   * Ends the server without cutting an answer short. For the grace it goes on listening, so that proxies see
   * `/readyz` and turn away; then it takes no more connections and waits for the requests at work.
   * @param grace milliseconds for which it goes on listening
   * @param limit milliseconds after those after which what is still at work is cut
   */
  close(grace: number, limit: number): Promise<void>;
  /**
   * Ends the server where another process listens on the same port: it takes no more connections from now on, and stays
   * ready for those that it has. Each is told with its next answer to come back by another one. One that asks nothing
   * is closed when its client no longer uses it: after the `handOverTime`.
   * @param grace milliseconds for which it stays ready at least
   * @param limit milliseconds after those after which what is still at work is cut
   */
  handOver(grace: number, limit: number): Promise<void>;
}

/**
 * Milliseconds for which a connection is kept beyond what its client was told: what it asked in time is under way. Node
 * adds as many where nothing ends.
 */
const UNDER_WAY = 1000;

/** Milliseconds between two looks for connections that have become idle. */
const SWEEP_INTERVAL = 50;

/** Milliseconds for which a server that hands over stays ready: until no client uses an idle connection any more. */
export function handOverTime(server: Server, grace: number): number {
  return Math.max(grace, server.keepAliveTimeout + UNDER_WAY);
}

/** Call it before the server listens: it must see every request. */
export function createDrain(server: Server): Drain {
  const atWork = new LiveSet<ServerResponse>();
  let isDraining = false;
  let isEnding = false;

  server.prependListener('request', (_, response: ServerResponse) => {
    if (isEnding) return lastOnItsConnection(response);
    // It comes once, and a listener that takes itself away costs more.
    response.on('close', atWork.add(response));
  });

  /** @param leave closes the port, and answers once idle connections can be closed */
  const end = async (deadline: number, leave: () => Promise<void>) => {
    isEnding = true;
    for (const response of atWork) lastOnItsConnection(response);
    const cut = setTimeout(() => server.closeAllConnections(), deadline);
    if (server.listening) {
      const closed = once(server, 'close');
      await Promise.race([leave(), closed]);
      // A connection becomes idle when its last request is answered, and nothing else closes it then.
      const sweep = setInterval(() => setImmediate(closeIdle), SWEEP_INTERVAL);
      await closed;
      clearInterval(sweep);
    }
    clearTimeout(cut);
  };

  /** Not from a timer itself: what came while this process was not running is read after timers, and before this. */
  const closeIdle = () => server.closeIdleConnections();

  /** `server.close` of HTTP would close the idle connections with the port. */
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

/** Tells the client to open a new connection for its next request: to another instance, that is. */
function lastOnItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
