import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Insight } from '../../schema/insight.ts';
import type { AccountId } from '../../sql/account-id.ts';
import { hourlySeries } from '../../sql/insights/hourly.ts';
import { copyReport } from '../support/copied-reports.ts';
import { open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { stamp } from '../support/planted.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Tests each failure rule just above and just below its threshold. */

const TODAY = '2026-05-20';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const END = Date.parse(TODAY);

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: `${TODAY}T01:00:00Z` });
});
afterAll(() => service?.close());

const find = async (key: string): Promise<Insight[]> =>
  (
    await data(
      service,
      key,
      '{ viewer { insights { kind severity state title detail subject count baseline } } }',
    )
  ).viewer.insights;

let accounts = 0;
async function account(lines: (id: string) => Line[]): Promise<string> {
  const id = `failing-${accounts++}`;
  return open(service, personal(id), plan(id), ...lines(id));
}

/** Makes `each` reports of a type per day for up to `days` days, starting 40 days ago. */
const daily = (
  id: string,
  type: string,
  fields: object,
  { each = 1, days = 40, name = '' }: { each?: number; days?: number; name?: string } = {},
): Line[] =>
  Array.from({ length: days * each }, (_, index) =>
    report(id, type, `${type}-${name}-${index}`, {
      date: stamp(END - 40 * DAY + Math.floor(index / each) * DAY + (((index % each) + 0.5) * DAY) / each),
      ...fields,
    }),
  );

describe('a sender that fails one of SPF and DKIM', () => {
  const mail = (dkim: string, spf: string, count: number, result = dkim) => ({
    organisation: 'Mailer',
    aligned: true,
    domain: 'example.com',
    dkim,
    spf,
    count,
    dkimResults: [{ domain: 'example.com', selector: 's2026', result, humanResult: '' }],
    spfResults: [{ domain: 'bounce.example.com', scope: 'mfrom', result: spf, humanResult: '' }],
  });
  const failing = (fields: object) => (id: string) => [
    ...daily(id, 'dmarc', mail('pass', 'pass', 10)).slice(0, 39),
    ...[0, 1, 2].map(index =>
      report(id, 'dmarc', `failing-${index}`, { date: stamp(END - 5 * HOUR + index), ...fields }),
    ),
  ];

  it('is named with the failing selector or domain while the other check keeps its mail aligned', async () => {
    expect(await find(await account(failing(mail('fail', 'pass', 7, 'permerror'))))).toMatchObject([
      {
        kind: 'authenticationFails',
        severity: 'incident',
        subject: 'Mailer',
        count: 21,
        title: 'DKIM of Mailer fails, and only SPF keeps its mail aligned',
        detail:
          '100 % of 21 messages since 19 May 19:00 UTC, 0.0 % before. Most: selector s2026, result permerror. ' +
          'The key of the selector is missing in DNS, or cannot be read.',
      },
    ]);
    const [spf] = await find(await account(failing(mail('pass', 'fail', 7))));
    expect(spf).toMatchObject({ title: 'SPF of Mailer fails, and only DKIM keeps its mail aligned' });
    expect(spf!.detail).toContain('domain bounce.example.com, result fail');
  });

  it('creates no insight when several other reports pass', async () => {
    const rows = (id: string) =>
      ['fail', 'fail', 'fail', 'pass', 'pass', 'pass', 'pass'].map((dkim, index) =>
        report(id, 'dmarc', `mixed-${index}`, {
          date: stamp(END - 5 * HOUR + index),
          ...mail(dkim, 'pass', dkim === 'fail' ? 30 : 5),
        }),
      );
    const key = await account(id => [...failing({})(id).slice(0, 39), ...rows(id)]);
    expect(await find(key)).toEqual([]);
  });

  it('creates no insight for 18 messages, and is reported as failing entirely when both checks fail', async () => {
    expect(await find(await account(failing(mail('fail', 'pass', 6))))).toEqual([]);
    const both = await find(await account(failing({ ...mail('fail', 'fail', 40), aligned: false })));
    expect(both.map(({ kind }) => kind)).toEqual(['senderFails']);
  });
});

