import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId } from '../../sql/account-id.ts';
import { freshNames } from '../../sql/insights/certificates.ts';
import { featureDays } from '../../sql/insights/features.ts';
import { listFindingHosts, newFindings } from '../../sql/insights/findings.ts';
import {
  findBlockedHosts,
  findEarlierHosts,
  freshHosts,
  measureDomains,
  measureReach,
} from '../../sql/insights/hosts.ts';
import { hourlySeries, mailSeries } from '../../sql/insights/hourly.ts';
import { authenticationDays, regularReporters, tlsDays } from '../../sql/insights/mail.ts';
import { findErrorNetwork, listMoments } from '../../sql/insights/network.ts';
import { listChangedScripts, sampleScriptPages } from '../../sql/insights/scripts.ts';
import { listTypes } from '../../sql/insights/types.ts';
import { CRASH_PAGES, type FeatureType, featureSet } from '../../sql/report/insight-sets.ts';
import { NOW, personal, plan } from '../support/fixtures.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';

/** Tests which reports and subjects the queries for insights examine. */

let service: TestService;
let sql: Operator;
beforeAll(async () => {
  service = await startService({ now: NOW });
  sql = connectOperator(service.databaseUrl);
  await service.load(personal('ada'), plan('ada'), personal('eve'), plan('eve'), personal('kim'));
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
const store = (type: string, columns: string, rows: string, account = 'ada') =>
  sql.query(`insert into report (account_id, type, id, count, raw, date, ${columns})
    select '${account}', '${type}', gen_random_uuid()::text, 1, '', rows.* from (${rows}) as rows`);

/** `x-000` and so on, in SQL. */
const toName = (prefix: string) => `'${prefix}-' || lpad(n::text, 3, '0')`;
const listNames = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);
const without = (names: readonly string[], left: string) => names.filter(name => name !== left);

describe('of too many subjects are examined', () => {
  it('the 100 features with the busiest days', async () => {
    await store(
      'deprecation',
      'extra',
      `select timestamptz '2026-05-12 00:00:00.9' + day * interval '1 day' + n * interval '1 second',
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

  it('the 100 domains with the most sessions', async () => {
    await store(
      'tls_rpt',
      'extra',
      `select timestamptz '2026-05-12', jsonb_build_object('domain', ${toName('d')}, 'failedSessions', 1,
      'successfulSessions', case when n = 50 then 0 else 1 end) from generate_series(0, 100) n`,
    );
    const days = await tlsDays(service.database, WINDOW);
    expect(days.map(({ domain }) => domain).sort()).toEqual(without(listNames('d', 101), 'd-050'));
  });

  it('the 100 senders with the most messages', async () => {
    await store(
      'dmarc',
      'sender',
      `select timestamptz '2026-05-12', ${toName('s')} from generate_series(0, 100) n`,
    );
    await sql.query(`update report set count = 2 where type = 'dmarc' and sender <> 's-050'`);
    const days = await authenticationDays(service.database, WINDOW);
    expect(days.map(({ sender }) => sender).sort()).toEqual(without(listNames('s', 101), 's-050'));
  });

  it('the first 200 hosts of certificates, with the first 100 hosts of their certificates', async () => {
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

  it('the 300 scripts that were reported first, with their 12 newest hashes', async () => {
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

  it('the 50 blocked hosts that grow and have the most reports, and the 20 largest floods', async () => {
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

  it('the 100 newest days of findings, and the 2000 hosts with the longest history', async () => {
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
});

/** The window of another account. */
const OTHER = { ...WINDOW, account: 'eve' as AccountId };
const values = (...rows: string[]) => `values ${rows.map(row => `(${row})`).join(', ')}`;
const at = (time: string) => `timestamptz '${time}'`;

it('the first and the last report are dated in seconds, rounded down', async () => {
  const own = { ...WINDOW, account: 'kim' as AccountId };
  const [time, seconds] = [at('2026-05-12T10:00:00.9Z'), Date.parse('2026-05-12T10:00:00Z') / 1000];
  for (const [type, column, value] of [
    ['deprecation', 'extra', `'{"featureId": "f"}'::jsonb`],
    ['tls_rpt', 'extra', `'{"domain": "d", "failedSessions": 1}'::jsonb`],
    ['dmarc', 'sender', `'s'`],
    ['certificate_transparency', 'issuer', `'O=Trust'`],
    ['csp', 'blocked_host_reversed', `'elpmaxe.b'`],
  ] as const)
    await store(type, column, `values (${time}, ${value})`, 'kim');
  await store(
    'csp_integrity',
    'subresource_uri, hash',
    `values (${at('2026-05-11')}, 'u', 'old'), (${time}, 'u', 'new')`,
    'kim',
  );
  await sql.query(`insert into watch values ('kim', 'script', 'k', 'k', false, false, null, 1);
    insert into watch_finding (account_id, product, site_key, subject_sha256, subject, count, first_seen, last_seen, source)
    select 'kim', 'script', 'k', int4send(n), 'https://' || n, 1, at, at, 'csp'
    from (values (1, ${at('2026-04-01')}), (2, ${time})) as found (n, at)`);
  const { database } = service;
  const [features, domains, senders, names, { hashes }, { hosts, began }, findings, found] =
    await Promise.all([
      featureDays(database, 'deprecation', featureSet('deprecation'), own),
      tlsDays(database, own),
      authenticationDays(database, own),
      freshNames(database, own, 90),
      listChangedScripts(database, own),
      freshHosts(database, own, 28, 50),
      newFindings(database, own, 14),
      listFindingHosts(database, own.account, own),
    ]);
  const scripts = hashes.filter(({ hash }) => hash === 'new');
  for (const rows of [features, domains, senders, names, scripts, hosts, findings, found.hosts])
    expect(rows.map(({ first, last }) => [first, last])).toEqual([[seconds, seconds]]);
  expect([names[0]!.began, began]).toEqual([seconds, seconds]);
});

describe('the reports of blocked hosts', () => {
  const blocked = (columns: string, ...rows: string[]) =>
    store('csp', `blocked_host_reversed, ${columns}`, values(...rows), 'eve');
  const host = (name: string) => `reverse('${name}')`;

  it('are those of sub-domains, within the period', async () => {
    await blocked(
      'browser, platform',
      `${at(WINDOW.since)}, ${host('a.wide.example')}, 'Chrome', 'Linux'`,
      `${at(WINDOW.since)}, ${host('b.a.wide.example')}, 'Chrome', 'Windows'`,
      ...['wide.example', 'a-wide.example', 'awide.example', 'a.wide.example.org'].map(
        name => `${at(WINDOW.since)}, ${host(name)}, '${name}', 'Linux'`,
      ),
      `${at('2026-05-09T23:59:59.999Z')}, ${host('a.wide.example')}, 'before', 'Linux'`,
      `${at(WINDOW.until)}, ${host('a.wide.example')}, 'after', 'Linux'`,
    );
    const found = await measureDomains(service.database, OTHER, ['wide.example', 'none.example']);
    expect([...found.values()]).toMatchObject([{ domain: 'wide.example', browsers: 2, browser: 'Chrome' }]);
  });

  it('are earlier if they are dated before the window, and not past the retention', async () => {
    const oldest = '2026-04-10T00:00:00Z';
    await blocked(
      'browser',
      `${at(oldest)}, ${host('oldest.example')}, 'x'`,
      `${at('2026-04-09T23:59:59.999Z')}, ${host('expired.example')}, 'x'`,
      `${at('2026-04-19T23:59:59.999Z')}, ${host('earlier.example')}, 'x'`,
      `${at(WINDOW.from)}, ${host('within.example')}, 'x'`,
    );
    const names = ['oldest', 'expired', 'earlier', 'within'].map(name => `${name}.example`);
    const found = await findEarlierHosts(service.database, { ...OTHER, oldest }, names);
    expect([...found].sort()).toEqual(['earlier.example', 'oldest.example']);
  });

  it('of a site are those of its pages, and flagged if the host itself is', async () => {
    const page = (site: string, date: string, name: string, flags: string) =>
      `${at(date)}, ${host(name)}, ${host(site)}, 'Chrome', 'Linux', ${flags}`;
    await blocked(
      'host_reversed, browser, platform, suspicious, policy_ioc_hosts',
      page('shop.example', WINDOW.since, 'flagged.example', 'true, null::text[]'),
      page('shop.example', WINDOW.since, 'plain.example', `false, '{x.example}'`),
      page('shop.example', WINDOW.until, 'late.example', 'true, null'),
      page('blog.example', WINDOW.since, 'plain.example', 'true, null'),
      page('blog.example', WINDOW.since, 'elsewhere.example', 'true, null'),
    );
    const names = ['flagged', 'plain', 'late', 'elsewhere'].map(name => `${name}.example`);
    const site = { ...OTHER, site: 'shop.example' };
    const found = await findBlockedHosts(service.database, site, names);
    expect(found.map(({ host, browsers, threat }) => [host, browsers, threat]).sort()).toEqual([
      ['flagged.example', 1, true],
      ['plain.example', 1, false],
    ]);
  });

  it('are a part from a hundred on', async () => {
    await store(
      'csp',
      'blocked_host_reversed, host_reversed, path, directive, browser, platform, low_reputation_domain, policy_concern_hosts',
      `select ${at('2026-05-12')} + n * interval '1 hour', ${host('sampled')} || m, ${host('shop.example')}, '/' || n,
        'img-src', 'Chrome', 'Linux', n <= 33, '{x.example}'::text[] from generate_series(1, 99 + 1) n, generate_series(1, 2) m
       where n + m <= 101`,
      'eve',
    );
    const hosts = ['1sampled', '2sampled'];
    const found = await measureReach(service.database, OTHER, hosts, { path: '^/pay', directive: '^script' });
    expect(
      hosts.map(name => {
        const { isPartial, pages, days, attackBrowsers, pageHosts } = found.get(name)!;
        return [isPartial, pages, days, attackBrowsers, pageHosts];
      }),
    ).toEqual([
      [true, 100, 5, 0, ['shop.example']],
      [false, 99, 5, 0, ['shop.example']],
    ]);
    expect(found.get(hosts[0]!)!.threat).toBe(0.33);
    expect(found.get(hosts[1]!)!.threat).toBeCloseTo(1 / 3);
  });
});

describe('the reports of a network error', () => {
  const first = Date.parse('2026-05-15T10:00:00Z') / 1000;
  const error = (date: string, site: string, type: string, organisation: string | null) =>
    `${at(date)}, reverse('${site}'), '${type}', ${organisation === null ? 'null' : `'${organisation}'`}`;

  it('are those of its hosts, from its first to its last second', async () => {
    await store(
      'nel',
      'host_reversed, nel_type, organisation',
      values(
        error('2026-05-15T10:00:00Z', 'a.example', 'dns.failed', 'One'),
        error('2026-05-15T10:00:59.999Z', 'b.example', 'dns.failed', 'One'),
        error('2026-05-15T10:00:30Z', 'a.example', 'dns.failed', 'Two'),
        error('2026-05-15T10:00:30Z', 'a.example', 'dns.failed', null),
        ...['2026-05-15T09:59:59.999Z', '2026-05-15T10:01:00Z'].flatMap(date =>
          ['Two', 'Two'].map(name => error(date, 'b.example', 'dns.failed', name)),
        ),
        ...['Two', 'Two'].map(name => error('2026-05-15T10:00:31Z', 'c.example', 'dns.failed', name)),
        ...['Two', 'Two'].map(name => error('2026-05-15T10:00:32Z', 'a.example', 'tcp.failed', name)),
      ),
      'eve',
    );
    const find = (hosts: string[], type: string, last: number) =>
      findErrorNetwork(service.database, OTHER, { hosts, error: type, first, last });
    const hosts = ['a.example', 'b.example'];
    expect(await find(hosts, 'dns.failed', first + 59)).toMatchObject({ organisation: 'One', share: 0.5 });
    expect(await find(hosts, 'dns.failed', first + 60)).toMatchObject({ organisation: 'Two', share: 0.5 });
    expect(await find(hosts, 'tcp.failed', first + 59)).toMatchObject({ organisation: 'Two', share: 1 });
    expect(await find(['none.example'], 'dns.failed', first + 59)).toBeUndefined();
  });

  it('are the first 5000 of all sites and errors in its time', async () => {
    const time = Date.parse('2026-05-16T10:00:00Z') / 1000;
    // The last 5000 would name another network.
    await store(
      'nel',
      'host_reversed, nel_type, organisation',
      `select to_timestamp(${time}) + n * interval '1 millisecond', reverse('a.example'),
        case n when 1 then 'tcp.failed' else 'dns.failed' end,
        case when n between 2 and 2501 then 'One' else 'Two' end from generate_series(1, 5002) n`,
      'eve',
    );
    await store('csp', 'directive', `values (to_timestamp(${time}), 'img-src')`, 'eve');
    const of = { hosts: ['a.example'], error: 'dns.failed', first: time, last: time + 9 };
    const found = await findErrorNetwork(service.database, OTHER, of);
    expect(found).toMatchObject({ organisation: 'One', share: 2500 / 4999 });
  });

  it('are of the network with the first name if several have as many', async () => {
    const time = '2026-05-17T10:00:00Z';
    await store(
      'nel',
      'host_reversed, nel_type, organisation',
      values(...['Two', 'One', 'Three'].map(name => error(time, 'a.example', 'dns.failed', name))),
      'eve',
    );
    const second = Date.parse(time) / 1000;
    const of = { hosts: ['a.example'], error: 'dns.failed', first: second, last: second };
    expect(await findErrorNetwork(service.database, OTHER, of)).toMatchObject({ organisation: 'One' });
  });

  it('are found by their place within an hour', async () => {
    const place = (index: number, error = 'dns.failed') => ({
      ...{ host: 'b.example', hour: '2026-05-15T10:00:00.000Z', error, index },
    });
    await store(
      'nel',
      'host_reversed, nel_type, organisation',
      values(error('2026-05-15T11:00:00Z', 'b.example', 'dns.failed', null)),
      'eve',
    );
    const places = [place(1), place(0), place(3), place(0, 'tcp.failed')];
    const found = await listMoments(service.database, OTHER, places);
    // The other reports of the host are of an hour before or after, or of another error.
    expect(places.map(one => found.get(one))).toEqual([first + 60, first + 59, undefined, undefined]);
  });
});

it('the pages of a script are those of reports since its hash was first seen, the sensitive ones first', async () => {
  const page = (date: string, hash: string, path: string) =>
    `${at(date)}, '${hash}', reverse('shop.example'), '${path}'`;
  await store(
    'csp_integrity',
    'hash, host_reversed, path',
    values(
      page('2026-05-12T10:00:00Z', 'new', '/a'),
      page('2026-05-12T11:00:00Z', 'new', '/a'),
      page('2026-05-12T12:00:00Z', 'new', '/Checkout'),
      page('2026-05-12T09:59:59Z', 'new', '/before'),
      page(WINDOW.until, 'new', '/after'),
      page('2026-05-12T12:00:00Z', 'other', '/b'),
      page('2026-05-12T12:00:00Z', 'other', '/c'),
      page('2026-05-12T13:00:00Z', 'other', '/c'),
    ),
    'eve',
  );
  const first = Date.parse('2026-05-12T10:00:00Z') / 1000;
  const hashes = ['new', 'other', 'none'].map(hash => ({ hash, first }));
  const found = await sampleScriptPages(service.database, OTHER, hashes, '/checkout');
  expect([...found.keys()].sort()).toEqual(['new', 'other']);
  expect(found.get('new')).toMatchObject({
    ...{ sampled: 3, pages: 2, path: '/Checkout', isSensitive: true, pageHosts: ['shop.example'] },
  });
  expect(found.get('other')).toMatchObject({ sampled: 3, pages: 2, path: '/c', isSensitive: false });
});

describe('a host counts as new', () => {
  const find = async (name: string, flood: number, window: object, ...rows: string[]) => {
    await service.load(personal(name));
    await store('csp', 'blocked_host_reversed, directive', values(...rows), name);
    return freshHosts(service.database, { ...WINDOW, account: name as AccountId, ...window }, 28, flood);
  };
  const blocked = (date: string, host: string, directive = 'img-src') =>
    `${at(date)}, reverse('${host}'), '${directive}'`;

  it('from the first instant of the period on, more than 28 days after its last report', async () => {
    const { hosts } = await find(
      'fresh',
      50,
      { from: '2026-04-01T00:00:00Z' },
      blocked(WINDOW.since, 'at-since.example'),
      blocked('2026-05-09T23:59:59.999Z', 'before.example'),
      blocked('2026-04-12T10:00:00Z', 'after-28-days.example'),
      blocked('2026-05-10T10:00:00Z', 'after-28-days.example'),
      blocked('2026-04-12T10:00:00Z', 'after-more-days.example'),
      blocked('2026-05-10T10:00:01Z', 'after-more-days.example'),
    );
    expect(hosts.map(({ host, isAgain, reports }) => [host, isAgain, reports]).sort()).toEqual([
      ['after-more-days.example', true, 1],
      ['at-since.example', false, 1],
    ]);
  });

  it('once, even if it has no dot, which many such hosts have', async () => {
    const { hosts, floods, days } = await find(
      'dotless',
      2,
      {},
      ...['printer', 'router'].map(name => blocked('2026-05-12T10:00:00Z', name)),
    );
    expect(hosts.map(({ host }) => host).sort()).toEqual(['printer', 'router']);
    expect([floods, days]).toEqual([[], [{ day: '2026-05-12', hosts: 0, reports: 0 }]]);
  });

  it('among the 500 first of their hours and domains, flagged ones first', async () => {
    await service.load(personal('many'));
    // In an hour, 470 hosts of as many domains; in another, 65 hosts of one domain. Two reports of each.
    await store(
      'csp',
      'blocked_host_reversed, suspicious',
      `select timestamptz '2026-05-12 10:00Z', reverse(${toName('z')} || '.example'), false
         from generate_series(0, 469) n, generate_series(1, 2)
       union all select timestamptz '2026-05-12 12:00Z', reverse(${toName('h')} || '.wide.example'),
         n = 64 or n = 63 and i = 1 from generate_series(0, 64) n, generate_series(1, 2) i
       -- One of them is blocked on two days, and one three times.
       union all values (timestamptz '2026-05-13', reverse('h-062.wide.example'), false),
         ('2026-05-12 12:01Z', reverse('h-061.wide.example'), false)`,
      'many',
    );
    const window = { ...WINDOW, account: 'many' as AccountId };
    const { hosts } = await freshHosts(service.database, window, 28, 500);
    const names = hosts.map(({ host }) => host.split('.')[0]!).sort();
    // One host of the wide domain ranks with those of other domains; its other hosts come after all of them.
    expect(names).toEqual([...listNames('h', 27), 'h-061', 'h-062', 'h-064', ...listNames('z', 470)]);
  });

  it('or as growing with two thirds of its reports in the four weeks before the end', async () => {
    const reports = (host: string, ...days: [date: string, count: number][]) =>
      days.flatMap(([date, count]) => Array.from({ length: count }, () => blocked(date, host)));
    const { hosts } = await find(
      'growth',
      50,
      { from: '2026-04-01T00:00:00Z', until: '2026-05-20T12:00:00Z' },
      ...reports('enough.example', ['2026-04-20T00:00:00Z', 20], ['2026-05-01T00:00:00Z', 40]),
      ...reports('too-few.example', ['2026-04-20T00:00:00Z', 21], ['2026-05-01T00:00:00Z', 40]),
      ...reports('first-day.example', ['2026-04-22T11:00:00Z', 20], ['2026-04-22T12:00:00Z', 20]),
      ...reports('day-before.example', ['2026-04-21T23:00:00Z', 1], ['2026-04-22T11:59:59Z', 40]),
    );
    expect(hosts.map(({ host }) => host).sort()).toEqual(['enough.example', 'first-day.example']);
  });
});

it('the browsers of a domain are those of its newest 500 reports', async () => {
  await store(
    'csp',
    'blocked_host_reversed, browser, platform',
    `select ${at('2026-05-12')} + n * interval '1 minute', reverse('a.newest.example'),
       case n when 0 then 'Old' when 1 then 'Edge' else 'Chrome' end, 'Linux' from generate_series(0, 500) n`,
    'eve',
  );
  const found = await measureDomains(service.database, OTHER, ['newest.example']);
  expect(found.get('newest.example')).toMatchObject({ browsers: 2, browser: 'Chrome' });
});

it('a script has changed if a hash is newer than another one, from the first instant of the period on', async () => {
  await service.load(personal('scripts'));
  const seen = (date: string, script: string, hash: string) => `${at(date)}, '${script}', '${hash}'`;
  await store(
    'csp_integrity',
    'subresource_uri, hash',
    values(
      seen('2026-04-21T00:00:00Z', 'unchanged', 'one'),
      seen('2026-04-22T00:00:00Z', 'at-since', 'one'),
      seen(WINDOW.since, 'at-since', 'two'),
      seen('2026-04-22T00:00:00Z', 'before', 'one'),
      seen('2026-05-09T23:59:59Z', 'before', 'two'),
      seen('2026-05-12T00:00:00Z', 'both-at-once', 'one'),
      seen('2026-05-12T00:00:00Z', 'both-at-once', 'two'),
    ),
    'scripts',
  );
  const { hashes, began } = await listChangedScripts(service.database, {
    ...WINDOW,
    account: 'scripts' as AccountId,
  });
  expect(hashes.map(({ script, hash }) => [script, hash])).toEqual([
    ['at-since', 'one'],
    ['at-since', 'two'],
  ]);
  expect(began).toBe(Date.parse('2026-04-21T00:00:00Z') / 1000);
});

it('an issuer is named as in its first certificate, from the first instant of the period on', async () => {
  await service.load(personal('issuers'));
  await store(
    'certificate_transparency',
    'issuer, hosts_reversed',
    values(
      `${at('2026-05-13T00:00:00Z')}, 'O=New, CN=A2', '{a}'::text[]`,
      `${at(WINDOW.since)}, 'O=New, CN=N1', '{b,c}'::text[]`,
      `${at('2026-05-09T23:59:59Z')}, 'O=Known', '{d}'::text[]`,
    ),
    'issuers',
  );
  const names = await freshNames(service.database, { ...WINDOW, account: 'issuers' as AccountId }, 90);
  expect(
    names.filter(one => one.of === 'issuer').map(({ name, issuer, hosts }) => [name, issuer, hosts]),
  ).toEqual([['New', 'O=New, CN=N1', ['b', 'c']]]);
});

it('a sender is examined from 20 messages in the period on', async () => {
  await service.load(personal('senders'));
  await store(
    'dmarc',
    'sender, extra',
    [20, 19]
      .map(
        count => `select ${at('2026-05-12')}, 'of ${count}', '{}'::jsonb from generate_series(1, ${count})`,
      )
      .join(' union all '),
    'senders',
  );
  const { sender } = await mailSeries(service.database, { ...WINDOW, account: 'senders' as AccountId });
  expect(sender.map(({ values: [name] }) => name)).toEqual(['of 20']);
});

const secondsOf = (time: string) => Date.parse(time) / 1000;

/** The window of a new account. */
async function open(name: string) {
  await service.load(personal(name));
  return { ...WINDOW, account: name as AccountId };
}

describe('the findings of watches', () => {
  const finding = (
    [product, site]: readonly [string, string],
    subject: string,
    [first, last = first]: readonly [string, string?],
    [count, source = 'csp']: readonly [number, string?] = [1],
  ) => `('found', '${product}', 'key-${site}', sha256('${subject}'), '${subject.replaceAll("'", "''")}', ${count},
    '${first}', '${last}', '${source}', true)`;
  const [shop, policy, blog] = [
    ['script', 'shop'],
    ['policy', 'shop'],
    ['script', 'blog'],
  ] as const;
  const [data, alpha, beta] = [
    ['data', 'alpha'],
    ['script', 'alpha'],
    ['script', 'beta'],
  ] as const;
  const zeta = ['data', 'zeta'] as const;
  const LONG = `https://1/${'x'.repeat(600)}`;
  let window: typeof WINDOW;

  beforeAll(async () => {
    window = await open('found');
    const watches = [shop, policy, blog, data, alpha, beta, zeta].map(
      ([product, site]) => `('found', '${product}', '${site}', 'key-${site}', false, false, null, 1)`,
    );
    const findings = [
      ...[shop, policy, data, alpha, beta, zeta].map((watch, n) =>
        finding(watch, `https://known-${n}.example/`, ['2026-04-25T00:00Z']),
      ),
      finding(
        shop,
        'https://CDN.example:8443/a.js',
        ['2026-05-12T01:00Z', '2026-05-14T01:00Z'],
        [3, 'csp_integrity'],
      ),
      // Another file of a host that is known by then.
      finding(shop, 'https://cdn.example?b.js', ['2026-05-12T02:00Z'], [100]),
      // Another account has found this host before.
      finding(shop, LONG, ['2026-05-12T03:00Z', '2026-05-13T00:00Z'], [4]),
      finding(shop, 'https://zz.example/', ['2026-05-12T03:00Z'], [5]),
      finding(policy, 'script-src *', [WINDOW.since], [2]),
      finding(policy, 'img-src *', [WINDOW.since], [2]),
      finding(blog, 'https://known-9.example/', ['2026-04-28T00:00Z']),
      finding(blog, 'https://after-14-days.example/', ['2026-05-12T00:00Z']),
      // If several watches find a host at the same time, the first product and site get the finding.
      ...[alpha, beta].map(watch => finding(watch, 'https://tie-1.example/', [WINDOW.since])),
      ...[alpha, data].map(watch => finding(watch, 'https://tie-2.example/', [WINDOW.since])),
      ...[alpha, zeta].map(watch => finding(watch, 'https://tie-3.example/', [WINDOW.since])),
      finding(beta, 'https://late.example/', [WINDOW.until]),
    ];
    await sql.query(`insert into watch values ${watches.join(', ')};
      insert into watch_finding (account_id, product, site_key, subject_sha256, subject, count, first_seen, last_seen,
        source, enforced) values ${findings.join(', ')}`);
  });

  it('are new by day and watch, if none was new for longer than 14 days', async () => {
    const days = await newFindings(service.database, window, 14);
    expect(
      days.map(({ product, site, day, found, count, subject, first, last }) => [
        [product, site, day, found, count, subject],
        [first, last],
      ]),
    ).toEqual([
      [
        ['script', 'shop', '2026-05-12', 3, 12, LONG.slice(0, 500)],
        [secondsOf('2026-05-12T01:00Z'), secondsOf('2026-05-14T01:00Z')],
      ],
      ...(
        [
          [...data, 1, 1, 'https://tie-2.example/'],
          [...alpha, 1, 1, 'https://tie-1.example/'],
          [...policy, 2, 4, 'img-src *'],
          [...zeta, 1, 1, 'https://tie-3.example/'],
        ] as const
      ).map(([product, site, found, count, subject]) => [
        [product, site, '2026-05-10', found, count, subject],
        [secondsOf(WINDOW.since), secondsOf(WINDOW.since)],
      ]),
    ]);
  });

  it('are counted by watch and host, policies one by one, those seen for the longest time first', async () => {
    const { hosts, all } = await listFindingHosts(service.database, window.account, window);
    const rows = hosts.map(({ product, site, host, subject, source, findings, count }) => [
      [product, site, host, subject],
      [source, findings, count],
    ]);
    const once = ['csp', 1, 1];
    expect(rows.slice(0, 6)).toEqual([
      [
        [...shop, 'cdn.example', 'https://CDN.example:8443/a.js'],
        ['csp', 2, 103],
      ],
      [
        [...shop, '1', LONG.slice(0, 500)],
        ['csp', 1, 4],
      ],
      [
        [...shop, 'zz.example', 'https://zz.example/'],
        ['csp', 1, 5],
      ],
      [
        [...policy, '', 'img-src *'],
        ['csp', 1, 2],
      ],
      [
        [...policy, '', 'script-src *'],
        ['csp', 1, 2],
      ],
      [[...blog, 'after-14-days.example', 'https://after-14-days.example/'], once],
    ]);
    expect(
      hosts
        .slice(6)
        .map(({ product, site, host }) => `${host} ${product} ${site}`)
        .sort(),
    ).toEqual([
      'tie-1.example script alpha',
      'tie-1.example script beta',
      'tie-2.example data alpha',
      'tie-2.example script alpha',
      'tie-3.example data zeta',
      'tie-3.example script alpha',
    ]);
    expect(all).toBe(13);
  });
});

it('the days of a feature are in order, with its reports and its most frequent browser', async () => {
  const window = await open('features');
  const of = (time: string, feature: string | null, browser: string) =>
    `${at(time)}, '${JSON.stringify(feature === null ? {} : { featureId: feature })}'::jsonb, '${browser}'`;
  await store(
    'deprecation',
    'extra, browser',
    values(
      of('2026-05-12T10:00Z', 'f', 'Chrome'),
      ...['2026-05-12T11:00Z', '2026-05-12T12:00Z'].map(time => of(time, 'f', 'Firefox')),
      ...['Edge', 'Chrome'].map(browser => of('2026-05-11T10:00Z', 'f', browser)),
      of('2026-05-12T10:00Z', null, 'Chrome'),
    ),
    'features',
  );
  await sql.query("update report set count = 7 where account_id = 'features'");
  const day = secondsOf('2026-05-11T00:00Z') / 86_400;
  const [first, last] = [secondsOf('2026-05-12T10:00Z'), secondsOf('2026-05-12T12:00Z')];
  const before = secondsOf('2026-05-11T10:00Z');
  expect(await featureDays(service.database, 'deprecation', featureSet('deprecation'), window)).toMatchObject(
    [
      { feature: 'f', day, reports: 2, browser: 'Chrome', first: before, last: before },
      { feature: 'f', day: day + 1, reports: 3, browser: 'Firefox', first, last },
    ],
  );
});

it('features are named by what reports of their type are about', async () => {
  const window = await open('named');
  const columns = 'extra, message, property, host_reversed, path, blocked_host_reversed, browser';
  const of = (extra: object) =>
    `${at('2026-05-12T10:00Z')}, '${JSON.stringify(extra)}'::jsonb, 'm', 'camera', 'moc.pohs', '/a', 'ten.ndc', 'Edge'`;
  const full = { featureId: 'f', reason: 'oom' };
  const named: [FeatureType, string[]][] = [
    ['deprecation', ['f', 'm']],
    ['intervention', ['f', 'm']],
    ['permissions_policy', ['camera']],
    ['crash', ['oom']],
    ['connection_allowlist', ['cdn.net']],
  ];
  const list = async (type: FeatureType, set = featureSet(type)) =>
    (await featureDays(service.database, type, set, window)).map(({ feature }) => feature).sort();
  for (const [type, features] of named) {
    await store(type, columns, values(of(full), of({ featureId: '' })), 'named');
    expect([type, await list(type)]).toEqual([type, features]);
  }
  expect(await list('crash', CRASH_PAGES)).toEqual(['shop.com/a']);
});

it('an issuer is known by its organisation, and a name is new after more than the given days without it', async () => {
  const window = await open('names');
  const of = (time: string, issuer: string | null, ...hosts: string[]) =>
    `${at(time)}, ${issuer === null ? 'null' : `'${issuer}'`}, array[${hosts.map(host => `reverse('${host}')`).join(', ')}]::text[]`;
  const time = '2026-05-12T10:00Z';
  await store(
    'certificate_transparency',
    'issuer, hosts_reversed',
    values(
      ...[
        'C=US, O=Spaced, CN=R3',
        'o=lower',
        'CN=a+O=Plus+OU=x',
        'CN=only',
        '/C=US/O=Slash/CN=x',
        'XO=x',
      ].map(name => of(time, name)),
      ...[time, '2026-05-12T11:00Z'].map(date => of(date, null, 'unnamed.example')),
      of('2026-04-25T00:00Z', 'CN=only', 'after-15-days.example', 'later.example'),
      of('2026-04-21T00:00Z', 'O=Before', 'later.example', 'x.example'),
      ...['00', '12'].map(hour => of(`2026-04-25T${hour}:00Z`, 'CN=only', 'noon.example')),
      of('2026-05-10T06:00Z', 'CN=only', 'noon.example'),
      of('2026-05-11T00:00Z', 'CN=only', 'later.example', 'more.example'),
      of('2026-05-10T00:00Z', 'CN=only', 'after-15-days.example'),
      of('2026-05-10T00:00:01Z', 'CN=only', 'later.example'),
    ),
    'names',
  );
  const found = await freshNames(service.database, window, 15);
  const listOf = (of: string) =>
    found.filter(one => one.of === of).map(({ name, reports }) => [name, reports]);
  expect(listOf('issuer').sort()).toEqual(
    ['Plus', 'Slash', 'Spaced', 'XO=x', 'lower'].map(name => [name, 1]),
  );
  expect(listOf('host')).toEqual([
    ['later.example', 2],
    ['more.example', 1],
    ['unnamed.example', 2],
  ]);
  // The first certificate in the period counts, not an earlier one.
  const [later, , unnamed] = found.filter(one => one.of === 'host');
  expect(later).toMatchObject({ issuer: 'CN=only', hosts: ['later.example'], hostCount: 1 });
  expect([unnamed!.first, unnamed!.last]).toEqual([secondsOf(time), secondsOf('2026-05-12T11:00Z')]);
});

it('the hashes of scripts are in order, with the number of their browsers', async () => {
  const window = await open('hashes');
  const of = (time: string, script: string | null, hash: string | null, browser: string) =>
    `${at(time)}, ${script === null ? 'null' : `'${script}'`}, ${hash === null ? 'null' : `'${hash}'`}, '${browser}'`;
  const [first, then] = ['2026-04-25T00:00Z', '2026-05-12T10:00Z'];
  await store(
    'csp_integrity',
    'subresource_uri, hash, browser',
    values(
      of(first, 'b', 'z', 'Chrome'),
      ...['y', 'x'].map(hash => of(then, 'b', hash, 'Chrome')),
      of(then, 'b', 'y', 'Firefox'),
      of('2026-05-13T10:00Z', 'b', 'y', 'Firefox'),
      of('2026-04-26T00:00Z', 'a', 'v', 'Chrome'),
      of(then, 'a', 'w', 'Chrome'),
      of(first, 'none', null, 'Chrome'),
      of(then, 'none', 'h', 'Chrome'),
      of(first, null, 'one', 'Chrome'),
      of(then, null, 'two', 'Chrome'),
    ),
    'hashes',
  );
  const { hashes } = await listChangedScripts(service.database, window);
  expect(hashes.map(({ script, hash, browsers, reports }) => [script, hash, browsers, reports])).toEqual([
    ['a', 'v', 1, 1],
    ['a', 'w', 1, 1],
    ['b', 'z', 1, 1],
    ['b', 'x', 1, 1],
    ['b', 'y', 2, 3],
  ]);
});

it('the pages of a script are counted in 200 reports, with 20 of their hosts', async () => {
  const window = await open('sampled');
  await store(
    'csp_integrity',
    'hash, host_reversed, path',
    `select ${at('2026-05-12')} + n * interval '1 second', 'h', reverse((n % 21) || '.example'), '/' || n % 2
     from generate_series(1, 201) n`,
    'sampled',
  );
  const first = secondsOf('2026-05-12T00:00Z');
  const found = await sampleScriptPages(service.database, window, [{ hash: 'h', first }], '/pay');
  const { sampled, pages, pageHosts } = found.get('h')!;
  expect([sampled, pages, pageHosts.length, new Set(pageHosts).size]).toEqual([200, 42, 20, 20]);
});

it('the types of reports are those of the period', async () => {
  const window = await open('types');
  for (const [type, time] of [
    ['csp', WINDOW.from],
    ['nel', WINDOW.until],
    ['coep', '2026-04-19T23:59:59.999Z'],
    ['dmarc', '2026-05-19T23:59:59.999Z'],
  ] as const)
    await store(type, 'extra', `values (${at(time)}, null::jsonb)`, 'types');
  expect([...(await listTypes(service.database, window))].sort()).toEqual(['csp', 'dmarc']);
});

it('the TLS sessions of a day have its most frequent failure, exchanger and reporter of failures', async () => {
  const window = await open('tls');
  const of = (
    time: string,
    reporter: string,
    failed: number,
    successful: number,
    type = '',
    exchanger = '',
  ) =>
    `${at(time)}, '${JSON.stringify({
      ...{ domain: 'd.example', reporter, failedSessions: failed, successfulSessions: successful },
      failureDetails: type === '' ? [] : [{ resultType: type, receivingMxHostname: exchanger }],
    })}'::jsonb`;
  await store(
    'tls_rpt',
    'extra',
    values(
      of('2026-05-12T10:00Z', 'Acme', 5, 10, 'starttls-not-supported', 'mx1'),
      of('2026-05-12T11:00Z', 'Beta', 7, 0, 'certificate-expired', 'mx2'),
      of('2026-05-12T12:00Z', 'Acme', 1, 0, 'starttls-not-supported', 'mx2'),
      ...['09', '13'].map(hour => of(`2026-05-12T${hour}:00Z`, 'Beta', 0, 50, 'certificate-expired', 'mx1')),
      of('2026-05-11T10:00Z', 'Beta', 1, 0, 'b-type', 'mx'),
      of('2026-05-11T11:00Z', 'Acme', 2, 0, 'a-type', ''),
    ),
    'tls',
  );
  expect(await tlsDays(service.database, window)).toMatchObject([
    {
      ...{ domain: 'd.example', day: '2026-05-11', failed: 3, sessions: 3, failedReports: 2 },
      ...{ failure: 'a-type', exchanger: 'mx', reporter: 'Acme' },
      ...{ first: secondsOf('2026-05-11T10:00Z'), last: secondsOf('2026-05-11T11:00Z') },
    },
    {
      ...{ domain: 'd.example', day: '2026-05-12', failed: 13, sessions: 123, failedReports: 3 },
      ...{ failure: 'starttls-not-supported', exchanger: 'mx2', reporter: 'Acme' },
      ...{ first: secondsOf('2026-05-12T10:00Z'), last: secondsOf('2026-05-12T13:00Z') },
    },
  ]);
});

it("a sender's messages of a day are counted by DKIM and SPF, with the failures of only one of them", async () => {
  const window = await open('auth');
  const of = (time: string, count: number, dkim: string, spf: string, results = {}) =>
    `${at(time)}, 's', '${JSON.stringify({ dkim, spf, count, ...results })}'::jsonb`;
  const selector = (name: string) => ({ dkimResults: [{ selector: name, result: 'fail' }] });
  const domain = (name: string) => ({ spfResults: [{ domain: name, result: 'softfail' }] });
  await store(
    'dmarc',
    'sender, extra',
    values(
      of('2026-05-12T13:00Z', 10, 'pass', 'pass'),
      of('2026-05-12T10:00Z', 2, 'fail', 'pass', selector('s1')),
      of('2026-05-12T11:00Z', 3, 'fail', 'pass', selector('s2')),
      of('2026-05-12T12:00Z', 4, 'pass', 'fail', domain('bounce.example')),
      of('2026-05-12T12:00Z', 4, 'pass', 'fail', domain('a.example')),
      of('2026-05-12T07:00Z', 6, 'fail', 'fail'),
      of('2026-05-11T08:00Z', 1, 'pass', 'pass'),
      `${at('2026-05-12T10:00Z')}, null, '{"count": 1}'`,
    ),
    'auth',
  );
  await sql.query("update report set count = (extra->>'count')::int where account_id = 'auth'");
  const none = { dkimFails: 0, spfFails: 0, dkimReports: 0, spfReports: 0, dkimFailed: '', spfFailed: '' };
  const before = secondsOf('2026-05-11T08:00Z');
  expect(await authenticationDays(service.database, window)).toMatchObject([
    {
      ...{ sender: 's', day: '2026-05-11', messages: 1, rows: 1, dkim: 1, spf: 1, ...none },
      ...{ first: before, last: before },
    },
    {
      ...{ sender: 's', day: '2026-05-12', messages: 29, rows: 6, dkim: 18, spf: 15 },
      ...{ dkimFails: 5, spfFails: 8, dkimReports: 2, spfReports: 2 },
      ...{ dkimFailed: 's2 fail', spfFailed: 'a.example softfail' },
      ...{ first: secondsOf('2026-05-12T10:00Z'), last: secondsOf('2026-05-12T13:00Z') },
    },
  ]);
});

it('a reporter is regular that missed few of the 14 days before its last report', async () => {
  const window = await open('regular');
  /** A report on each of these days before the last one. */
  const of = (name: string, days: number, more = '-1') =>
    `select ${at('2026-05-18T10:00Z')} - n * interval '1 day', '${JSON.stringify({ reporter: name })}'::jsonb
     from (select generate_series(0, ${days - 1}) n union all select ${more}) days where n >= 0`;
  const reports = [of('missed two', 12), of('missed three', 11), of('a day before', 11, '14')];
  reports.push(of('on the first day', 11, '13'));
  await store('dmarc', 'extra', reports.join(' union all '), 'regular');
  await store('dmarc', 'extra', of('missed two', 3), 'regular');
  await store('tls_rpt', 'extra', [...reports, of('also', 14)].join(' union all '), 'regular');
  const find = async (...types: ('dmarc' | 'tls_rpt')[]) =>
    (await regularReporters(service.database, new Set(types), window, 2)).map(
      ({ type, reporter, days, reports }) => [type, reporter, days, reports],
    );
  const [mail, tls] = [
    [
      ['dmarc', 'missed two', 12, 15],
      ['dmarc', 'on the first day', 12, 12],
    ],
    [
      ['tls_rpt', 'also', 14, 14],
      ['tls_rpt', 'missed two', 12, 12],
      ['tls_rpt', 'on the first day', 12, 12],
    ],
  ];
  expect([await find('dmarc'), await find('tls_rpt'), await find()]).toEqual([mail, tls, []]);
});

it('the 100 errors with the busiest hours are examined, if these have 20 reports', async () => {
  const window = await open('errors');
  await store(
    'nel',
    'host_reversed, nel_type',
    `select ${at('2026-05-12')} + i * interval '1 second', reverse(${toName('e')}), 'dns.failed'
     from generate_series(0, 101) n, generate_series(1, 21) i
     where i < case n when 100 then 22 when 101 then 20 else 21 end`,
    'errors',
  );
  const { error, all } = await hourlySeries(service.database, 'nel', window);
  const names = error.map(({ values: [host] }) => host).sort();
  expect(names).toEqual([...listNames('e', 99), 'e-100']);
  expect(all[0]!.hours.map(({ reports }) => reports)).toEqual([100 * 20 + 21 + 19]);
  const few = await open('few');
  await store('nel', 'nel_type', `values (${at('2026-05-12')}, 'dns.failed')`, 'few');
  const series = await hourlySeries(service.database, 'nel', few);
  expect([series.error, series.all.map(({ hours }) => hours.length)]).toEqual([[], [1]]);
});

it('the reach of a host is that of its reports in the period, and of those that suggest an attack', async () => {
  const window = await open('reach');
  const of = (
    time: string,
    [page, path]: readonly [string, string],
    directive: string,
    [browser, platform]: readonly [string, string],
    isGenerated = false,
  ) =>
    `${at(time)}, reverse('reach.example'), reverse('${page}'), '${path}', '${directive}', '${browser}', '${platform}', ${isGenerated}`;
  const [firefox, chrome] = [
    ['Firefox', 'Linux'],
    ['Chrome', 'Linux'],
  ] as const;
  const [shop, blog] = [['shop.example', '/a'] as const, ['blog.example', '/a'] as const];
  await store(
    'csp',
    'blocked_host_reversed, host_reversed, path, directive, browser, platform, generated_domain',
    values(
      of(window.since, shop, 'script-src', firefox, true),
      of('2026-05-12T23:30Z', ['shop.example', '/b'], 'img-src', firefox),
      ...['03', '04'].map(hour => of(`2026-05-13T${hour}:00Z`, blog, 'script-src', firefox)),
      of('2026-05-13T10:00Z', ['blog.example', '/pay'], 'script-src-elem', chrome),
      of('2026-05-13T11:00Z', ['blog.example', '/pay'], 'script-src-elem', ['Chrome', 'Windows']),
      ...['2026-05-09T23:59:59.999Z', window.until].map(time =>
        of(time, ['late.example', '/z'], 'font-src', ['Edge', 'Windows']),
      ),
    ),
    'reach',
  );
  await store(
    'csp',
    'blocked_host_reversed, host_reversed',
    `select ${at('2026-05-12')}, reverse('wide.example'), reverse(n || '.example') from generate_series(1, 21) n`,
    'reach',
  );
  const hosts = ['reach.example', 'wide.example'];
  const patterns = { path: '^/PAY', directive: '^SCRIPT' };
  const found = await measureReach(service.database, window, hosts, patterns);
  expect(found.get('reach.example')).toMatchObject({
    ...{ isPartial: false, browsers: 3, pages: 4, days: 3, path: '/a', directive: 'script-src' },
    ...{ browser: 'Firefox', threat: 1 / 6, pageHosts: ['blog.example', 'shop.example'] },
    ...{ attackBrowsers: 2, attackPath: '/pay', attackDirective: 'script-src-elem' },
  });
  expect(found.get('wide.example')!.pageHosts).toHaveLength(20);
});

it('a new host has the counts since it is new, its UTC day, and whether it is of the same site', async () => {
  const window = { ...(await open('firsts')), from: '2026-04-01T00:00:00Z' };
  const of = (time: string, host: string, sourceClass = 'thirdParty') =>
    `${at(time)}, reverse('${host}'), '${sourceClass}'`;
  await store(
    'csp',
    'blocked_host_reversed, source_class',
    values(
      of('2026-04-02T10:00Z', 'again.test'),
      of('2026-05-13T01:00Z', 'again.test'),
      of('2026-05-13T01:00Z', 'own.other', 'sameSite'),
      ...['b', 'a'].map(name => of('2026-05-12T10:00Z', `${name}.flood.example`)),
    ),
    'firsts',
  );
  await sql.query("update report set count = 4 where account_id = 'firsts'");
  const { hosts, days, floods } = await freshHosts(service.database, window, 28, 2);
  const found = hosts.filter(({ host }) => !host.endsWith('.example'));
  expect(found.map(({ host, isOwn, reports, count }) => [host, isOwn, reports, count]).sort()).toEqual([
    ['again.test', false, 1, 4],
    ['own.other', true, 1, 4],
  ]);
  expect(days).toContainEqual({ day: '2026-05-13', hosts: 2, reports: 2 });
  expect(floods).toMatchObject([{ domain: 'flood.example', host: 'a.flood.example', hosts: 2, count: 8 }]);
});
