import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { parseProxies } from '../../../src/collect/settings.ts';
import { Clients, toNetwork } from '../src/networks.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8:1::', '2001:db8:1:0'],
  ['1:2:3:4:5::6', '1:2:3:4'],
  ['::1', '0:0:0:0'],
])('the network of %s is %s', (address, network) => {
  expect(toNetwork(address)).toBe(network);
});

it.each<[string, string | undefined, string, number]>([
  ['127.0.0.1', undefined, '127.0.0.1', 0],
  ['127.0.0.1', '203.0.113.1', '203.0.113.1', 0],
  ['127.0.0.1', '203.0.113.1, 198.51.100.2', '198.51.100.2', 0],
  ['127.0.0.1', '203.0.113.1, 10.0.0.7', '203.0.113.1', 0],
  ['127.0.0.1', 'unknown, 10.0.0.7', '10.0.0.7', 0],
  ['127.0.0.1', '2001:db8:1:2::9', '2001:db8:1:2', 0],
  ['127.0.0.1', '', '127.0.0.1', 0],
  ['198.51.100.9', undefined, '198.51.100.9', 0],
  ['198.51.100.9', '203.0.113.1', '198.51.100.9', 1],
])('a request from %s for %s is that of the client %s', (remoteAddress, forwarded, network, unlisted) => {
  const clients = new Clients(parseProxies('127.0.0.1,10.0.0.0/8'));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  expect(clients.network({ socket: { remoteAddress }, headers } as unknown as IncomingMessage)).toBe(network);
  expect(clients.unlisted).toBe(unlisted);
});