describe('a site that stopped reporting', () => {
  const site = (id: string, host: string, days: number, each = 24) =>
    daily(id, 'csp', { uri: `https://${host}/`, blockedUri: 'inline' }, { days, each, name: host });

  it('is named while other sites continue to report', async () => {
    const key = await account(id => [
      ...site(id, 'www.example.com', 40),
      ...site(id, 'shop.example.com', 38),
    ]);
    expect(await find(key)).toMatchObject([
      {
        kind: 'silence',
        severity: 'change',
        subject: 'shop.example.com',
        title: 'shop.example.com sends no Content Security Policy reports any more',
      },
    ]);
  });

  it('creates no insight within a day, with few reports, or when it is the only site', async () => {
    const alone = await account(id => site(id, 'shop.example.com', 39));
    expect(await find(alone)).toEqual([]);
    const few = await account(id => [
      ...site(id, 'www.example.com', 40),
      ...site(id, 'shop.example.com', 38, 4),
    ]);
    expect(await find(few)).toEqual([]);
  });
});

describe('a deprecated feature', () => {
  const more = (id: string, count: number, message: string) =>
    Array.from({ length: count }, (_, index) =>
      report(id, 'deprecation', `more-${index}`, {
        date: stamp(END - 20 * HOUR + index * HOUR),
        message,
        browser: 'Chrome',
      }),
    );
  const usual = (id: string) => daily(id, 'deprecation', { message: 'Old feature' }, { each: 2 });

  it('creates an insight when it is reported for the first time', async () => {
    expect(await find(await account(id => [...usual(id), ...more(id, 5, 'New feature')]))).toMatchObject([
      { kind: 'newFeature', severity: 'change', subject: 'New feature', count: 5 },
    ]);
    expect(await find(await account(id => [...usual(id), ...more(id, 4, 'New feature')]))).toEqual([]);
  });

  it('leads to all of its reports, whatever fraction of a second they are dated', async () => {
    const key = await account(id => [
      ...usual(id),
      ...more(id, 5, 'New feature').map(line => ({
        ...line,
        date: String(line.date).replace('Z', '.900Z'),
      })),
    ]);
    const { viewer } = await data(service, key, '{ viewer { insights { firstSeen query } } }');
    expect(viewer.insights[0].firstSeen).toBe('2026-05-19T04:00:00+00:00');
    const { text } = await service.get(viewer.insights[0].query, key);
    expect(text.trim().split('\n')).toHaveLength(5);
  });

  it.each([
    ['before', -2 * DAY, ['newFeature New feature', 'spike deprecation']],
    ['after', 3 * DAY, ['newFeature New feature', 'spike deprecation']],
    ['during', 0, ['newFeature New feature']],
  ])('explains a spike of all features if it appears at the time: %s', async (_, ago, subjects) => {
    const key = await account(id => [
      ...usual(id),
      ...Array.from({ length: 30 }, (_, index) =>
        report(id, 'deprecation', `each-${index}`, {
          date: stamp(END - 4 * DAY + index * 60_000),
          ...{ message: index < 5 && ago === 0 ? 'New feature' : `Feature ${index % 10}`, browser: 'Chrome' },
        }),
      ),
      ...(ago === 0 ? [] : more(id, 5, 'New feature')).map(line => ({
        ...line,
        date: stamp(Date.parse(line.date as string) + 20 * HOUR - 4 * DAY + ago),
      })),
    ]);
    const found = (await find(key)).map(({ kind, subject }) => `${kind} ${subject}`);
    expect(found.sort()).toEqual(subjects);
  });

  it('is compared per day when its reports are too few per hour', async () => {
    expect(await find(await account(id => [...usual(id), ...more(id, 19, 'Old feature')]))).toMatchObject([
      { kind: 'spike', subject: 'Old feature', title: 'Spike of Deprecation reports of Old feature' },
    ]);
    expect(await find(await account(id => [...usual(id), ...more(id, 6, 'Old feature')]))).toEqual([]);
  });
});

