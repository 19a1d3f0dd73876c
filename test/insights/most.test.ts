import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../../sql/account-id.ts';
import { freshNames } from '../../sql/insights/certificates.ts';
import { featureDays } from '../../sql/insights/features.ts';
import { listFindingHosts, newFindings } from '../../sql/insights/findings.ts';
import { freshHosts } from '../../sql/insights/hosts.ts';
import { authenticationDays, tlsDays } from '../../sql/insights/mail.ts';
import { listChangedScripts } from '../../sql/insights/scripts.ts';
import { featureSet } from '../../sql/report/insight-sets.ts';
import { NOW, personal, plan } from '../support/fixtures.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';

/** Queries for insights examine a limited number of subjects. Each test has one subject too many. */

let service: TestService;
let sql: Operator;
beforeAll(async () => {
  service = await startService({ now: NOW });
  sql = connectOperator(service.databaseUrl);
  await service.load(personal('ada'), plan('ada'));
  for (const month of ['2026-04', '2026-05']) await sql.query(`select make_report_month('${month}-01')`);
});
afterAll(async () => {
  await sql?.end();
  await service?.close();
});

const WINDOW = {
  account: 'ada' as AccountId,
  from: '2026-04-20T00:00:00.000Z',
  since: '2026-05-10T00:00:00.000Z',
  until: '2026-05-20T00:00:00.000Z',
};

/** Stores a report for each of these rows of SQL, whose first column is its date. */
const store = (type: string, columns: string, rows: string) =>
  sql.query(`insert into report (account_id, type, id, count, raw, date, ${columns})
    select 'ada', '${type}', row_number() over ()::text, 1, '', rows.* from (${rows}) as rows`);

/** `x-000` and so on, in SQL. */
const toName = (prefix: string) => `'${prefix}-' || lpad(n::text, 3, '0')`;
const listNames = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);
const without = (names: readonly string[], left: string) => names.filter(name => name !== left);

it('of features, the 100 with the busiest days', async () => {
  await store(
    'deprecation',
    'extra',
    `select timestamptz '2026-05-12' + day * interval '1 day' + n * interval '1 second',
      jsonb_build_object('featureId', ${toName('f')})
     from generate_series(0, 100) n, generate_series(0, 3) day
     -- The last one but one has the most reports, on as many days, and the last one two on one day.
     where day = 0 or (n = 99 and day < 3)
     union all select '2026-05-12 01:00Z', '{"featureId": "f-100"}'`,
  );
  const days = await featureDays(service.database, 'deprecation', featureSet('deprecation'), WINDOW);
  const found = [...new Set(days.map(({ feature }) => feature))].sort();
  expect(found).toEqual(without(listNames('f', 101), 'f-099'));
});

it('of domains, the 100 with the most sessions', async () => {
  await store(
    'tls_rpt',
    'extra',
    `select timestamptz '2026-05-12', jsonb_build_object('domain', ${toName('d')}, 'failedSessions', 1,
      'successfulSessions', case when n = 50 then 0 else 1 end) from generate_series(0, 100) n`,
  );
  const days = await tlsDays(service.database, WINDOW);
  expect(days.map(({ domain }) => domain).sort()).toEqual(without(listNames('d', 101), 'd-050'));
});

it('of senders, the 100 with the most messages', async () => {
  await store(
    'dmarc',
    'sender',
    `select timestamptz '2026-05-12', ${toName('s')} from generate_series(0, 100) n`,
  );
  await sql.query(`update report set count = 2 where type = 'dmarc' and sender <> 's-050'`);
  const days = await authenticationDays(service.database, WINDOW);
  expect(days.map(({ sender }) => sender).sort()).toEqual(without(listNames('s', 101), 's-050'));
});

it('of hosts of certificates, the first 200, with the first 100 hosts of their certificates', async () => {
  await store(
    'certificate_transparency',
    'issuer, hosts_reversed',
    `select timestamptz '2026-05-12' + n * interval '1 minute', 'O=Trust', array[reverse(${toName('h')})]
     from generate_series(0, 99) n
     union all select '2026-05-11', 'O=Trust', (select array_agg(reverse(${toName('m')}) order by n) from generate_series(0, 100) n)`,
  );
  const names = await freshNames(service.database, WINDOW, 90);
  expect(names.filter(one => one.of === 'issuer').map(({ name }) => name)).toEqual(['Trust']);
  const hosts = names.filter(one => one.of === 'host');
  expect(hosts.map(({ name }) => name)).toEqual([...listNames('m', 101), ...listNames('h', 99)]);
  expect([hosts[0]!.hosts, hosts[0]!.hostCount]).toEqual([listNames('m', 100), 101]);
});

