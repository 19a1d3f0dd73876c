import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { aggregateXml, mailWith, toMbox } from '../../packages/importer/test/reports.ts';
import { Announcer } from '../../sql/changes/announcer.ts';
import { changeReports } from '../../sql/maintenance/mail.ts';
import { account, createFeedDatabase, type FeedDatabase } from '../feed/lines.ts';
import { onTerminal } from '../support/screen.ts';
import { sightlineHere } from '../support/sightline.ts';
import { dnsServer } from './dns-server.ts';
import { toMmdb } from './mmdb.ts';

let database: FeedDatabase;
const folder = mkdtempSync(join(tmpdir(), 'sightline-enrich-'));
const file = (name: string) => join(folder, name);

beforeAll(async () => {
  database = await createFeedDatabase();
  const maxmind = { autonomous_system_number: 64_500, autonomous_system_organization: 'Example Network' };
  const ipinfo = { asn: 'AS64501', as_name: 'Other Network', country_code: 'FR' };
  writeFileSync(file('asn'), toMmdb({ '192.0.2.0/25': maxmind, '203.0.113.0/24': ipinfo }));
  writeFileSync(file('country'), toMmdb({ '192.0.2.0/24': { country: { iso_code: 'DE' } } }));
  writeFileSync(file('networks'), toMmdb({ '192.0.2.0/25': maxmind, '198.51.100.0/24': { place: 'here' } }));
  const whole = readFileSync(file('asn'));
  writeFileSync(file('packed'), gzipSync(whole));
  writeFileSync(file('cut'), whole.subarray(0, whole.length / 2));
  // A database in an archive, or with a part of its tree missing.
  writeFileSync(file('within'), Buffer.concat([Buffer.alloc(512, 'a'), whole]));
  // A database without the records that its tree refers to.
  const end = whole.lastIndexOf('\xab\xcd\xefMaxMind.com', 'latin1');
  const data = whole.indexOf('autonomous_system_number');
  writeFileSync(
    file('damaged'),
    Buffer.concat([whole.subarray(0, data), Buffer.alloc(end - data, 0xff), whole.subarray(end)]),
  );
  const names = [
    'sender.example,"Sender, Inc.",Marketing',
    '192.0.2.64/26,Own Relay,Host',
    'other.example,,',
  ];
  writeFileSync(file('names'), `base_reverse_dns,name,type\n${names.join('\n')}\n`);
  writeFileSync(
    file('inbox'),
    toMbox(mailWith({ bytes: aggregateXml([{ sourceIp: '192.0.2.1' }, { sourceIp: '192.0.2.65' }]) })),
  );
});
afterAll(async () => {
  await database?.[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});
beforeEach(async () => {
  await database.load({ kind: 'account', id: 'a', deleted: true });
  await database.load(account('a'));
});

type Written = Parameters<typeof sightlineHere>[2];

const FILES = { ENRICH_ASN: file('asn'), ENRICH_COUNTRY: file('country'), ENRICH_NAMES: file('names') };

function run(args: string[], settings: Record<string, string> = {}, written?: Written) {
  return sightlineHere(args, { DATABASE_URL: database.url, ...settings }, written);
}

/** Imported mails are read again if the number of their parts has changed. */
let parts = 100;
async function imported(settings: Record<string, string> = {}) {
  const options = ['--account', 'a', '--json', '--max-parts', String(parts++)];
  const { stderr } = await run(['import', ...options, file('inbox')], settings);
  const { records, repeated } = JSON.parse(stderr.trim().split('\n').at(-1)!);
  return { records, repeated };
}

const rows = () =>
  database.rows(`
    select extra->>'sourceIp' as ip, organisation, (extra->>'asn')::int as asn, extra->>'country' as country,
      extra->>'sourceHostname' as host, sender, id, digest::text from report where type = 'dmarc' order by 1`);
const version = async () =>
  (await database.rows(`select version::text from account where id = 'a'`))[0]!.version;

const ENRICHED = [
  { ip: '192.0.2.1', organisation: 'Example Network', asn: 64_500, country: 'DE', sender: 'Example Network' },
  { ip: '192.0.2.65', organisation: 'Own Relay', asn: 64_500, country: 'DE', sender: 'Own Relay' },
];

it('enriches reports during an import without changing their identity', { tags: 'slow' }, async () => {
  expect(await imported(FILES)).toMatchObject({ records: { dmarc: 2 } });
  const enriched = await rows();
  expect(enriched).toMatchObject(ENRICHED);
  const before = await version();
  expect(await imported(FILES)).toEqual({ records: { dmarc: 0 }, repeated: 2 });
  expect(await imported()).toEqual({ records: { dmarc: 0 }, repeated: 2 });
  expect([await rows(), await version()]).toEqual([enriched, before]);
});

it('enriches stored reports, which later imports leave unchanged', async () => {
  await imported();
  const plain = await rows();
  expect(plain).toMatchObject([{ organisation: null, asn: null }, { organisation: null }]);
  const before = await version();
  const { stdout } = await run(['enrich', '--asn', file('asn'), '--country', file('country')], {
    ENRICH_NAMES: file('names'),
  });
  expect(stdout).toBe('Filled in 2 DMARC and 0 NEL reports.\n');
  const enriched = await rows();
  expect(enriched).toMatchObject(ENRICHED);
  expect(enriched.map(({ id, digest }) => [id, digest])).toEqual(plain.map(({ id, digest }) => [id, digest]));
  expect(await version()).not.toBe(before);
  expect((await run(['enrich'], FILES)).stdout).toBe('Filled in 0 DMARC and 0 NEL reports.\n');
  expect(await imported()).toEqual({ records: { dmarc: 0 }, repeated: 2 });
  expect(await rows()).toEqual(enriched);
});

it('fills in empty fields of mail and of network errors, with the files that its options name', async () => {
  const line = { kind: 'report', accountId: 'a', date: '2026-05-10T12:00:00Z' };
  const dmarc = { ...line, type: 'dmarc', sourceIp: '192.0.2.1', aligned: true };
  await database.load(
    { ...dmarc, id: 'told', organisation: 'Told' },
    { ...dmarc, id: 'whole', organisation: 'Told', asn: 1 },
    { ...line, type: 'nel', id: 'server', serverIp: '192.0.2.1' },
    { ...line, type: 'nel', id: 'named', serverIp: '192.0.2.1', organisation: 'Told' },
  );
  const { code, lines, written } = await onTerminal(output =>
    run(['enrich', '--asn', file('asn')], { ENRICH_ASN: file('nowhere') }, output),
  );
  expect([code, lines]).toEqual([0, ['Filled in 1 DMARC and 1 NEL reports.']]);
  expect(written).toMatch(/\rFilling in DMARC reports … 0 s.*\rFilling in NEL reports … 0 s/s);
  expect(
    await database.rows("select id, organisation, extra->>'asn' as asn from report order by type::text, id"),
  ).toEqual([
    { id: 'told', organisation: 'Told', asn: '64500' },
    { id: 'whole', organisation: 'Told', asn: '1' },
    { id: 'named', organisation: 'Told', asn: null },
    { id: 'server', organisation: 'Example Network', asn: null },
  ]);
});

it('fills in further fields later, and keeps those of earlier runs', async () => {
  await imported({ ENRICH_ASN: file('asn') });
  const { stdout } = await run(['enrich', '--country', file('country')]);
  expect(stdout).toBe('Filled in 2 DMARC and 0 NEL reports.\n');
  const filled = { organisation: 'Example Network', asn: 64_500, country: 'DE', sender: 'Example Network' };
  expect(await rows()).toMatchObject([filled, filled]);
});

it('keeps values of the report, and adds the organization of a server', { tags: 'slow' }, async () => {
  const report = { kind: 'report', accountId: 'a', date: '2026-05-10T12:00:00Z' };
  const mail = { ...report, type: 'dmarc', sourceIp: '203.0.113.1', aligned: true };
  await database.load(
    { ...mail, id: 'told', organisation: 'Told', asn: 1, country: 'US', sourceHostname: 'a.sender.example' },
    { ...mail, id: 'named', sourceHostname: 'a.sender.example', date: '2026-04-01T00:00:00Z' },
    { ...mail, id: 'other', sourceIp: '198.51.100.1' },
    { ...report, type: 'nel', id: 'server', serverIp: '192.0.2.1' },
    { ...report, type: 'nel', id: 'unknown', serverIp: '2001:db8::1' },
  );
  await database.rows(`
    insert into daily_group select 'a', 'dmarc', day::date, 'sender', '{}', '{}', '{}', '{}', '{}', '{}', '{}'
    from unnest('{2026-03-31,2026-04-01,2026-05-31,2026-06-01}'::text[]) as day`);
  const { stdout } = await run(['enrich'], FILES);
  expect(stdout).toBe('Filled in 1 DMARC and 1 NEL reports.\n');
  const found = await database.rows(
    `select id, organisation, extra->>'asn' as asn, extra->>'country' as country, sender from report order by id`,
  );
  expect(found).toEqual([
    { id: 'named', organisation: 'Sender, Inc.', asn: '64501', country: 'FR', sender: 'Sender, Inc.' },
    { id: 'other', organisation: null, asn: null, country: null, sender: '198.51.100.0/24' },
    { id: 'server', organisation: 'Example Network', asn: null, country: null, sender: null },
    { id: 'told', organisation: 'Told', asn: '1', country: 'US', sender: 'Told' },
    { id: 'unknown', organisation: null, asn: null, country: null, sender: null },
  ]);
  // The rollups of the changed months are gone, and those of other months remain.
  expect(await database.rows('select day::text from daily_group order by day')).toEqual([
    { day: '2026-03-31' },
    { day: '2026-06-01' },
  ]);
});

it('changes every report of a month once, in steps of 5000', async () => {
  const first = { kind: 'report', accountId: 'b', type: 'csp', id: 'first', date: '2026-05-10T12:00:00Z' };
  await database.load(account('b'), first);
  // Two accounts, and several reports at each time and in each step.
  await database.rows(`
    insert into report (account_id, type, date, id, count, raw, extra)
    select case when n % 2 = 0 then 'a' else 'b' end, 'nel', timestamptz '2026-05-10' - (n / 7) * interval '1 microsecond',
      'r-' || n, 1, '', case when n > 5001 then '{"serverIp": "192.0.2.1"}'::jsonb end from generate_series(1, 5003) n`);
  const steps: string[][] = [];
  const changed = await changeReports(
    database.sql,
    new Announcer(database.sql, 0),
    { type: 'nel', condition: 'true' },
    async rows => {
      steps.push(rows.map(({ account_id, id }) => `${account_id} ${id}`));
      return rows.map(({ id }) => {
        if (id === 'r-5000') return { extra: { asn: 1 } };
        return id === 'r-5002' || id === 'r-5003' ? { organisation: 'Own', extra: { asn: 2 } } : undefined;
      });
    },
  );
  expect([changed, steps.map(({ length }) => length)]).toEqual([3, [5000, 3]]);
  expect(new Set(steps.flat()).size).toBe(5003);
  expect(
    await database.rows(
      `select id, organisation, extra from report where organisation is not null or extra ? 'asn' order by id`,
    ),
  ).toEqual([
    { id: 'r-5000', organisation: null, extra: { asn: 1 } },
    { id: 'r-5002', organisation: 'Own', extra: { asn: 2, serverIp: '192.0.2.1' } },
    { id: 'r-5003', organisation: 'Own', extra: { asn: 2, serverIp: '192.0.2.1' } },
  ]);
  await database.load({ kind: 'account', id: 'b', deleted: true });
});

it('looks up host names in DNS on request, in any case, and accepts those that resolve back to the address', async () => {
  await imported();
  const resolver = await dnsServer({
    '1.2.0.192.in-addr.arpa': 'Mail.Sender.EXAMPLE',
    '65.2.0.192.in-addr.arpa': 'forged.sender.example',
    'mail.sender.example': '192.0.2.1',
    'forged.sender.example': '192.0.2.99',
  });
  const { stdout } = await run(['enrich', '--reverse-dns', '--resolver', resolver, '--names', file('names')]);
  expect(stdout).toBe('Filled in 2 DMARC and 0 NEL reports.\n');
  expect(await rows()).toMatchObject([
    { host: 'mail.sender.example', organisation: 'Sender, Inc.', sender: 'Sender, Inc.' },
    { host: null, organisation: 'Own Relay' },
  ]);
  // A stored name stays, even if a report is looked at for another field.
  const renamed = await dnsServer({
    '1.2.0.192.in-addr.arpa': 'new.sender.example',
    'new.sender.example': '192.0.2.1',
  });
  const again = ['enrich', '--reverse-dns', '--resolver', renamed, '--asn', file('asn')];
  expect((await run(again)).stdout).toBe('Filled in 2 DMARC and 0 NEL reports.\n');
  expect(await rows()).toMatchObject([{ host: 'mail.sender.example', asn: 64_500 }, { host: null }]);
});

it.each([
  [['--asn', 'names'], /names cannot be read: it is not a complete MMDB file/],
  [['--asn', 'cut'], /cut cannot be read: it is not a complete MMDB file/],
  [['--asn', 'within'], /within cannot be read: it is not a complete MMDB file/],
  [
    ['--asn', 'country'],
    /country cannot be read: it contains no organisations, because it is a database of the type Test/,
  ],
  [
    ['--country', 'networks'],
    /networks cannot be read: it contains no countries, because it is a database of the type Test/,
  ],
  [['--names', 'asn'], /asn cannot be read: /],
  [['--country', 'missing'], /missing cannot be read: ENOENT/],
])('rejects %j', async ([option, name], message) => {
  const { code, stderr } = await run(['enrich', option!, file(name!)]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
});

it('reads a database compressed with gzip', async () => {
  expect(await imported({ ENRICH_ASN: file('packed') })).toMatchObject({ records: { dmarc: 2 } });
  expect(await rows()).toMatchObject([{ asn: 64_500 }, { asn: 64_500 }]);
});

it('names a database that turns out to be damaged during the import', async () => {
  const options = ['--account', 'a', '--max-parts', String(parts++), file('inbox')];
  const { code, stderr } = await run(['import', ...options], { ENRICH_ASN: file('damaged') });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${file('damaged')} is damaged`)]);
});

it('exits with an error when no source of data is given', async () => {
  expect(await run(['enrich'])).toMatchObject({
    code: 2,
    stderr: 'error: name a file, or give --reverse-dns\n',
  });
});