describe('a host outside of a connection allowlist', () => {
  const connections = (id: string, host: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      report(id, 'connection_allowlist', `${host}-${index}`, {
        date: stamp(END - 20 * HOUR + index * HOUR),
        uri: 'https://www.example.com/cart',
        connection: `https://${host}/${index}`,
        browser: 'Chrome',
      }),
    );
  const usual = (id: string) => daily(id, 'connection_allowlist', { connection: 'https://api.test/' });

  it('creates an insight when it is reported for the first time', async () => {
    const found = await find(await account(id => [...usual(id), ...connections(id, 'new.test', 5)]));
    expect(found).toMatchObject([
      {
        ...{ kind: 'newFeature', severity: 'change', subject: 'new.test', count: 5 },
        title: 'Connection Allowlist: new.test is reported for the first time',
        detail: expect.stringContaining('a script sends data there that nobody added'),
      },
    ]);
  });

  it('creates no insight for four reports, or for a known host', async () => {
    expect(await find(await account(id => [...usual(id), ...connections(id, 'new.test', 4)]))).toEqual([]);
    expect(await find(await account(id => [...usual(id), ...connections(id, 'api.test', 5)]))).toEqual([]);
  });

  it('is merged with a violation of a Content Security Policy by the same host', async () => {
    const violations = (id: string) =>
      connections(id, 'new.test', 6).map((line, index) => ({
        ...line,
        ...{ type: 'csp', connection: undefined, directive: 'connect-src', blockedUri: 'https://new.test/' },
        ...{ id: `csp-${index}`, browser: index % 2 ? 'Chrome' : 'Firefox' },
      }));
    const old = (id: string) =>
      daily(id, 'csp', {
        uri: 'https://www.example.com/',
        blockedUri: 'https://old.test/',
        directive: 'img-src',
      });
    const found = await find(
      await account(id => [...usual(id), ...old(id), ...violations(id), ...connections(id, 'new.test', 6)]),
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ kind: 'correlated', detail: expect.stringContaining('new.test') });
  });
});

describe('a small number of reports', () => {
  const crashes = (id: string, path: string, count: number) =>
    Array.from({ length: count }, (_, index) =>
      report(id, 'crash', `${path}-${index}`, {
        date: stamp(END - 20 * HOUR + index * HOUR),
        uri: `https://www.example.com${path}`,
        reason: 'oom',
        browser: 'Chrome',
      }),
    );
  const usual = (id: string) => daily(id, 'crash', { uri: 'https://www.example.com/', reason: 'oom' });

  it('creates an insight that names the page if the page never crashed before', async () => {
    expect(await find(await account(id => [...usual(id), ...crashes(id, '/editor', 5)]))).toMatchObject([
      { kind: 'newFeature', subject: 'www.example.com/editor', count: 5 },
    ]);
    expect(await find(await account(id => [...usual(id), ...crashes(id, '/editor', 4)]))).toEqual([]);
  });

  it('is compared per day when no single hour stands out', async () => {
    const usual = (id: string) => daily(id, 'coep', { uri: 'https://www.example.com/' });
    const more = (id: string, count: number) =>
      Array.from({ length: count }, (_, index) =>
        report(id, 'coep', `more-${index}`, {
          date: stamp(END - 20 * HOUR + index * HOUR),
          uri: `https://www.example.com/${index}`,
        }),
      );
    expect(await find(await account(id => [...usual(id), ...more(id, 12)]))).toMatchObject([
      { kind: 'spike', subject: 'coep', title: 'Spike of Cross-Origin Embedder Policy reports' },
    ]);
    expect(await find(await account(id => [...usual(id), ...more(id, 6)]))).toEqual([]);
  });
});

