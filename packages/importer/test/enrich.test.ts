import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { dnsServer } from '../../../test/import/dns-server.ts';
import { toMmdb } from '../../../test/import/mmdb.ts';
import { AddressDatabase, Enricher, ReverseNames, SenderNames } from '../src/enrich/index.ts';

type Networks = Parameters<typeof toMmdb>[0];

const FULL = {
  autonomous_system_number: 64_500,
  autonomous_system_organization: 'Network',
  country: { iso_code: 'DE' },
};
const open = (networks: Networks, kind: 'organisations' | 'countries' = 'organisations') =>
  new AddressDatabase(toMmdb(networks), 'networks', kind);
const namesOf = (...lines: string[]) => new SenderNames(`base_reverse_dns,name\n${lines.join('\n')}\n`);

describe('an entry of a database of networks', () => {
  it.each<[Networks[string], object]>([
    [FULL, { asn: 64_500, organisation: 'Network', country: 'DE' }],
    [
      { asn: 'AS64500', as_name: 'Network', country: 'DE' },
      { asn: 64_500, organisation: 'Network', country: 'DE' },
    ],
    [
      { ...FULL, asn: 'AS1', as_name: 'Other', country_code: 'FR' },
      { asn: 64_500, organisation: 'Network', country: 'DE' },
    ],
    [
      { asn: 'as64500', country: 'Germany', country_code: 'de' },
      { asn: 64_500, country: 'DE' },
    ],
    [
      { asn: '4294967295', country: 'de', country_code: 'FR' },
      { asn: 4_294_967_295, country: 'FR' },
    ],
    [
      { asn: '1', country: 'dE', country_code: 'Germany' },
      { asn: 1, country: 'DE' },
    ],
    [{ asn: '4294967296', as_name: 'Network' }, { organisation: 'Network' }],
    [{ asn: 0, as_name: 'Network' }, { organisation: 'Network' }],
    [{ asn: '64500.1', as_name: 'Network' }, { organisation: 'Network' }],
    [{ asn: 'ASN64500', as_name: 'Network' }, { organisation: 'Network' }],
    [
      { asn: 1, as_name: ' \u0007Net\u200bwork\n', country: 'DEU' },
      { asn: 1, organisation: 'Network' },
    ],
    [{ asn: 1, as_name: ' ', country: 'D' }, { asn: 1 }],
    [{ asn: 1, as_name: 7, country: { iso_code: 'D1' } }, { asn: 1 }],
    [
      { asn: 1, as_name: 'n'.repeat(256) },
      { asn: 1, organisation: 'n'.repeat(255) },
    ],
  ])('%j is read as %j', (entry, network) => {
    const database = open({ '192.0.2.0/24': entry });
    expect(database.find('192.0.2.1')).toEqual(network);
    expect(database.find('192.0.2.255')).toEqual(network);
    for (const other of ['192.0.1.255', '192.0.3.0', '2001:db8::1']) expect(database.find(other)).toEqual({});
  });
});

describe('a database of networks', () => {
  const content = toMmdb({ '192.0.2.0/24': { asn: 1 }, '198.51.100.0/24': { country_code: 'DE' } });

  it.each([
    ['plain', content],
    ['compressed', gzipSync(content)],
  ])('can be %s', (_, bytes) => {
    expect(new AddressDatabase(bytes, 'networks', 'organisations').find('192.0.2.1')).toEqual({ asn: 1 });
  });

  it.each([
    ['organisations', { asn: 1 }, true],
    ['organisations', { as_name: 'Network' }, true],
    ['organisations', { country: 'DE' }, false],
    ['countries', { country: 'DE' }, true],
    ['countries', { asn: 1, as_name: 'Network' }, false],
  ] as const)('of %s is accepted with the fields %j: %s', (kind, entry, isAccepted) => {
    const networks = { '192.0.2.0/24': {}, '198.51.100.0/24': entry };
    if (isAccepted) expect(open(networks, kind).find('198.51.100.1')).not.toEqual({});
    else
      expect(() => open(networks, kind)).toThrow(
        new Error(`it contains no ${kind}, because it is a database of the type Test`),
      );
  });

  it('is accepted without networks', () => {
    expect(open({}).find('192.0.2.1')).toEqual({});
  });

  it.each([
    ['a text', Buffer.from('x')],
    ['nothing', Buffer.alloc(0)],
    ['no end of a tree', content.subarray(6)],
    ['a broken gzip', gzipSync(content).subarray(0, 30)],
  ])('is rejected if it is %s', (_, bytes) => {
    expect(() => new AddressDatabase(bytes, 'networks', 'organisations')).toThrow(
      new Error('it is not a complete MMDB file: unpack it, or download it again'),
    );
  });
});

