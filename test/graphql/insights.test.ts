import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Insight } from '../../schema/insight.ts';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { finding, open, personal, plan, report, watch } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { listPlanted, ordinary, type PlantedIncident, stamp } from '../support/planted.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Checks that incidents planted in ordinary data are detected, and that ordinary events cause no insights. */

const TODAY = '2026-05-20';
const NOW = `${TODAY}T01:00:00Z`;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** The number of planted incidents of each kind. */
const PLANTINGS = IN_EARNEST ? 20 : 1;

let service: TestService;
const keys: string[] = [];
const incidents: PlantedIncident[][] = [];
const background = ordinary('ACCOUNT', TODAY, 1, { reports: IN_EARNEST ? 3000 : 1000 });

const named = (lines: readonly Line[], account: string) =>
  lines.map(line => JSON.parse(JSON.stringify(line).replaceAll('ACCOUNT', account)) as Line);

beforeAll(async () => {
  service = await startService({ now: NOW });
  for (let number = 0; number < PLANTINGS; number++) {
    const account = `planted-${number}`;
    const own = listPlanted(account, TODAY, number + 1);
    incidents.push(own);
    await service.load(...named(background, account), ...own.flatMap(({ lines }) => lines));
    keys.push(await service.key('personal', account));
  }
});
afterAll(() => service?.close());

const INSIGHTS = `query ($since: Instant, $until: Instant) {
  viewer { insights(since: $since, until: $until) {
    id kind severity state title detail subject firstSeen lastSeen count baseline link query
  } }
}`;

async function insights(key: string, variables: Record<string, unknown> = {}): Promise<Insight[]> {
  return (await data(service, key, INSIGHTS, { variables })).viewer.insights;
}

/** On failure, this shows the expected insight that is missing. */
const of = (found: readonly Insight[], kind?: string) =>
  found.filter(insight => kind === undefined || insight.kind === kind) as [Insight, ...Insight[]];

describe('planted incidents', () => {
  it('are detected within an hour of data, with the right subject', { tags: 'slow' }, async () => {
    const missed: string[] = [];
    let all = 0;
    for (const [number, own] of incidents.entries()) {
      for (const { at, kinds, subject } of own) {
        const found = await insights(keys[number]!, { until: stamp(at + HOUR) });
        const isNamed = found.some(
          insight => kinds.includes(insight.kind) && `${insight.subject} ${insight.title}`.includes(subject),
        );
        all++;
        if (!isNamed)
          missed.push(`${number} ${kinds} ${subject}: ${found.map(({ id, title }) => `${id} ${title}`)}`);
      }
    }
    process.stderr.write(`${all - missed.length} of ${all} planted incidents are found within an hour\n`);
    expect(missed.length / all, missed.join('\n')).toBeLessThanOrEqual(0.05);
  });

  it('keep their ids from the first hour, regardless of the requested period', { tags: 'slow' }, async () => {
    const [own] = incidents as [PlantedIncident[]];
    for (const { at } of own.slice(0, 4)) {
      const early = await insights(keys[0]!, { until: stamp(at + HOUR) });
      // Insights that were ongoing at the time have ended by now, and belong to the period in which they began.
      const first = Math.min(at - 10 * DAY, ...early.map(({ firstSeen }) => Date.parse(firstSeen)));
      const late = await insights(keys[0]!, { since: stamp(first) });
      const ids = new Set(late.map(({ id }) => id));
      expect(early.filter(({ kind }) => kind !== 'silence').filter(({ id }) => !ids.has(id))).toEqual([]);
    }
    const all = await insights(keys[0]!);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });
});

/** Makes reports of this many hosts within an hour, each host once. Anyone could send these. */
const toForgedReports = (account: string, at: number, count: number): Line[] =>
  Array.from({ length: count }, (_, index) =>
    report(account, 'csp', `forged-${at}-${index}`, {
      date: stamp(at + Math.floor((index / count) * HOUR)),
      uri: 'https://www.example.com/',
      directive: 'script-src-elem',
      blockedUri: `https://x${index}.forged-${at % 1000}.test/a.js`,
      browser: 'Chrome',
      platform: 'Windows',
    }),
  );

/** The number of forged reports. */
const FLOOD = IN_EARNEST ? 5000 : 700;