describe('insight coverage', () => {
  const COVERAGE =
    '{ viewer { insightCoverage { since until types { type reports learningUntil } } insights { kind } } }';

  it('returns the number of reports per type, and the end of the learning period', async () => {
    const key = await account(id => [
      ...daily(id, 'coep', {}, { each: 2 }),
      ...daily(id, 'crash', {}, { days: 0 }),
      report(id, 'nel', 'young', { date: stamp(END - 2 * DAY) }),
    ]);
    const { viewer } = await data(service, key, COVERAGE);
    expect(viewer.insightCoverage).toMatchObject({
      since: '2026-05-13T01:00:00+00:00',
      until: '2026-05-20T01:00:00+00:00',
    });
    const byType = (one: { type: string }, other: { type: string }) => (one.type < other.type ? -1 : 1);
    expect(viewer.insightCoverage.types.sort(byType)).toEqual([
      { type: 'coep', reports: 14, learningUntil: null },
      { type: 'nel', reports: 1, learningUntil: '2026-05-25T00:00:00+00:00' },
    ]);
  });

  it('is empty when there are no reports', async () => {
    const { viewer } = await data(service, await account(() => []), COVERAGE);
    expect(viewer).toMatchObject({ insights: [], insightCoverage: { types: [] } });
  });
});

describe('network errors', () => {
  const outage = (id: string, host: string, organisation: string, begin = END - 6 * HOUR) =>
    Array.from({ length: 30 }, (_, index) =>
      report(id, 'nel', `${host}-${index}`, {
        date: stamp(begin + index * 60_000),
        uri: `https://${host}/`,
        nelType: 'dns.name_not_resolved',
        organisation,
      }),
    );
  const usual = (id: string) => daily(id, 'nel', { uri: 'https://www.example.com/', nelType: 'tcp.reset' });

  it('are one insight when several hosts fail at once in the same network', async () => {
    const hosts = ['a.example.com', 'b.example.com', 'c.example.com'];
    const key = await account(id => [
      ...usual(id),
      ...hosts.flatMap(host => outage(id, host, 'Provider AG')),
    ]);
    expect(await find(key)).toMatchObject([
      {
        kind: 'networkError',
        title: 'dns.name_not_resolved on 3 hosts for visitors of Provider AG',
        count: 90,
      },
    ]);
  });

  it('name no network when several are affected, and are separate insights when they occur at different times', async () => {
    const mixed = await account(id => [
      ...usual(id),
      ...outage(id, 'a.example.com', 'One'),
      ...outage(id, 'b.example.com', 'Two'),
    ]);
    expect((await find(mixed)).map(({ title }) => title)).toEqual(['dns.name_not_resolved on 2 hosts']);
    const apart = await account(id => [
      ...usual(id),
      ...outage(id, 'a.example.com', 'One'),
      ...outage(id, 'b.example.com', 'One', END - 30 * HOUR),
    ]);
    expect((await find(apart)).map(({ kind }) => kind)).toEqual(['networkError', 'networkError']);
  });

  it.each([
    [30, ['dns.name_not_resolved on 2 hosts for visitors of One']],
    [31, ['dns.name_not_resolved on a.example.com', 'dns.name_not_resolved on b.example.com']],
  ])('are one insight if they begin within half an hour: %i minutes apart', async (minutes, titles) => {
    const begin = END - 6 * HOUR;
    const key = await account(id => [
      ...usual(id),
      ...outage(id, 'a.example.com', 'One', begin),
      ...outage(id, 'b.example.com', 'One', begin + minutes * 60_000),
    ]);
    expect((await find(key)).map(({ title }) => title.replace(/ for \d+ minutes$/, '')).sort()).toEqual(
      titles,
    );
  });
});

it('the hourly counts of the 100 busiest values are read, and of equally busy ones the first', async () => {
  const id = 'failing-hourly';
  await open(service, personal(id), plan(id));
  const name = (index: number) => `host-${String(index).padStart(3, '0')}.example`;
  await service.load(
    report(id, 'nel', 'original', {
      uri: `https://${name(0)}/`,
      date: stamp(END - HOUR),
      nelType: 'dns.failed',
    }),
  );
  // 20 further reports of each host, and 40 of the last. What a report counts does not make an hour busier.
  await copyReport(service.databaseUrl, {
    accountId: id,
    type: 'nel',
    count: 20 * 103,
    columns: {
      host_reversed: `reverse('host-' || lpad(least(n % 103, 101)::text, 3, '0') || '.example')`,
      count: 'case n % 103 when 100 then 9 else 1 end',
    },
  });
  const window = {
    account: id as string as AccountId,
    from: '2026-05-01T00:00:00Z',
    since: '2026-05-18T00:00:00Z',
    until: `${TODAY}T00:00:00Z`,
  };
  const { error } = await hourlySeries(service.database, 'nel', window);
  expect(error.map(({ values }) => values[0]).sort()).toEqual(
    [...Array.from({ length: 99 }, (_, index) => name(index)), name(101)].sort(),
  );
});