describe('the missing fields of a report', () => {
  const missing = (type: 'dmarc' | 'nel' | 'csp' | 'tls_rpt', report: object, ...lines: string[]) =>
    new Enricher({
      databases: [open({ '192.0.2.0/24': FULL })],
      names: lines.length === 0 ? undefined : namesOf(...lines),
    }).missing(type, report as Record<string, unknown>);
  const all = { organisation: 'Network', asn: 64_500, country: 'DE' };
  const ip = { sourceIp: '192.0.2.1' };

  it.each<[string, object, object | undefined]>([
    ['absent', ip, all],
    ['null', { ...ip, organisation: null, asn: null, country: null }, all],
    ['empty', { ...ip, organisation: '', asn: '', country: '' }, all],
    ['partly given', { ...ip, organisation: 'Told', asn: 1 }, { country: 'DE' }],
    ['given', { ...ip, organisation: 'Told', asn: 0, country: 'US' }, undefined],
    ['absent, with an address of no network', { sourceIp: '198.51.100.1' }, undefined],
    ['absent, with an invalid address', { sourceIp: '192.0.2' }, undefined],
    ['absent, with an empty address', { sourceIp: '' }, undefined],
    ['absent, without an address', {}, undefined],
    ['absent, with the address of a server', { serverIp: '192.0.2.1' }, undefined],
  ])('of a DMARC record are filled in if they are %s', (_, report, added) => {
    expect(missing('dmarc', report)).toEqual(added);
  });

  it('of an NEL report are filled in by the address of the server, without its country', () => {
    expect(missing('nel', { serverIp: '192.0.2.1' })).toEqual({ organisation: 'Network' });
    expect(missing('nel', ip)).toBeUndefined();
  });

  it.each(['csp', 'tls_rpt'] as const)('of a report of the type %s remain', type => {
    expect(missing(type, { ...ip, serverIp: '192.0.2.1' })).toBeUndefined();
  });

  it.each<[string, object, string[], string]>([
    ['the name of the network', ip, ['192.0.2.0/25,Named'], 'Named'],
    ['the network if another is named', ip, ['192.0.2.128/25,Named'], 'Network'],
    [
      'the name of the host',
      { ...ip, sourceHostname: 'mail.sender.example' },
      ['192.0.2.0/25,Named', 'sender.example,Sender'],
      'Sender',
    ],
    [
      'the name of the network if the host has none',
      { ...ip, sourceHostname: 'mail.other.example' },
      ['192.0.2.0/25,Named', 'sender.example,Sender'],
      'Named',
    ],
    [
      'the name of the network if the host is empty',
      { ...ip, sourceHostname: '' },
      ['192.0.2.0/25,Named'],
      'Named',
    ],
  ])('take their organization from %s', (_, report, lines, organisation) => {
    expect(missing('dmarc', report, ...lines)).toEqual({ ...all, organisation });
  });

  it('come from all databases, the last one first', () => {
    const { missing } = new Enricher({
      databases: [
        open({ '192.0.2.0/24': FULL }),
        open({ '192.0.2.0/25': { country_code: 'FR' } }, 'countries'),
      ],
    });
    expect(missing('dmarc', ip)).toEqual({ ...all, country: 'FR' });
    expect(missing('dmarc', { sourceIp: '192.0.2.200' })).toEqual(all);
  });

  it('of a report do not depend on earlier reports of the same address', () => {
    const { missing } = new Enricher({
      databases: [open({ '192.0.2.0/24': FULL })],
      names: namesOf('sender.example,Sender'),
    });
    const host = { ...ip, sourceHostname: 'sender.example' };
    expect(missing('dmarc', host)).toEqual({ ...all, organisation: 'Sender' });
    expect(missing('dmarc', ip)).toEqual(all);
    expect(missing('dmarc', host)).toEqual({ ...all, organisation: 'Sender' });
  });
});

