import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
import { Server as TcpServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Bag } from './bag.ts';

export interface Drain {
  /** True from the moment on that the end was asked for: `/readyz` then answers 503. */
  readonly isDraining: boolean;
  /**
   * Ends the server without cutting an answer short. For the grace it goes on listening, so that proxies see
   * `/readyz` and turn away; then it takes no more connections and waits for the requests at work.
   * @param grace milliseconds for which it goes on listening
   * @param deadline milliseconds from now on after which what is still at work is cut
   */
  close(grace: number, deadline: number): Promise<void>;
  /**
   * Ends the server where another process listens on the same port: it takes no more connections from now on, and stays
   * ready for those that it has. Each is told with its next answer to come back by another one.
   * @param grace milliseconds until connections without a request are closed
   * @param deadline milliseconds from now on after which what is still at work is cut
   */
  handOver(grace: number, deadline: number): Promise<void>;
}

/** Call it before the server listens: it must see every request. */
export function createDrain(server: Server): Drain {
  const atWork = new Bag<ServerResponse>();
  let isDraining = false;
  let isEnding = false;

  server.prependListener('request', (_, response: ServerResponse) => {
    if (isEnding) return lastOnItsConnection(response);
    response.once('close', atWork.add(response));
  });

  /** @param leave closes the port */
  const end = async (deadline: number, leave: () => Promise<void>) => {
    isEnding = true;
    for (const response of atWork) lastOnItsConnection(response);
    const cut = setTimeout(() => server.closeAllConnections(), deadline);
    if (server.listening) {
      const closed = once(server, 'close');
      await leave();
      // A connection becomes idle when its last request is answered, and nothing else closes it then.
      const sweep = setInterval(() => server.closeIdleConnections(), 50);
      await closed;
      clearInterval(sweep);
    }
    clearTimeout(cut);
  };

  return {
    get isDraining() {
      return isDraining;
    },
    close(grace, deadline) {
      isDraining = true;
      return end(deadline, async () => {
        await sleep(grace);
        server.close();
      });
    },
    handOver(grace, deadline) {
      return end(deadline, async () => {
        // That of HTTP would close the idle connections with the port.
        TcpServer.prototype.close.call(server);
        await sleep(grace);
      });
    },
  };
}

/** Tells the client to open a new connection for its next request: to another instance, that is. */
function lastOnItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