it('of scripts, the 300 that were reported first, with their 12 newest hashes', async () => {
  await store(
    'csp_integrity',
    'subresource_uri, hash',
    `select timestamptz '2026-05-12' + n * interval '1 minute' + hash * interval '1 day', ${toName('s')}, 'h' || hash
     from generate_series(0, 300) n, generate_series(0, 1) hash
     union all select timestamptz '2026-05-15' + n * interval '1 hour', 's-000', ${toName('x')} from generate_series(0, 10) n`,
  );
  const { hashes } = await listChangedScripts(service.database, WINDOW);
  expect([...new Set(hashes.map(({ script }) => script))].sort()).toEqual(listNames('s', 300));
  expect(hashes.filter(({ script }) => script === 's-000').map(({ hash }) => hash)).toEqual([
    'h1',
    ...listNames('x', 11),
  ]);
});

it('of blocked hosts, the 50 whose reports grow and that have the most, and the 20 largest floods', async () => {
  await store(
    'csp',
    'blocked_host_reversed',
    `select timestamptz '2026-05-12' + i * interval '1 hour', reverse(${toName('grows')})
     from generate_series(0, 50) n, generate_series(1, 40) i where i < 40 or n <> 49
     union all select timestamptz '2026-05-01', reverse(${toName('grows')}) from generate_series(0, 50) n
     union all select timestamptz '2026-05-12', reverse(i || '.' || ${toName('flood')} || '.example')
     from generate_series(0, 20) n, generate_series(1, 3) i where i < 3 or n = 20`,
  );
  const { hosts, floods } = await freshHosts(service.database, WINDOW, 28, 2);
  const growing = hosts.filter(({ isFresh }) => !isFresh).map(({ host }) => host);
  expect(growing.sort()).toEqual(without(listNames('grows', 51), 'grows-049'));
  expect(floods.map(({ domain, hosts }) => [domain, hosts]).sort()).toEqual([
    ...listNames('flood', 19).map(name => [`${name}.example`, 2]),
    ['flood-020.example', 3],
  ]);
});

it('of findings, the 100 newest days, and the 2000 hosts with the longest history', async () => {
  await sql.query(`
    insert into watch select 'ada', 'script', ${toName('w')}, ${toName('w')}, false, false, null, 1 from generate_series(0, 100) n;
    insert into watch_finding (account_id, product, site_key, subject_sha256, subject, count, first_seen, last_seen, source)
    select 'ada', 'script', ${toName('w')}, int4send(i), 'https://' || ${toName('a')} || i, 1, at, at, 'csp'
    from generate_series(0, 100) n, lateral (values (1, timestamptz '2026-04-01'),
      (2, timestamptz '2026-05-12' + n * interval '1 minute')) as found (i, at)`);
  const days = await newFindings(service.database, WINDOW, 14);
  expect(days.map(({ site }) => site)).toEqual(listNames('w', 101).slice(1).reverse());
  // With those of 101 days, these are 2001 hosts, of which one was seen for the shortest time and another is rarer.
  await sql.query(`
    insert into watch_finding (account_id, product, site_key, subject_sha256, subject, count, first_seen, last_seen, source)
    select 'ada', 'script', 'w-000', int4send(n), 'https://b-' || n, case n when 1000 then 1 else 2 end,
      '2026-05-11', timestamptz '2026-05-12' + case n when 500 then interval '0' else interval '1 hour' end, 'csp'
    from generate_series(100, 1999) n`);
  const { hosts, all } = await listFindingHosts(service.database, WINDOW.account, WINDOW);
  expect([hosts.length, all]).toEqual([2000, 2001]);
  const first = hosts.findIndex(({ host }) => host === 'b-1000');
  const found = hosts.map(({ host }) => host);
  expect([first, found[1899], found.includes('a-1002')]).toEqual([1898, 'b-500', false]);
});
