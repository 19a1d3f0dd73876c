import { BlockList, isIPv4, SocketAddress } from 'node:net';
import { expect, it } from 'vitest';
import { Random } from '../../demo/src/random.ts';
import { SenderNames } from '../src/enrich/sender-names.ts';

const listNames = (...lines: string[]) =>
  new SenderNames(`base_reverse_dns,name,type\n${lines.join('\n')}\n`);

it('an address gets the name of the longest matching network', () => {
  const names = listNames(
    '0.0.0.0/0,Any IPv4,Host',
    '192.0.2.0/24,Ours,Host',
    '192.0.2.7/32,One,Host',
    '192.0.2.77/26,Quarter,Host',
    '2001:db8::/32,Documents,Host',
    '2001:DB8:0:1::/64,Part,Host',
    '2001:db8:0:1::1/128,Single,Host',
  );
  const named = {
    '198.51.100.1': 'Any IPv4',
    '192.0.2.200': 'Ours',
    '192.0.2.7': 'One',
    '192.0.2.127': 'Quarter',
    '2001:db8:ffff::1': 'Documents',
    '2001:db8:0:1::2': 'Part',
    '2001:0db8:0000:0001:0000:0000:0000:0001': 'Single',
    '2001:db8:0:1::0.0.0.1': 'Single',
    '2001:db8:0:1::1%eth0': 'Single',
    '2001:db9::1': undefined,
  };
  const found = Object.keys(named).map(address => [address, names.ofAddress(address)]);
  expect(Object.fromEntries(found)).toEqual(named);
});

it('an IPv4 address and its mapped IPv6 address get the same name', () => {
  const names = listNames('192.0.2.0/24,Ours,Host', '::ffff:0:0/96,Mapped,Host', '::/0,Any,Host');
  expect(['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201'].map(one => names.ofAddress(one))).toEqual(
    Array.from({ length: 3 }, () => 'Ours'),
  );
  expect(['203.0.113.1', '2001:db8::1'].map(one => names.ofAddress(one))).toEqual(['Mapped', 'Any']);
  expect(listNames('::ffff:192.0.2.1/128,One,Host').ofAddress('192.0.2.1')).toBe('One');
});

it('a host gets the name of the longest domain that contains it', () => {
  const names = listNames('Acme.example,Ours,Host', 'mail.acme.example,Mail,Host');
  const named = {
    'acme.example': 'Ours',
    'www.ACME.example.': 'Ours',
    'a.mail.acme.example': 'Mail',
    'notacme.example': undefined,
  };
  const found = Object.keys(named).map(host => [host, names.ofHost(host)]);
  expect(Object.fromEntries(found)).toEqual(named);
});

it('the first of two lines for the same network is used', () => {
  expect(listNames('192.0.2.0/24,First,Host', '192.0.2.1/24,Second,Host').ofAddress('192.0.2.9')).toBe(
    'First',
  );
});

it.each(['192.0.2.0/33', '192.0.2.0/', '192.0.2.0/-1', '2001:db8::/129', '192.0.2.0/1e1'])(
  'the invalid network %s is rejected',
  network => expect(() => listNames(`${network},Ours,Host`)).toThrow(`${network} is no network`),
);

it('the lookup finds the same name as a linear search', () => {
  const numbers = new Random(7, 'networks');
  const random = (below: number) => numbers.integer(0, below - 1);
  const address = () =>
    random(2) === 0
      ? [192, random(2), random(4), random(256)].join('.')
      : `2001:db8:${random(2).toString(16)}:${random(4).toString(16)}::${random(65536).toString(16)}`;
  const networks = new Map(
    Array.from({ length: 2000 }, () => {
      const base = address();
      const length = random((isIPv4(base) ? 32 : 128) + 1);
      return [`${base}/${length}`, length] as const;
    }),
  );
  const lists = [...networks].map(([network, length]) => {
    const [base = ''] = network.split('/');
    const list = new BlockList();
    list.addSubnet(base, length, isIPv4(base) ? 'ipv4' : 'ipv6');
    return { network, bits: isIPv4(base) ? 96 + length : length, list };
  });
  // A later line for the same network has lower priority.
  lists.sort((one, other) => other.bits - one.bits);
  const names = listNames(...[...networks.keys()].map(network => `${network},${network},Host`));
  const addresses = Array.from({ length: 500 }, address);
  const expected = addresses.map(address => {
    // Parsed once, since a list that is given a string parses it again.
    const one = new SocketAddress({ address, family: isIPv4(address) ? 'ipv4' : 'ipv6' });
    return lists.find(({ list }) => list.check(one))?.network;
  });
  expect(addresses.map(one => names.ofAddress(one))).toEqual(expected);
  expect(new Set(expected).size).toBeGreaterThan(50);
});

it.each([
  ['base_reverse_dns,type', 'sender.example,Sender'],
  ['domain,name', 'sender.example,Sender'],
])('a file with the columns %s is rejected', (columns, line) => {
  expect(() => new SenderNames(`${columns}\n${line}\n`)).toThrow(
    new Error('has no columns base_reverse_dns and name'),
  );
});

it.each([
  ['name,base_reverse_dns\nSender,sender.example\n'],
  ['\u{feff}base_reverse_dns,name\nsender.example,Sender'],
  [' base_reverse_dns , name \r\n sender.example , Sender \r\n'],
  ['base_reverse_dns,name\n,Nobody\nsender.example,\nsender.example,Sender\n'],
  ['base_reverse_dns,name\nsender.example,"Sen\u0007der"\n'],
])('a file can contain other forms of its columns and values: %j', csv => {
  const names = new SenderNames(csv);
  expect([names.ofHost('mail.sender.example'), names.ofHost('')]).toEqual(['Sender', undefined]);
});

it('a file can begin with a byte order mark, and have spaces around its cells', () => {
  const names = new SenderNames('\u{feff}base_reverse_dns , name\r\n a.example , Sender \r\n');
  expect([names.ofHost('mail.a.example'), names.ofHost('b.example')]).toEqual(['Sender', undefined]);
});

it('a file without lines names nothing', () => {
  const names = new SenderNames('base_reverse_dns,name\n');
  expect([names.ofHost('a.example'), names.ofAddress('192.0.2.1')]).toEqual([undefined, undefined]);
});

it('a network ends at the last of its addresses, including the last one of all', () => {
  const names = listNames('255.255.255.0/24,Last,Host', 'ffff::/16,End,Host', '192.0.2.1,Host,Host');
  const named = {
    '255.255.254.255': undefined,
    '255.255.255.0': 'Last',
    '255.255.255.255': 'Last',
    '::1:0:0:0': undefined,
    'fffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff': undefined,
    'ffff::': 'End',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff': 'End',
    '192.0.2.1': undefined,
  };
  const found = Object.keys(named).map(address => [address, names.ofAddress(address)]);
  expect(Object.fromEntries(found)).toEqual(named);
});