describe('the host names of addresses', () => {
  const V6 = '2001:db8::1';
  const V6_NAME = `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`;

  it('are those that resolve back to the address, in lower case', async () => {
    const server = await dnsServer({
      '1.2.0.192.in-addr.arpa': 'Mail.Sender.EXAMPLE',
      'mail.sender.example': ['198.51.100.1', '192.0.2.1'],
      '2.2.0.192.in-addr.arpa': 'forged.example',
      'forged.example': '192.0.2.3',
      '3.2.0.192.in-addr.arpa': 'without-address.example',
      '4.2.0.192.in-addr.arpa': ['host', '_dmarc.second.example', 'third.example'],
      '_dmarc.second.example': '192.0.2.4',
      '5.2.0.192.in-addr.arpa': 'host',
      host: '192.0.2.5',
      '6.2.0.192.in-addr.arpa': `${'a'.repeat(63)}.example`,
      [`${'a'.repeat(63)}.example`]: '192.0.2.6',
      [V6_NAME]: 'six.example',
      'six.example': '2001:db8:0:0:0:0:0:1',
    });
    const addresses = [1, 2, 3, 4, 5, 6, 7].map(number => `192.0.2.${number}`);
    const found = await new ReverseNames(server).find([...addresses, V6]);
    expect(Object.fromEntries(found)).toEqual({
      '192.0.2.1': 'mail.sender.example',
      '192.0.2.2': undefined,
      '192.0.2.3': undefined,
      '192.0.2.4': '_dmarc.second.example',
      '192.0.2.5': undefined,
      '192.0.2.6': `${'a'.repeat(63)}.example`,
      '192.0.2.7': undefined,
      [V6]: 'six.example',
    });
  });

  it('are looked up once for each address, even if it has none', async () => {
    const asked: string[] = [];
    const answers = { '1.2.0.192.in-addr.arpa': 'a.example', 'a.example': '192.0.2.1' };
    const names = new ReverseNames(await dnsServer(answers, 1, name => asked.push(name)));
    await names.find(['192.0.2.1', '192.0.2.2', '192.0.2.1']);
    const again = await names.find(['192.0.2.2', '192.0.2.1']);
    expect(Object.fromEntries(again)).toEqual({ '192.0.2.1': 'a.example', '192.0.2.2': undefined });
    expect(asked.sort()).toEqual(['1.2.0.192.in-addr.arpa', '2.2.0.192.in-addr.arpa', 'a.example']);
  });

  it('are looked up twenty at a time', async () => {
    const addresses = Array.from({ length: 40 }, (_, index) => `192.0.2.${index}`);
    const answers = addresses.flatMap((address, index) => [
      [`${index}.2.0.192.in-addr.arpa`, `host-${index}.example`],
      [`host-${index}.example`, address],
    ]);
    const waiting: number[] = [];
    const server = await dnsServer(Object.fromEntries(answers), 20, (_, count) => waiting.push(count));
    const found = await new ReverseNames(server).find(addresses);
    expect([...found.values()].sort()).toEqual(addresses.map((_, index) => `host-${index}.example`).sort());
    expect(Math.max(...waiting)).toBe(20);
  });
});
