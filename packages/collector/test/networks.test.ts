import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { expect, it } from 'vitest';
import { parseProxies } from '../../../src/collect/settings.ts';
import { boundConnections } from '../src/connections.ts';
import { Clients, toNetwork } from '../src/networks.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['::ffff:10.20.30.40', '10.20.30.40'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['1:2:3:4:5::6', '1:2:3:4'],
  ['1::4:5:6:7:8', '1:0:0:4'],
  ['::3:4:5:6:7:8', '0:0:3:4'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

it.each<[string | undefined, string | undefined, string, number]>([
  ['127.0.0.1', undefined, '127.0.0.1', 0],
  ['127.0.0.1', '203.0.113.1', '203.0.113.1', 0],
  ['127.0.0.1', '203.0.113.1, 198.51.100.2', '198.51.100.2', 0],
  ['127.0.0.1', '203.0.113.1, 10.0.0.7', '203.0.113.1', 0],
  ['127.0.0.1', 'unknown, 10.0.0.7', '10.0.0.7', 0],
  ['127.0.0.1', '203.0.113.1, unknown, 10.0.0.7', '10.0.0.7', 0],
  ['127.0.0.1', '2001:db8:1:2::9', '2001:db8:1:2', 0],
  ['127.0.0.1', '', '127.0.0.1', 0],
  ['198.51.100.9', undefined, '198.51.100.9', 0],
  ['198.51.100.9', '203.0.113.1', '198.51.100.9', 1],
  // The address of a connection that has ended is no longer known.
  [undefined, undefined, '', 0],
  [undefined, '203.0.113.1', '', 1],
])('a request from %s for %s is that of the client %s', (remoteAddress, forwarded, network, unlisted) => {
  const clients = new Clients(parseProxies('127.0.0.1,10.0.0.0/8'));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  expect(clients.network({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)).toBe(network);
  expect(clients.unlisted).toBe(unlisted);
});

/** A connection that is only counted. */
class FakeSocket extends EventEmitter {
  isOpen = true;
  remoteAddress: string;
  constructor(remoteAddress: string) {
    super();
    this.remoteAddress = remoteAddress;
  }
  destroy() {
    this.isOpen = false;
    this.emit('close');
  }
}

/** Returns a function that opens connections from an address to a server with limits. */
function listen() {
  const server = new EventEmitter();
  boundConnections(server as Server, new Clients(parseProxies('127.0.0.1')));
  return (address: string, count = 1) =>
    Array.from({ length: count }, () => {
      const socket = new FakeSocket(address);
      server.emit('connection', socket);
      return socket;
    });
}
const countOpen = (sockets: readonly FakeSocket[]) => sockets.filter(({ isOpen }) => isOpen).length;

it('a client has at most one hundred connections, counted for its whole network', () => {
  const connect = listen();
  const first = connect('2001:db8::1', 60);
  const second = connect('2001:db8::2', 41);
  expect([countOpen(first), second.map(({ isOpen }) => isOpen).lastIndexOf(true)]).toEqual([60, 39]);
  first[0]!.destroy();
  expect(countOpen(connect('2001:db8::3', 2))).toBe(1);
  expect(countOpen(connect('127.0.0.1', 101))).toBe(101);
});

it('of more than eight hundred connections the oldest is closed', () => {
  const connect = listen();
  const sockets = Array.from({ length: 8 }, (_, index) => connect(`192.0.2.${index}`, 100)).flat();
  expect(countOpen(sockets)).toBe(800);
  sockets[1]!.destroy();
  expect(countOpen([...connect('198.51.100.1'), ...sockets])).toBe(800);
  expect(countOpen(connect('198.51.100.1'))).toBe(1);
  expect(sockets.map(({ isOpen }) => isOpen).indexOf(true)).toBe(2);
  expect(countOpen(sockets)).toBe(798);
});
