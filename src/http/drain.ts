import { once } from 'node:events';
import type { Server, ServerResponse } from 'node:http';
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
}

/** Call it before the server listens: it must see every request. */
export function createDrain(server: Server): Drain {
  const atWork = new Bag<ServerResponse>();
  let isDraining = false;

  server.prependListener('request', (_, response: ServerResponse) => {
    if (isDraining) return lastOnItsConnection(response);
    response.once('close', atWork.add(response));
  });

  return {
    get isDraining() {
      return isDraining;
    },
    async close(grace, deadline) {
      isDraining = true;
      for (const response of atWork) lastOnItsConnection(response);
      const cut = setTimeout(() => server.closeAllConnections(), deadline);
      if (server.listening) {
        await sleep(grace);
        const closed = once(server, 'close');
        server.close();
        // A connection becomes idle when its last request is answered, and nobody else closes it then.
        const sweep = setInterval(() => server.closeIdleConnections(), 50);
        await closed;
        clearInterval(sweep);
      }
      clearTimeout(cut);
    },
  };
}

/** Tells the client to open a new connection for its next request: to another instance, that is. */
function lastOnItsConnection(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}
