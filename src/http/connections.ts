import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A connection, and the latest request on it. */
export interface HttpConnection {
  readonly socket: Socket;
  incoming?: IncomingMessage;
  response?: ServerResponse;
  /** The number of bytes read when its last request was being answered. */
  read: number;
  /** The number of bytes that its client has not read yet. */
  waiting: number;
  /** The account whose response last started to wait (`room.ts`). */
  account?: string;
}

/** The open connections of a server. Call it before the server listens. */
export class HttpConnections implements Iterable<HttpConnection> {
  /** Called when a long response begins to wait for its reader. */
  onWaiting: () => void = () => {};
  #open = new Map<Duplex, HttpConnection>();

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

  get(socket: Duplex): HttpConnection | undefined {
    return this.#open.get(socket);
  }

  /** Returns the connection of a request, even if it is closed. */
  of({ socket }: IncomingMessage): HttpConnection {
    return this.#open.get(socket) ?? opened(socket);
  }

  [Symbol.iterator](): Iterator<HttpConnection> {
    return this.#open.values();
  }
}

function opened(socket: Socket): HttpConnection {
  return { socket, read: 0, waiting: 0 };
}

/** Node does not close a pipelined response without a socket when the connection closes. */
function closeUnsent({ socket }: IncomingMessage, response: ServerResponse): void {
  if (!socket.destroyed || response.socket || response.closed) return;
  response.destroy();
  response.emit('close');
}

/** Checks whether the connection is idle: no request has arrived yet, or the last one was read and answered. */
export function isBetweenRequests({ incoming, response }: HttpConnection): boolean {
  return !incoming || (incoming.complete && response!.writableFinished);
}
