import { type LookupFunction, Socket } from 'node:net';
import { afterAll, beforeAll } from 'vitest';

const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;

type Connect = (this: Socket, ...args: unknown[]) => Socket;

const connect = Socket.prototype.connect as Connect;

/**
 * Tests must not use the network. An external connection fails before its name is resolved, and its destination is
 * printed.
 */
function connectHere(this: Socket, ...args: unknown[]): Socket {
  const host = getHost(args);
  if (host === undefined || LOOPBACK.test(host)) return connect.apply(this, args);
  const error = new Error(`a test connects to ${host}`);
  process.stderr.write(`${error.stack}\n`);
  // As for a name that does not exist.
  const lookup: LookupFunction = (_host, _options, callback) => callback(error, '');
  return connect.call(this, { host: 'outside.invalid', port: 1, lookup });
}

/**
 * Returns the host in the arguments of a connection: port and host, a path, or options. Node itself passes them as a
 * list.
 */
function getHost(args: readonly unknown[]): string | undefined {
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  if (typeof first === 'object') return first.path ? undefined : first.host;
  return typeof second === 'string' ? second : undefined;
}

beforeAll(() => {
  Socket.prototype.connect = connectHere;
});
afterAll(() => {
  Socket.prototype.connect = connect;
});