describe('a flood of forged reports', () => {
  it('does not hide real incidents', { tags: 'slow' }, async () => {
    const [own] = incidents as [PlantedIncident[]];
    const before = await insights(keys[0]!);
    await service.load(...toForgedReports('planted-0', Date.parse(TODAY) - 2 * DAY, FLOOD));
    const after = await insights(keys[0]!);
    const found = ({ subject, kinds }: PlantedIncident, all: typeof after) =>
      all.some(
        insight =>
          kinds.includes(insight.kind) &&
          `${insight.subject} ${insight.title} ${insight.detail}`.includes(subject),
      );
    const seen = own.filter(one => found(one, before));
    expect(seen.length).toBeGreaterThanOrEqual(9);
    expect(seen.filter(one => !found(one, after) && !one.kinds.includes('spike'))).toEqual([]);
    expect(of(after, 'manyNewHosts')).toHaveLength(1);
    expect(of(after, 'manyNewHosts')[0].count).toBeGreaterThanOrEqual(FLOOD);
    expect(of(after, 'manyNewHosts')[0]).toMatchObject({ severity: 'notice' });
    expect(after.length).toBeLessThan(before.length + 5);
  });

  it('does not displace other kinds of insights, and adds a notice with the number of omitted insights', {
    tags: 'slow',
  }, async () => {
    const [[skimmer]] = incidents as [[PlantedIncident]];
    const { at, subject } = skimmer;
    const lines = Array.from({ length: 60 }, (_, host) =>
      Array.from({ length: 12 }, (_, index) =>
        report('planted-0', 'csp', `far-${host}-${index}`, {
          date: stamp(at + index * 60_000),
          uri: 'https://www.example.com/',
          directive: 'img-src',
          blockedUri: `https://far${host}.test/a.png`,
          browser: index % 2 === 0 ? 'Chrome' : 'Firefox',
        }),
      ),
    );
    await service.load(...lines.flat());
    const found = await insights(keys[0]!, { until: stamp(at + 2 * HOUR) });
    expect(of(found, 'newBlockedHost')).toHaveLength(20);
    expect(of(found, 'newBlockedHost')[0]).toMatchObject({ severity: 'threat', subject });
    // A host known to threat intelligence also ranks first among attacks that have ended.
    const over = of(await insights(keys[0]!), 'newBlockedHost').filter(({ state }) => state === 'resolved');
    expect(over[0]).toMatchObject({ severity: 'threat', subject });
    const [more] = of(found, 'more');
    expect(more).toMatchObject({ subject: 'newBlockedHost', severity: 'change' });
    expect(Number(/^\d+/.exec(more.title)?.[0])).toBeGreaterThanOrEqual(41);
  });
});

// In `npm test`, `hourly-rollups.test.ts` covers this comparison.
describe.runIf(IN_EARNEST)('with rollups', () => {
  let sql: Operator;
  let lock: Operator;
  beforeAll(() => {
    sql = connectOperator(service.databaseUrl);
    lock = connectOperator(service.databaseUrl);
  });
  afterAll(() => Promise.all([sql?.end(), lock?.end()]));

  it('returns the same insights as without rollups', async () => {
    const days = [3, 9, 20];
    await service.load(
      ...days.flatMap(day => toForgedReports('planted-0', Date.parse(TODAY) - day * DAY, 210)),
    );
    const periods = [{}, { since: `2026-04-20T07:30:00Z`, until: '2026-05-12T10:10:00Z' }];
    const ask = () => Promise.all(periods.map(period => insights(keys[0]!, period)));
    const read = await ask();
    const announcer = new Announcer(lock, 0);
    await maintain(sql, lock, { announcer, today: TODAY, report: () => {} });
    const rollups = await sql`select distinct dimensions from daily_group where dimensions like 'hours %'`;
    expect(rollups.length).toBeGreaterThanOrEqual(4);
    // A new version prevents cached results.
    await service.load(plan('planted-0', { reportQuota: 123_456 }));
    await service.load(plan('planted-0', { reportQuota: 500_000 }, { threatIntelligence: true }));
    expect((await ask()).map(byId)).toEqual(read.map(byId));
    expect(read[0]!.length).toBeGreaterThan(5);
  });
});

const byId = (found: readonly { id: string }[]) =>
  found.toSorted((one, other) => (one.id < other.id ? -1 : 1));

