import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Insight } from '../../schema/insight.ts';
import type { AccountId } from '../../sql/account-id.ts';
import { Announcer } from '../../sql/changes/announcer.ts';
import { hourlySeries, hourlyTotals, mailSeries } from '../../sql/insights/hourly.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { IN_EARNEST, runs } from '../faults/scale.ts';
import { report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { listPlanted, ordinary, stamp } from '../support/planted.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/**
 * Checks that insights and groups based on the hourly rollups of the last two days equal those based on all reports.
 */

const TODAY = '2026-05-20';
const NOW = `${TODAY}T14:30:00Z`;
const HOUR = 3_600_000;
/** Enough reports for an hourly rollup. */
const MANY = 210;
type Type = 'csp' | 'nel' | 'dmarc' | 'tls_rpt' | 'certificate_transparency' | 'deprecation';
/** `npm test` covers only the types that the tests below change. */
const TYPES: Type[] = ['csp', 'nel', 'dmarc'];
if (IN_EARNEST) TYPES.push('tls_rpt', 'certificate_transparency', 'deprecation');

let service: TestService;
let key: string;
let sql: Operator;
let lock: Operator;

const HOSTS = ['cdn.example', 'shop.example.com', 'x.test', 'new.test'];

const FIELDS: Record<Type, (n: number) => Record<string, unknown>> = {
  csp: n => ({
    uri: `https://www.example.com/${n % 3}`,
    blockedUri: `https://${HOSTS[(n >> 1) % 4]}/a.js`,
    directive: n % 2 ? 'img-src' : 'script-src-elem',
    browser: n % 5 ? 'Chrome' : 'Firefox',
  }),
  nel: n => ({ uri: 'https://www.example.com/', nelType: n % 4 ? 'tcp.reset' : 'ok' }),
  tls_rpt: n => ({
    domain: `${n % 2}.example.com`,
    reporter: n % 3 ? 'Acme' : 'Other',
    successfulSessions: 90 + n,
    failedSessions: n % 4 ? 0 : 40,
    failureDetails:
      n % 4 ? [] : [{ resultType: 'sts-policy-invalid', failedSessions: 40, receivingMxHostname: 'mx' }],
  }),
  certificate_transparency: n => ({
    issuer: `CN=${n % 2}`,
    hostnames: [`${n % 5}.example.com`, 'example.com'],
  }),
  deprecation: n => ({ uri: 'https://www.example.com/', message: `${n % 2}`, count: 1 + (n % 3) }),
  dmarc: n => ({ aligned: n % 3 > 0, organisation: `Sender ${n % 2}`, reporter: 'Acme', count: 1 + (n % 9) }),
};

/** Reports within one hour; report `n` is at second `n`. */
const toLine = (type: Type, hour: string, n: number, fields = {}): Line =>
  report('ada', type, `${type}-${hour}-${n}`, {
    date: stamp(Date.parse(`${hour}:00:00Z`) + (n % 3600) * 1000),
    ...FIELDS[type](n),
    ...fields,
  });

const toHour = (type: Type, hour: string, count = MANY) =>
  Array.from({ length: count }, (_, n) => toLine(type, hour, n));

const HOURS = ['2026-05-18T10', '2026-05-19T03', '2026-05-19T23', `${TODAY}T00`, `${TODAY}T13`];

const maintainNow = () =>
  maintain(sql, lock, { announcer: new Announcer(lock, 0), today: TODAY, report: () => {} });

/** Returns names such as `csp 2026-05-20 13:00`, or `csp 2026-05-18` for a whole day. */
async function listRollups(): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select distinct type::text || ' ' || day || coalesce(' ' || substring(dimensions from '^[0-9]{2}:00'), '') as name
    from daily_group where account_id = 'ada' order by 1`;
  return rows.map(({ name }) => name);
}

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  sql = connectOperator(service.databaseUrl);
  lock = connectOperator(service.databaseUrl);
  const lines = [
    ...ordinary('ada', TODAY, 3, { reports: IN_EARNEST ? 3000 : 400 }),
    ...listPlanted('ada', TODAY, 3).flatMap(({ lines }) => lines),
  ];
  await service.load(
    ...lines,
    ...TYPES.flatMap(type => HOURS.flatMap(hour => toHour(type, hour))),
    // From the first instant of an hour to the first one of the next hour.
    ...[...Array(MANY).keys(), 3600].map(second =>
      report('ada', 'coep', `coep-${second}`, {
        date: stamp(Date.parse(`${TODAY}T12:00:00Z`) + second * 1000),
      }),
    ),
  );
  key = await service.key('personal', 'ada');
  await maintainNow();
});
afterAll(async () => {
  await Promise.all([sql?.end(), lock?.end()]);
  await service?.close();
});

const QUERY = `query ($since: Instant, $until: Instant) { viewer {
  insights(since: $since, until: $until) { id kind severity title detail subject firstSeen lastSeen count baseline query }
  ${TYPES.map(
    type => `${type}: reportGroups(type: ${type}, from: "2026-05-17T12:00:00Z", to: $until, by: [PAGE_HOST]) {
    groups { keys { value } count reports firstSeen lastSeen days } totalCount }`,
  ).join('\n')}
} }`;
const PERIODS = [
  {},
  { until: `${TODAY}T13:20:00Z` },
  { since: '2026-05-17T03:30:00Z', until: '2026-05-19T23:00:00Z' },
];

/** In npm test, each comparison uses one of the periods, in rotation. */
let turn = 0;
const nextPeriods = () => (IN_EARNEST ? PERIODS : [PERIODS[turn++ % PERIODS.length]!]);

async function ask(periods: typeof PERIODS) {
  const found = [];
  for (const variables of periods) {
    const { insights, ...groups } = (await data(service, key, QUERY, { variables })).viewer;
    const sorted = (insights as Insight[]).toSorted((one, other) => (one.id < other.id ? -1 : 1));
    found.push({ insights: sorted, ...groups });
  }
  return found;
}

async function withoutRollups<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  await sql`create table aside as select * from daily_group`;
  await sql`truncate daily_group`;
  const answer = await work();
  await sql`insert into daily_group select * from aside`;
  await sql`drop table aside`;
  return answer;
}

/** Compares the results with and without rollups. */
async function expectTheSame(after: unknown): Promise<void> {
  const periods = nextPeriods();
  const answers = await ask(periods);
  const read = await withoutRollups(() => ask(periods));
  expect([after, answers]).toEqual([after, read]);
}

const all = (...names: string[]) => TYPES.flatMap(type => names.map(name => `${type} ${name}`)).sort();
const KEPT = all('2026-05-18', '2026-05-19 03:00', '2026-05-19 23:00', `${TODAY} 00:00`, `${TODAY} 13:00`);

describe('hourly rollups', () => {
  it('exist for today and yesterday, while earlier days have daily rollups', async () => {
    expect((await listRollups()).filter(name => KEPT.includes(name))).toEqual(KEPT);
    expect((await listRollups()).filter(name => / 2026-05-(19|20)$/.test(name))).toEqual([]);
    await expectTheSame('maintain');
    const [{ insights }] = (await ask([{}])) as [{ insights: Insight[] }];
    expect(insights.length).toBeGreaterThan(5);
  });

  it('fall back to the reports when some dimensions are missing', { tags: 'slow' }, async () => {
    await sql`create table whole as select * from daily_group`;
    const half = (place: number) =>
      sql`delete from daily_group where account_id = 'ada' and mod(hashtext(dimensions) + 2, 2) = ${place}`;
    for (const place of [0, 1]) {
      await half(place);
      const left = await sql`select distinct dimensions from daily_group where account_id = 'ada'`;
      expect(left.length).toBeGreaterThan(2);
      await expectTheSame(`half ${place}`);
      await sql`truncate daily_group`;
      await sql`insert into daily_group select * from whole`;
    }
    await sql`drop table whole`;
  });

  it('are searched from the hour that begins with the period on, as reports are', async () => {
    const findSince = async (since: string) => {
      const window = { account: 'ada' as AccountId, from: TODAY, since, until: `${TODAY}T14:00:00Z` };
      const { error } = await hourlySeries(service.database, 'nel', window);
      const { sender } = await mailSeries(service.database, window);
      return [...error, ...sender].map(({ values }) => values.join(' ')).sort();
    };
    const found = [0, 1].flatMap(n => [`Sender ${n} false`, `Sender ${n} true`]);
    for (const read of [(work: () => Promise<string[]>) => work(), withoutRollups]) {
      expect(await read(() => findSince(`${TODAY}T13:00:00Z`))).toEqual([
        ...found,
        'www.example.com tcp.reset',
      ]);
      expect(await read(() => findSince(`${TODAY}T13:00:01Z`))).toEqual([]);
    }
  });

  it('are added up with the reports around them, each of which counts once', async () => {
    const window = { account: 'ada' as AccountId, from: TODAY, since: TODAY, until: `${TODAY}T14:00:00Z` };
    const noon = Date.parse(`${TODAY}T12:00:00Z`) / 1000;
    const expected = [
      { hour: noon / 3600, reports: MANY, count: MANY, first: noon, last: noon + MANY - 1 },
      { hour: noon / 3600 + 1, reports: 1, count: 1, first: noon + 3600, last: noon + 3600 },
    ];
    const find = async () => (await hourlyTotals(service.database, ['coep'], window)).get('coep')!.hours;
    expect(await listRollups()).toContain(`coep ${TODAY} 12:00`);
    expect(await find()).toEqual(expected);
    expect(await withoutRollups(find)).toEqual(expected);
  });

  it('are read by queries', async () => {
    const variables = { since: null, until: `${TODAY}T14:00:00Z` };
    const count = async () => (await data(service, key, QUERY, { variables })).viewer.nel.totalCount;
    const before = await count();
    await sql`update daily_group set count = (select array_agg(c + 1000) from unnest(count) c)
      where account_id = 'ada' and day = ${TODAY} and dimensions = '13:00 PAGE_HOST' and type = 'nel'`;
    expect(await count()).toBe(before + 1000);
    await sql`update daily_group set count = (select array_agg(c - 1000) from unnest(count) c)
      where account_id = 'ada' and day = ${TODAY} and dimensions = '13:00 PAGE_HOST' and type = 'nel'`;
  });

  it('are dropped when a late report changes their hour, and are rebuilt by maintenance', {
    tags: 'slow',
  }, async () => {
    await service.load(
      toLine('csp', '2026-05-19T03', 9999),
      toLine('nel', `${TODAY}T13`, 5, { nelType: 'dead' }),
    );
    const left = KEPT.filter(name => name !== 'csp 2026-05-19 03:00' && name !== `nel ${TODAY} 13:00`);
    expect((await listRollups()).filter(name => KEPT.includes(name))).toEqual(left);
    await expectTheSame('late');
    await maintainNow();
    expect((await listRollups()).filter(name => KEPT.includes(name))).toEqual(KEPT);
    await expectTheSame('anew');
  });

  it('are dropped when a report leaves their hour, without affecting other hours of the day', async () => {
    await service.load(toLine('csp', '2026-05-19T23', 7, { date: `${TODAY}T02:00:00Z` }), {
      kind: 'report',
      accountId: 'ada',
      type: 'dmarc',
      id: `dmarc-${TODAY}T00-3`,
      deleted: true,
    });
    const left = KEPT.filter(name => name !== 'csp 2026-05-19 23:00' && name !== `dmarc ${TODAY} 00:00`);
    expect((await listRollups()).filter(name => KEPT.includes(name))).toEqual(left);
    await expectTheSame('left');
  });

  it('are replaced by daily rollups a day later', async () => {
    await maintain(sql, lock, { announcer: new Announcer(lock, 0), today: '2026-05-21', report: () => {} });
    const rollups = await listRollups();
    expect(rollups.filter(name => name.includes('2026-05-19'))).toEqual(all('2026-05-19'));
    expect(rollups.filter(name => name.includes(`${TODAY} 13:00`))).toEqual(all(`${TODAY} 13:00`));
    await expectTheSame('a day later');
  });
});

const change = fc.oneof(
  fc.record({
    what: fc.constantFrom('come', 'go'),
    type: fc.constantFrom(...TYPES),
    hour: fc.constantFrom(...HOURS, '2026-05-19T04', `${TODAY}T12`),
    from: fc.nat(MANY),
    count: fc.constantFrom(1, 30, MANY),
    move: fc.constantFrom(0, 0, HOUR, -26 * HOUR),
  }),
  fc.constant({ what: 'maintain' as const }),
);
type Change = typeof change extends fc.Arbitrary<infer Of> ? Of : never;

async function apply(one: Change): Promise<void> {
  if (one.what === 'maintain') {
    await maintainNow();
    return;
  }
  const { what, type, hour, from, count, move } = one;
  const lines = Array.from({ length: count }, (_, index) => toLine(type, hour, from + index));
  const moved = lines.map(line => ({
    ...line,
    count: 3,
    date: stamp(Date.parse(line.date as string) + move),
  }));
  const gone = lines.map(({ kind, accountId, type, id }) => ({ kind, accountId, type, id, deleted: true }));
  await service.load(...(what === 'come' ? moved : gone));
}

describe('random changes of reports', () => {
  it('lead to the same insights and groups with and without rollups', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    for (const changes of fc.sample(fc.array(change, { minLength: 2, maxLength: 5 }), {
      ...runs(1, 40),
      seed: 11,
    })) {
      for (const one of changes) await apply(one);
      await expectTheSame(changes);
      await maintainNow();
      await expectTheSame([...changes, 'maintain']);
    }
  });
});
