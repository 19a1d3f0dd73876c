import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toMmdb } from '../../../test/import/mmdb.ts';
import { AddressDatabase, Enricher, SenderNames } from '../src/enrich/index.ts';

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
