import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection, and the request that came last on it. */
export interface Connection {
  readonly socket: Socket;
  incoming?: IncomingMessage;
  response?: ServerResponse;
  /** Bytes that were read from it until a request was last at work. */
  read: number;
  /** Bytes that are there for its reader, who has not taken them yet. */
  waiting: number;
  /** The account whose answer was last let in to wait (`room.ts`). */
  account?: string;
}

/** The open connections of a server. Call it before the server listens. */
export class Connections implements Iterable<Connection> {
  /** Told when a long answer begins to wait for its reader. */
  onWaiting: () => void = () => {};
  #open = new Map<Duplex, Connection>();

  constructor(server: Server) {
    server.on('connection', socket => {
      this.#open.set(socket, opened(socket));
      socket.once('close', () => this.#open.delete(socket));
    });
    const follow = (incoming: IncomingMessage, response: ServerResponse) => {
      const connection = this.#open.get(incoming.socket);
      if (connection) Object.assign(connection, { incoming, response, read: incoming.socket.bytesRead });
      if (!response.socket) incoming.on('close', () => closeUnsent(incoming, response));
    };
    server.on('request', follow);
    server.on('checkExpectation', follow);
  }

  get count(): number {
    return this.#open.size;
  }

  get(socket: Duplex): Connection | undefined {
    return this.#open.get(socket);
  }

  /** The one that a request came by, also when it is closed by now. */
  of({ socket }: IncomingMessage): Connection {
    return this.#open.get(socket) ?? opened(socket);
  }

  [Symbol.iterator](): Iterator<Connection> {
    return this.#open.values();
  }
}

function opened(socket: Socket): Connection {
  return { socket, read: 0, waiting: 0 };
}

/** An answer that waits for those before it has no socket, and Node forgets it when the connection closes. */
function closeUnsent({ socket }: IncomingMessage, response: ServerResponse): void {
  if (!socket.destroyed || response.socket || response.closed) return;
  response.destroy();
  response.emit('close');
}

/** Tells whether nothing is at work: no request came yet, or the last one was read and answered. */
export function isBetweenRequests({ incoming, response }: Connection): boolean {
  return !incoming || (incoming.complete && response!.writableFinished);
}