describe('a small account', () => {
  const start = Date.parse(TODAY) - 40 * DAY;
  /** A few reports of a type per day, some hours apart. */
  const daily = (
    account: string,
    type: string,
    each: number,
    fieldsOf: (day: number, index: number) => object,
    days = 40,
  ) =>
    Array.from({ length: days * each }, (_, number) => {
      const [day, index] = [Math.floor(number / each), number % each];
      const date = stamp(start + day * DAY + (index * DAY) / each);
      return report(account, type, `${type}-${number}`, { date, ...fieldsOf(day, index) });
    });
  const opened = (account: string, fields = {}, features = { threatIntelligence: true }) =>
    open(service, personal(account), plan(account, fields, features));

  it('has no insights when it has no reports', async () => {
    expect(await insights(await opened('empty'))).toEqual([]);
  });

  it('causes no statements about types without reports', async () => {
    const countStatements = async (account: string, ...lines: Line[]) => {
      const key = await opened(account);
      await service.load(...lines);
      const before = service.statements;
      await insights(key);
      return service.statements - before;
    };
    const crash = report('crashes', 'crash', 'old', { date: '2026-05-01T00:00:00Z', reason: 'oom' });
    const withOne = await countStatements('crashes', crash);
    const without = await countStatements('none', {
      ...crash,
      accountId: 'none',
      date: '2026-01-01T00:00:00Z',
    });
    // The totals, the reasons and the pages of crashes.
    expect(withOne - without).toBe(3);
    expect(without).toBeLessThan(6);
  });

  it('has no insights when all its data is new', async () => {
    const key = await opened('fresh');
    await service.load(
      ...toForgedReports('fresh', Date.parse(TODAY) - 2 * DAY, 300),
      ...daily('fresh', 'nel', 3, () => ({ uri: 'https://a.example/', nelType: 'dns.unreachable' }), 3),
    );
    expect(await insights(key)).toEqual([]);
  });

  it('has one insight that joins certificates, network errors and mail failures of one host', async () => {
    const key = await opened('joined');
    const at = Date.parse('2026-05-18T09:00:00Z');
    const [host, minute] = ['mx1.example.com', 60_000];
    await service.load(
      ...daily('joined', 'certificate_transparency', 1, () => ({
        issuer: 'CN=Known',
        hostnames: ['example.com'],
      })),
      ...daily('joined', 'nel', 4, () => ({ uri: 'https://www.example.com/', nelType: 'tcp.reset' })),
      ...daily('joined', 'tls_rpt', 1, () => ({
        domain: 'example.com',
        successfulSessions: 900,
        failedSessions: 0,
      })),
      report('joined', 'certificate_transparency', 'changed', {
        date: stamp(at),
        issuer: 'CN=Other CA',
        hostnames: [host],
      }),
      ...Array.from({ length: 30 }, (_, index) =>
        report('joined', 'nel', `error-${index}`, {
          date: stamp(at + (10 + index) * minute),
          uri: `https://${host}/`,
          nelType: 'tls.cert.name_invalid',
        }),
      ),
      report('joined', 'tls_rpt', 'mismatch', {
        date: stamp(at + 45 * minute),
        domain: 'example.com',
        successfulSessions: 300,
        failedSessions: 200,
        failureDetails: [
          { resultType: 'certificate-host-mismatch', failedSessions: 200, receivingMxHostname: host },
        ],
      }),
    );
    const [only, ...rest] = of(await insights(key));
    expect(rest).toEqual([]);
    expect(only).toMatchObject({ kind: 'correlated', severity: 'incident', subject: host });
    expect(only.title).toBe(
      `${host}: Certificate Transparency, then Network Error Logging, then SMTP TLS Reporting`,
    );
    expect(only.detail).toMatch(/Other CA issued .* tls\.cert\.name_invalid on .* certificate-host-mismatch/);
  });

  it('has insights for certificates of new hosts only outside its sites', async () => {
    const key = await opened('sites');
    const sites = ['example.com', '*.example.org'];
    const issued = (id: string, hostnames: string[]) =>
      report('sites', 'certificate_transparency', id, {
        date: stamp(Date.parse('2026-05-18T09:00:00Z')),
        issuer: 'CN=Known',
        hostnames,
      });
    await service.load(
      { kind: 'filters', accountId: 'sites', global: { sites } },
      ...daily('sites', 'certificate_transparency', 1, () => ({
        issuer: 'CN=Known',
        hostnames: ['example.com'],
      })),
      issued('own', ['shop.example.com', 'www.example.org', '*.example.com']),
      issued('similar', ['notexample.com']),
      issued('longer', ['example.com.evil.test']),
    );
    const subjects = of(await insights(key)).map(({ subject }) => subject);
    expect(subjects.sort()).toEqual(['example.com.evil.test', 'notexample.com']);
  });

  it('has one spike insight for a host, without more for the page and directive it explains', async () => {
    const key = await opened('spiked');
    const of = (host: string, page: string) => ({
      uri: `https://a.example/${page}`,
      blockedUri: `https://${host}/x.js`,
      directive: 'script-src',
    });
    const at = Date.parse('2026-05-18T10:00:00Z');
    await service.load(
      ...daily('spiked', 'csp', 24, (_, index) => (index % 2 ? of('x.test', 'shop') : of('y.test', 'news'))),
      ...Array.from({ length: 400 }, (_, index) =>
        report('spiked', 'csp', `more-${index}`, {
          date: stamp(at + index * 15_000),
          ...of('x.test', 'shop'),
        }),
      ),
    );
    expect((await insights(key)).map(({ kind, subject }) => `${kind} ${subject}`)).toEqual(['spike x.test']);
  });

  it('has an insight when a sender starts to fail, which covers all hours of the failure', async () => {
    const key = await opened('failing');
    const mail = (id: string, at: number, aligned: boolean, count: number) =>
      report('failing', 'dmarc', id, { date: stamp(at), organisation: 'Mailer', aligned, count });
    const at = Date.parse('2026-05-18T06:00:00Z');
    await service.load(
      ...daily('failing', 'dmarc', 2, () => ({ organisation: 'Mailer', aligned: true })).filter(
        ({ date }) => Date.parse(date as string) < at,
      ),
      ...[0, 1, 2, 3].flatMap(hour => [
        mail(`failed-${hour}`, at + hour * HOUR + 600_000, false, 15),
        mail(`passed-${hour}`, at + hour * HOUR + 3_000_000, true, 1),
      ]),
    );
    expect(of(await insights(key), 'senderFails')).toMatchObject([
      {
        subject: 'Mailer',
        count: 60,
        firstSeen: '2026-05-18T06:10:00+00:00',
        lastSeen: '2026-05-18T09:50:00+00:00',
      },
    ]);
  });

  it('has an insight when a report type or a reporter stops', async () => {
    const key = await opened('silent');
    await service.load(
      ...daily('silent', 'csp', 24, () => ({ uri: 'https://a.example/', blockedUri: 'inline' })),
      ...daily('silent', 'crash', 2, () => ({ uri: 'https://a.example/' }), 37),
      ...daily('silent', 'dmarc', 3, (day, index) => ({
        reporter: index === 2 && day > 36 ? 'One' : ['One', 'Two', 'Three'][index],
        aligned: true,
      })),
    );
    const found = of(await insights(key), 'silence');
    expect(found.map(({ subject }) => subject).sort()).toEqual(['Three', 'crash']);
    expect(found.find(({ subject }) => subject === 'crash')).toMatchObject({
      firstSeen: '2026-05-16T12:00:00+00:00',
      title: 'Crash reports stopped',
    });
    // For three days, one of the daily reports is missing.
    expect(found.find(({ subject }) => subject === 'Three')).toMatchObject({ count: 0, baseline: 3 });
  });

  it("has no insight about silent mail before the day's report is due", async () => {
    const [alone, combined] = [await opened('mailbox'), await opened('mailbox-and-site')];
    // Reports arrive a day after the day they describe: the one for the 18th arrives on the 19th.
    const mails = (account: string) => daily(account, 'dmarc', 1, () => ({ aligned: true }), 38);
    await service.load(
      ...mails('mailbox'),
      ...mails('mailbox-and-site'),
      ...daily('mailbox-and-site', 'crash', 24, () => ({ uri: 'https://a.example/' }), 41),
    );
    const silent = async (key: string, until: string) =>
      of(await insights(key, { until }), 'silence').map(({ subject }) => subject);
    expect(await silent(alone, '2026-05-19T18:00:00Z')).toEqual([]);
    expect(await silent(combined, '2026-05-19T18:00:00Z')).toEqual([]);
    expect(await silent(alone, '2026-05-20T00:30:00Z')).toEqual(['']);
    expect(await silent(combined, '2026-05-20T00:30:00Z')).toEqual(['dmarc']);
  });

  it('has an insight within an hour when a busy report type stops', { tags: 'slow' }, async () => {
    const key = await opened('stopped');
    // Thirty reports in each of the hours around the last one are compared; of other hours, it only counts that there is one.
    const hours = daily('stopped', 'coop', 24 * 30, () => ({ uri: 'https://a.example/' }), 17).filter(
      ({ date }) => /T0[56]:|:00:00Z$/.test(date as string),
    );
    const gone = start + 16 * DAY + 5 * HOUR + 20 * 60_000;
    await service.load(
      ...hours.filter(({ date }) => Date.parse(date as string) < gone),
      ...daily('stopped', 'nel', 24 * 4, () => ({ uri: 'https://a.example/', nelType: 'abandoned' }), 17),
    );
    const until = (minutes: number) => ({ until: stamp(gone + minutes * 60_000) });
    expect(of(await insights(key, until(60)), 'silence').map(({ subject }) => subject)).toEqual(['coop']);
    expect(of(await insights(key, until(20)), 'silence')).toEqual([]);
  });

  it('has an insight when the quota will not last, dated to the day when this was first predicted', async () => {
    const key = await opened('quota', { reportQuota: 600 });
    await service.load(
      ...daily('quota', 'coep', 20, day => ({ uri: 'https://a.example/', count: day > 31 ? 3 : 1 })),
    );
    const [insight, ...rest] = of(await insights(key), 'quota');
    expect(rest).toEqual([]);
    expect(insight).toMatchObject({ subject: '2026-05', baseline: 600, title: 'The quota is used up' });
    const before = of(await insights(key, { since: '2026-05-01', until: '2026-05-14T12:00:00Z' }), 'quota');
    expect(before.map(({ id }) => id)).toEqual([insight.id]);
  });

  it('has no insight about a quota because of types that do not count towards it', async () => {
    const key = await opened('free', { reportQuota: 600 });
    const lines = (type: string) => daily('free', type, 20, () => ({ uri: 'https://a.example/', count: 3 }));
    await service.load(...lines('other'), ...lines('connection_allowlist'));
    expect(of(await insights(key), 'quota')).toEqual([]);
    await service.load(...lines('coep'));
    expect(of(await insights(key), 'quota')).toHaveLength(1);
  });

  it.each([
    ['missed one day of the last 14', 13, ['regular']],
    ['missed two days of the last 14', 12, []],
  ])('has an insight if a reporter stops that %s, whatever the days before', async (_, days, subjects) => {
    const name = `fortnight-${days}`;
    const key = await opened(name);
    // The reporter sends until the 10th, and on 28 earlier days without the missed ones.
    const missed = new Set([8, 9].slice(0, 14 - days).map(day => `2026-05-0${day}`));
    const dates = Array.from({ length: 28 }, (_, index) =>
      stamp(Date.parse('2026-05-10T10:00:00Z') - index * DAY),
    );
    await service.load(
      ...dates
        .filter(date => !missed.has(date.slice(0, 10)))
        .map((date, index) =>
          report(name, 'dmarc', `d-${index}`, { date, reporter: 'regular', aligned: true }),
        ),
      ...daily(name, 'dmarc', 1, () => ({ reporter: 'steady', aligned: true })),
      ...daily(name, 'csp', 3, () => ({ uri: 'https://a.example/', blockedUri: 'inline' })),
    );
    const found = of(await insights(key), 'silence').map(({ subject }) => subject);
    expect(found).toEqual(subjects);
  });

  it('has no insight once the quota will last again, and a new one dated to a second rise', async () => {
    const key = await opened('recovered', { reportQuota: 600 });
    // May starts on day 21. Its daily pace is 930 after three days, 394 on day seventeen, and 887 after day eighteen.
    const byDay = (day: number) => (day < 21 ? 0 : day < 26 ? 30 : 5);
    const lines = Array.from({ length: 40 }, (_, day) => ({ day, count: byDay(day) })).flatMap(
      ({ day, count }) =>
        Array.from({ length: count }, (_, index) =>
          report('recovered', 'coep', `coep-${day}-${index}`, {
            date: stamp(start + day * DAY + index * 60_000),
            uri: 'https://a.example/',
          }),
        ),
    );
    await service.load(...lines);
    const ask = async (until: string) =>
      of(await insights(key, { since: '2026-05-01', until }), 'quota').map(({ firstSeen, title }) => [
        firstSeen.slice(0, 10),
        title,
      ]);
    const title = 'The quota will not last until the end of the month';
    expect(await ask('2026-05-02T23:59:59Z')).toEqual([]);
    expect(await ask('2026-05-06T12:00:00Z')).toEqual([['2026-05-03', title]]);
    expect(await ask('2026-05-17T12:00:00Z')).toEqual([]);
    await service.load(
      ...Array.from({ length: 300 }, (_, index) =>
        report('recovered', 'coep', `again-${index}`, {
          date: stamp(Date.parse('2026-05-18T00:00:00Z') + index * 60_000),
          uri: 'https://a.example/',
        }),
      ),
    );
    expect(await ask('2026-05-19T12:00:00Z')).toEqual([['2026-05-18', title]]);
  });

  it('has no insights about hosts of browser extensions or of the browser itself', async () => {
    const key = await opened('extended');
    const at = Date.parse('2026-05-18T09:00:00Z');
    const hosts = [
      'chrome-extension://abcdefgh/inject.js',
      'moz-extension://12345678-90ab/inject.js',
      'safari-web-extension://ABCD/inject.js',
      'about://blank',
    ];
    const blocked = (uri: string, index: number) =>
      report('extended', 'csp', `${uri.length}-${index}-${uri.slice(0, 9)}`, {
        date: stamp(at + index * 60_000),
        uri: `https://a.example/checkout/${index % 5}`,
        directive: 'script-src-elem',
        blockedUri: uri,
        browser: ['Chrome', 'Firefox', 'Safari', 'Edge'][index % 4],
        platform: ['Windows', 'macOS'][index % 2],
      });
    await service.load(
      ...daily('extended', 'csp', 4, () => ({ uri: 'https://a.example/', blockedUri: 'inline' })),
      ...hosts.flatMap(uri => Array.from({ length: 15 }, (_, index) => blocked(uri, index))),
    );
    const about = async () =>
      (await insights(key))
        .filter(({ kind }) => !['silence', 'spike'].includes(kind))
        .map(({ subject }) => subject);
    expect(await about()).toEqual([]);
    // The same reports from a host that serves its script over the web. Until then, only inline code was blocked.
    await service.load(
      ...Array.from({ length: 15 }, (_, index) => blocked('https://abcdefgh.test/inject.js', index)),
    );
    expect(await about()).toEqual(['abcdefgh.test']);
  });

  it('has separate insights for the findings of each watch on the same site', async () => {
    const key = await opened('products');
    const found = (product: string, uri: string, firstSeen: string) =>
      finding('products', product, 'a.example', uri, { firstSeen, lastSeen: firstSeen });
    const lines = (product: string) => [
      watch('products', product, 'a.example'),
      found(product, `https://${product}-1.test/a.js`, '2026-04-01T00:00:00Z'),
      found(product, `https://${product}-2.test/a.js`, '2026-05-17T08:00:00Z'),
    ];
    await service.load(...lines('script'), ...lines('data'));
    const insight = of(await insights(key), 'newFinding');
    expect(insight.map(({ title, detail }) => [title, detail]).sort()).toEqual(
      ['data', 'script'].map(product => [
        `The ${product} watch of a.example found 1 host that no watch had found before`,
        `The newest is https://${product}-2.test/a.js.`,
      ]),
    );
    expect(new Set(insight.map(({ id }) => id)).size).toBe(2);
  });

  it('has an insight when a quiet watch finds new hosts, but not about the first ones of a watch', async () => {
    const key = await opened('watched');
    const found = (uri: string, firstSeen: string, site = 'a.example') =>
      finding('watched', 'script', site, uri, { firstSeen, lastSeen: firstSeen });
    await service.load(
      watch('watched', 'script', 'a.example'),
      found('https://x.test/1.js', '2026-04-01T00:00:00Z'),
      found('https://y.test/2.js', '2026-05-17T08:00:00Z'),
      found('https://later.test/2.js', '2026-05-17T20:00:00Z'),
      found('https://z.test/3.js', '2026-05-18T08:00:00Z'),
      watch('watched', 'script', 'b.example'),
      found('https://first.test/1.js', '2026-05-17T08:00:00Z', 'b.example'),
    );
    const insight = of(await insights(key), 'newFinding');
    expect(insight).toMatchObject([
      { subject: 'a.example', count: 2, detail: 'The newest is https://later.test/2.js.' },
    ]);
  });

  it('has the 20 latest insights of a kind, and one that counts the others', async () => {
    const key = await opened('crowded');
    const sites = Array.from({ length: 22 }, (_, index) => `s-${String(index).padStart(2, '0')}.example`);
    const lines = sites.flatMap((site, index) => {
      // The last two begin together.
      const firstSeen = stamp(Date.parse('2026-05-17T08:00:00Z') + Math.min(index, 20) * 60_000);
      const lastSeen = index < 2 ? `2026-05-18T0${8 - index}:00:00Z` : firstSeen;
      return [
        watch('crowded', 'script', site),
        finding('crowded', 'script', site, `https://old-${index}.test/`, {
          firstSeen: '2026-04-01T00:00:00Z',
          lastSeen: '2026-04-01T00:00:00Z',
        }),
        finding('crowded', 'script', site, `https://new-${index}.test/`, {
          firstSeen,
          lastSeen,
          count: index + 1,
        }),
      ];
    });
    await service.load(...lines);
    const found = await insights(key);
    const latest = [...sites.slice(20), ...sites.slice(2, 20).reverse()];
    expect(found.map(({ kind, subject }) => [kind, subject])).toEqual([
      ...latest.map(site => ['newFinding', site]),
      ['more', 'newFinding'],
    ]);
    expect(found.at(-1)).toMatchObject({
      severity: 'notice',
      title: '2 more insights of the kind newFinding',
      firstSeen: '2026-05-17T08:00:00+00:00',
      lastSeen: '2026-05-18T08:00:00+00:00',
      count: 1 + 2,
      baseline: 0,
      link: '/app#/',
      query: null,
    });
  });

  it('has its insights from the cache for a minute, until the next load and for each period', async () => {
    const key = await opened('cached');
    const count = async (variables: Record<string, unknown> = {}) => {
      const before = service.statements;
      await insights(key, variables);
      return service.statements - before;
    };
    const [search, cached] = [await count(), await count()];
    expect(search).toBeGreaterThan(cached);
    service.setNow(NOW.replace(':00Z', ':59Z'));
    expect(await count()).toBe(cached);
    service.setNow(NOW.replace(':00:00Z', ':01:00Z'));
    expect(await count()).toBe(search);
    service.setNow(NOW);
    for (const period of [
      { since: '2026-05-13' },
      { since: '2026-05-14' },
      { since: '2026-05-13', until: '2026-05-18' },
      { until: '2026-05-18' },
      { until: '2026-05-19' },
      { until: '2026-05-19T00:00:01Z' },
    ])
      expect([await count(period), await count(period)], JSON.stringify(period)).toEqual([search, cached]);
    // An end in the future is now.
    expect([await count({ until: '2026-06-01' }), await count({ until: '2026-07-01' })]).toEqual([
      search,
      cached,
    ]);
    await service.load(watch('cached', 'script', 'a.example'));
    expect(await count()).toBe(search);
  });

  it('has the insights and the coverage of a period from one search', async () => {
    const key = await opened('both');
    const count = async (fields: string) => {
      const before = service.statements;
      await data(service, key, `{ viewer { ${fields} } }`);
      return service.statements - before;
    };
    const coverage = (since: string) => `insightCoverage(since: "${since}") { since }`;
    const one = await count(coverage('2026-05-13'));
    expect(one).toBeGreaterThan(1);
    expect(await count(`insights(since: "2026-05-12") { id } ${coverage('2026-05-12')}`)).toBe(one);
  });

  it('has no insight about a new file on a host that a watch already found', async () => {
    const key = await opened('files');
    const found = (product: string, uri: string, firstSeen: string) =>
      finding('files', product, 'a.example', uri, { firstSeen, lastSeen: firstSeen });
    await service.load(
      watch('files', 'script', 'a.example'),
      watch('files', 'data', 'a.example'),
      found('data', 'https://Vendor.test/pixel.gif', '2026-03-20T00:00:00Z'),
      found('script', 'https://x.test/1.js', '2026-04-01T00:00:00Z'),
      found('script', 'https://x.test/2.js', '2026-05-17T08:00:00Z'),
      found('script', 'https://vendor.test/3.js', '2026-05-18T08:00:00Z'),
    );
    expect(of(await insights(key), 'newFinding')).toEqual([]);
  });

  it('has threat intelligence insights only if the plan includes Threat Intelligence', {
    tags: 'slow',
  }, async () => {
    const registered = Array.from({ length: 8 }, (_, index) =>
      report('known', 'csp', `registered-${index}`, {
        date: stamp(Date.parse(NOW) - 2 * HOUR + index * 60_000),
        uri: 'https://www.example.com/blog',
        directive: 'img-src',
        blockedUri: 'https://pixel.test/a.png',
        browser: index % 2 === 0 ? 'Chrome' : 'Firefox',
        recentlyRegisteredDomain: 1,
      }),
    );
    const severities: Record<string, unknown> = {};
    const key = await opened('known');
    const [skimmer] = listPlanted('known', TODAY, 1);
    await service.load(...named(background, 'known'), ...skimmer!.lines, ...registered);
    for (const threatIntelligence of [false, true]) {
      await service.load(plan('known', {}, { threatIntelligence }));
      const found = of(await insights(key), 'newBlockedHost');
      severities[threatIntelligence ? 'known' : 'plain'] = [skimmer!.subject, 'pixel.test'].map(host => {
        const { severity, title } = found.find(({ subject }) => subject === host)!;
        return `${severity}: ${title}`;
      });
    }
    expect(severities).toEqual({
      plain: [
        'threat: cdn.skim-1a.test was new, and tried to run script on /checkout/payment',
        'change: pixel.test was not blocked in the 28 days before',
      ],
      known: [
        'threat: cdn.skim-1a.test, known to threat intelligence, tried to run script on /checkout/payment',
        'threat: pixel.test is new on your pages, and threat intelligence knows it',
      ],
    });
  });

  it('cannot read insights of other accounts, or of more than 92 days', async () => {
    const key = await opened('curious');
    const query = 'query ($id: ID!) { account(id: $id) { insights { id } } }';
    const other = await ask(service, key, query, { variables: { id: 'planted-0' } });
    expect(other.body.data.account).toBeNull();
    const { body } = await ask(service, key, INSIGHTS, { variables: { since: '2025-01-01' } });
    expect(body.errors[0].message).toBe(
      'Invalid value for parameter: since. Insights cover at most 92 days.',
    );
    expect(await insights(key, { since: '2026-05-21' })).toEqual([]);
  });

  it('returns the coverage of each period of a request, of up to 92 days', async () => {
    const key = await opened('covered');
    const { viewer } = await data(
      service,
      key,
      `{ viewer {
        longest: insightCoverage(since: "2026-01-01", until: "2026-04-03") { since until }
        earlier: insightCoverage(since: "2026-05-01", until: "2026-05-09") { since until }
        later: insightCoverage(since: "2026-05-02", until: "2026-05-09") { since until } } }`,
    );
    const at = (day: string) => `2026-${day}T00:00:00+00:00`;
    expect(viewer).toEqual({
      longest: { since: at('01-01'), until: at('04-03') },
      earlier: { since: at('05-01'), until: at('05-09') },
      later: { since: at('05-02'), until: at('05-09') },
    });
  });

  it('gets links and queries in which values from reports are escaped', async () => {
    const key = await opened('hostile');
    await service.load(
      ...daily('hostile', 'dmarc', 6, () => ({ organisation: 'Good', aligned: true, count: 9 })),
      ...Array.from({ length: 5 }, (_, index) =>
        report('hostile', 'dmarc', `evil-${index}`, {
          date: `2026-05-18T0${index}:00:00Z`,
          organisation: '\u202eEvil"&x=1#\n<b>Ltd</b>',
          aligned: false,
          count: 99,
        }),
      ),
    );
    const [insight] = of(await insights(key), 'newSender');
    expect(insight.title).toBe(
      'Evil"&x=1# <b>Ltd</b> sends mail in your name for the first time, and fails DMARC',
    );
    expect(new URL(insight.query!, 'http://x').searchParams.get('sender')).toBe(
      '\u202eEvil"&x=1#\n<b>Ltd</b>',
    );
    const { body } = await service.get(`${insight.query}&format=json`, key);
    expect(body).toHaveLength(5);
    expect(new URLSearchParams(insight.link.split('?')[1]).get('sender')).toContain('Evil');
  });
});

describe('a burst of forged reports', () => {
  it('does not displace a real new host', { tags: 'slow' }, async () => {
    const account = 'flooded';
    const at = (ago: number) => stamp(Date.parse(NOW) - ago);
    const blocked = (name: string, host: string, kind: number, ago: number) =>
      report(account, 'csp', name, {
        uri: `https://shop.example/page-${kind}`,
        blockedUri: `https://${host}/x.js`,
        directive: 'script-src-elem',
        browser: `Browser ${kind}`,
        platform: 'Any',
        date: at(ago),
      });
    const own = await open(service, personal(account), plan(account));
    await service.load(
      ...named(background, account),
      ...[0, 1, 2, 3, 4].map(index =>
        blocked(`true-${index}`, 'true-evil.example', index % 2, 5 * HOUR + index),
      ),
      ...Array.from({ length: 200 }, (_, index) =>
        blocked(`forged-${index}`, `forged-${index % 40}.example`, Math.floor(index / 40), 2 * HOUR + index),
      ),
    );
    const found = of(await insights(own), 'newBlockedHost').map(({ subject }) => subject);
    expect(found).toHaveLength(20);
    expect(found).toContain('true-evil.example');
  });
});
