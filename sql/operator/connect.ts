import { Socket } from 'node:net';
import { type DialOptions, dial, Hosts, type Session } from '@sightline/postgres';
import postgres, { type Sql } from 'postgres';

/** Milliseconds that a host may take, where the address does not say. */
const CONNECT_TIMEOUT = 10_000;

const DIAL: DialOptions = {
  parameters: { application_name: 'sightline-operator', TimeZone: 'UTC' },
  connectTimeout: CONNECT_TIMEOUT,
  sharesMemory: false,
};

/**
 * A connection for the operator's commands (migrate, load, keys, prune): it may write and use transactions, and it
 * is never part of the service. End it with `sql.end({ timeout: 5 })`, which also closes its socket. The driver
 * alone leaves that to the server, which may still be busy. A session that begins after the end would stay open.
 * @throws {AddressError}
 */
export function connectOperator(url: string): Sql {
  const hosts = new Hosts(url);
  const sockets: Socket[] = [];
  const ended = new AbortController();
  const begun = (session: Session) => {
    const socket = sessionSocket(session);
    if (ended.signal.aborted) return socket.destroy();
    sockets.push(socket);
    losses.set(sql, new Promise(resolve => socket.once('close', () => resolve())));
    return socket;
  };
  const sql = postgres({
    // Where the server is, and how it is spoken to, is for `dial`: the driver is told of a session that is there.
    host: 'localhost',
    user: hosts.address.user,
    database: hosts.address.database,
    pass: '',
    ssl: false,
    max: 1,
    // A pooler may not keep named statements, and an operator's command sends few twice.
    prepare: false,
    fetch_types: false,
    connect_timeout: 0,
    onnotice: () => {},
    ...{ socket: () => dial(hosts, { ...DIAL, signal: ended.signal }).then(begun, failedSocket) },
  });
  const end = sql.end;
  return Object.assign(sql, {
    async end(options?: { timeout?: number }) {
      await end(options);
      ended.abort();
      for (const socket of sockets) socket.destroySoon();
    },
  });
}

const losses = new WeakMap<Sql, Promise<void>>();

/** When the connection that there is now is lost: the driver may leave a statement unanswered then. */
export function lossOf(sql: Sql): Promise<void> {
  return losses.get(sql) ?? new Promise(() => {});
}

/**
 * The socket of a session as a driver expects one that has just been connected. It does not send the driver's
 * start-up message, and answers it with the server's earlier greeting.
 */
function sessionSocket({ transport, messages, greeting }: Session): Socket {
  const socket = transport.release();
  const write = socket.write;
  socket.write = ((bytes: Buffer, ...rest: []) => {
    socket.write = write;
    const length = bytes.readInt32BE(0);
    return bytes.length === length || socket.write(bytes.subarray(length), ...rest);
  }) as typeof write;
  socket.unshift(Buffer.concat([AUTHENTICATED, ...greeting, messages.rest]));
  // Once the driver listens.
  setImmediate(() => socket.resume());
  return socket;
}

/** AuthenticationOk (PostgreSQL manual, 53.7). */
const AUTHENTICATED = Buffer.from('R\0\0\0\x08\0\0\0\0', 'latin1');

/** The driver hears of a failure from a socket, and goes on from there. */
function failedSocket(error: Error): Socket {
  const socket = new Socket();
  setImmediate(() => socket.destroy(error));
  return socket;
}