const failedSessions = (id: string, reports: number): Line[] =>
  Array.from({ length: reports }, (_, index) =>
    report(id, 'tls_rpt', `failed-${index}`, {
      domain: 'example.com',
      successfulSessions: 900,
      date: stamp(END - (5 + index) * HOUR),
      reporter: 'Big Mail',
      failedSessions: 45,
      failureDetails: [
        { resultType: 'certificate-expired', failedSessions: 45, receivingMxHostname: 'mx2.example.com' },
      ],
    }),
  );

it('waits for a second report when few TLS sessions fail', async () => {
  const sessions = { domain: 'example.com', successfulSessions: 900, failedSessions: 0, reporter: 'Good' };
  const key = await account(id => [...daily(id, 'tls_rpt', sessions), ...failedSessions(id, 1)]);
  expect(await find(key)).toEqual([]);
});

it('names the mail server and the reporter of failed TLS sessions', async () => {
  const sessions = { domain: 'example.com', successfulSessions: 900, failedSessions: 0, reporter: 'Good' };
  const key = await account(id => [...daily(id, 'tls_rpt', sessions), ...failedSessions(id, 2)]);
  const [insight] = await find(key);
  expect(insight!.title).toBe('Mail to example.com fails over TLS at mx2.example.com: certificate-expired');
  // Two reports of 945 sessions, 45 of which failed, and one of 900.
  expect(insight!.detail).toBe(
    '3.2 % of 2,790 sessions failed since 19 May 18:00 UTC, 0.0 % is usual. Most were reported by Big Mail.',
  );
});

describe('a certificate issuer', () => {
  const issued = (id: string, issuer: string, at: number) =>
    report(id, 'certificate_transparency', `${issuer}-${at}`, {
      date: stamp(at),
      issuer,
      hostnames: ['example.com'],
      commonName: 'example.com',
    });
  const usual = (id: string) =>
    daily(id, 'certificate_transparency', { issuer: 'C=US, O=Trust, CN=E7', hostnames: ['example.com'] });

  it('is new only if its organization is new', async () => {
    const key = await account(id => [...usual(id), issued(id, 'C=US, O=Trust, CN=E8', END - 5 * HOUR)]);
    expect(await find(key)).toEqual([]);
    const other = await account(id => [...usual(id), issued(id, 'C=US, O=Other, CN=E7', END - 5 * HOUR)]);
    expect(await find(other)).toMatchObject([{ kind: 'newIssuer', subject: 'C=US, O=Other, CN=E7' }]);
  });
});

describe('a certificate for a new host', () => {
  it.each<[string, string[], boolean]>([
    ['new.example.com', ['example.com'], false],
    ['new.example.com', ['NEW.Example.Com'], false],
    ['NEW.example.com', ['new.example.com'], false],
    ['new.example.com', ['other.example', '*.example.com'], false],
    ['*.example.com', ['example.com'], false],
    ['new.example.com', ['*'], false],
    ['new.example.com', ['other.example'], true],
    ['new.example.com', ['w.example.com'], true],
    ['example.com', ['new.example.com'], true],
  ])('is an insight unless the host is below a site: %s, %j', async (host, sites, isFound) => {
    const issued = { issuer: 'C=US, O=Trust, CN=E7', hostnames: [host], commonName: host };
    const key = await account(id => [
      ...daily(id, 'certificate_transparency', { issuer: issued.issuer, hostnames: ['old.other.example'] }),
      report(id, 'certificate_transparency', 'fresh', { date: stamp(END - 5 * HOUR), ...issued }),
      { kind: 'filters', accountId: id, global: { sites } },
    ]);
    const found = (await find(key)).filter(({ kind }) => kind === 'unknownHostCertificate');
    expect(found.map(({ subject }) => subject)).toEqual(isFound ? [host] : []);
  });
});
