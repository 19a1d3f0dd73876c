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
import { mailSeries } from '../../sql/insights/hourly.ts';
import { authenticationDays, tlsDays } from '../../sql/insights/mail.ts';
import { findErrorNetwork, listMoments } from '../../sql/insights/network.ts';
import { listChangedScripts, sampleScriptPages } from '../../sql/insights/scripts.ts';
import { featureSet } from '../../sql/report/insight-sets.ts';
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
    // Of the last ones, another network has the most.
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
    // One host of the wide domain ranks with the hosts of other domains; the others rank after all of these.
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
       case n when 0 then 'Old' else 'Chrome' end, 'Linux' from generate_series(0, 500) n`,
    'eve',
  );
  const found = await measureDomains(service.database, OTHER, ['newest.example']);
  expect(found.get('newest.example')).toMatchObject({ browsers: 1, browser: 'Chrome' });
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
