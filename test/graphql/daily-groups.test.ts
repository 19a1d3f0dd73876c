import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { runs } from '../faults/scale.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Groups of days that are kept are those that reading every report gives, whatever changes the reports. */

/** As many reports of a day as make its groups kept, on these days; and too few on one between them. */
const MANY = 240;
const DAYS = ['2026-05-10', '2026-05-11', '2026-05-13', '2026-05-20'];
const FEW_DAY = '2026-05-12';
const TYPES = ['csp', 'nel', 'dmarc'] as const;
type Type = (typeof TYPES)[number];

let service: TestService;
let key: string;
let sql: Operator;
let lock: Operator;

const at = <Of>(values: readonly Of[], index: number): Of => values[index % values.length]!;

const PAGES = ['https://shop.example/cart', 'https://www.shop.example/', 'https://bücher.example/b?c=1'];
const BLOCKED = [
  'https://cdn.example/x.js',
  'chrome-extension://abc/i.js',
  'inline',
  'about',
  '',
  'https://a.b/',
];

const FIELDS: Record<Type, (n: number) => Record<string, unknown>> = {
  csp: n => ({
    uri: at(PAGES, n),
    blockedUri: at(BLOCKED, n * 7 + (n >> 3)),
    directive: at(['img-src', 'style-src', ''], n >> 1),
    browser: at(['Firefox', 'Chrome', ''], n >> 2),
    action: at(['enforced', 'reportOnly'], n >> 4),
    suspicious: n % 11 === 0 ? 1 : 0,
  }),
  nel: n => ({
    uri: at(PAGES, n),
    nelType: at(['tcp.reset', 'abandoned'], n >> 1),
    organisation: at(['A', ''], n),
  }),
  dmarc: n => ({
    aligned: n % 3 === 0,
    disposition: at(['none', 'reject'], n >> 1),
    organisation: at(['Sender "One"', 'Other, {x}', 'NULL', ''], n >> 2),
    sourceIp: `192.0.2.${n % 9}`,
    reporter: at(['Acme', 'b\\c'], n),
    headerFrom: at(['a.example', ''], n >> 3),
  }),
};

const lineOf = (account: string, type: Type, day: string, n: number, fields = {}): Line =>
  report(account, type, `${type}-${day}-${n}`, {
    date: `${day}T${String(n % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:${String(n % 59).padStart(2, '0')}Z`,
    count: 1 + (n % 5),
    ...FIELDS[type](n),
    ...fields,
  });

const reportsOf = (account: string, type: Type, day: string, count: number) =>
  Array.from({ length: count }, (_, n) => lineOf(account, type, day, n));

const everything = (account: string) =>
  TYPES.flatMap(type => [
    ...DAYS.flatMap(day => reportsOf(account, type, day, MANY)),
    ...reportsOf(account, type, FEW_DAY, 40),
  ]);

const maintainNow = () =>
  maintain(sql, lock, { announcer: new Announcer(lock, 0), today: NOW.slice(0, 10), tell: () => {} });

const keptDays = async (account = 'ada') =>
  (
    await sql<{ day: string }[]>`
      select distinct type::text || ' ' || day as day from daily_group where account_id = ${account} order by 1`
  ).map(({ day }) => day);

/** The days before today. */
const OVER = TYPES.flatMap(type => DAYS.slice(0, 3).map(day => `${type} ${day}`)).sort();

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  sql = connectOperator(service.databaseUrl);
  lock = connectOperator(service.databaseUrl);
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 60 }, THREAT_INTELLIGENCE));
  await service.load(
    personal('eve'),
    plan('eve'),
    ...everything('ada'),
    ...reportsOf('eve', 'csp', DAYS[0]!, MANY),
  );
  await maintainNow();
});
afterAll(async () => {
  await Promise.all([sql?.end(), lock?.end()]);
  await service?.close();
});

const GROUPS = 'groups { keys { by value } count reports firstSeen lastSeen days } otherGroups otherCount';
const QUERY = `query ($type: ReportTypeName!, $from: Instant, $to: Instant, $one: [GroupBy!]!, $other: [GroupBy!]!,
    $where: ReportFilter, $not: ReportFilter, $orderBy: GroupOrder, $first: Int, $since: Instant) {
  viewer {
    one: reportGroups(type: $type, from: $from, to: $to, by: $one, where: $where, not: $not, orderBy: $orderBy,
      first: $first, firstSeenSince: $since) { ${GROUPS} totalCount totalReports truncated }
    other: reportGroups(type: $type, from: $from, to: $to, by: $other, where: $where, not: $not)
      { ${GROUPS} totalCount totalReports truncated }
  }
}`;

type Question = Record<string, unknown>;
const ask = async (question: Question) => (await data(service, key, QUERY, { variables: question })).viewer;

const DIMENSIONS: Record<Type, string[]> = {
  csp: 'BLOCKED_HOST BLOCKED_ORIGIN SOURCE_CLASS DIRECTIVE BROWSER ACTION PAGE_HOST PAGE_PATH DAY HOUR'.split(
    ' ',
  ),
  nel: 'NEL_TYPE PHASE PAGE_HOST ORGANISATION SERVER_IP DAY'.split(' '),
  dmarc:
    'ALIGNED DISPOSITION DKIM SPF REPORTER HEADER_FROM SOURCE_ORGANISATION SOURCE_IP SOURCE_NETWORK DAY'.split(
      ' ',
    ),
};
const CLASSES = fc.constantFrom(
  ['extension'],
  ['extension', 'browser'],
  ['unknown'],
  ['inline', 'unknown'],
  [],
);
const filter = (type: Type) =>
  type === 'csp'
    ? fc.option(
        fc.oneof(
          { weight: 3, arbitrary: CLASSES.map(sourceClass => ({ sourceClass })) },
          { weight: 1, arbitrary: fc.constant({ browser: 'Firefox' }) },
          { weight: 2, arbitrary: fc.constant({ anyThreatIntel: true }) },
          { weight: 1, arbitrary: CLASSES.map(sourceClass => ({ sourceClass, anyThreatIntel: true })) },
          { weight: 1, arbitrary: fc.constant({ anyThreatIntel: true, suspicious: true }) },
          { weight: 1, arbitrary: fc.constant({ anyThreatIntel: false }) },
        ),
      )
    : fc.constant(null);

const question = fc.constantFrom(...TYPES).chain(type => {
  // Two of most types can be kept together; three can not, and are read.
  const by = fc.uniqueArray(fc.constantFrom(...DIMENSIONS[type]), { minLength: 1, maxLength: 2 });
  return fc.record({
    type: fc.constant(type),
    one: by,
    other: by,
    from: fc.constantFrom(
      '2026-04-01',
      '2026-05-10',
      '2026-05-10T12:00:00Z',
      '2026-05-11T00:00:00+02:00',
      '2020-01-01',
    ),
    to: fc.constantFrom(null, '2026-05-13', '2026-05-14', '2026-05-11T23:59:59Z', '2026-05-10T13:00:00Z'),
    where: filter(type),
    not: filter(type),
    orderBy: fc.constantFrom('COUNT', 'REPORTS', 'LAST_SEEN', 'FIRST_SEEN', 'KEY'),
    first: fc.constantFrom(1, 3, 1000),
    since: fc.constantFrom(null, null, '2026-05-11', '2026-05-10T20:00:00Z'),
  });
});

/** Asks with kept groups, and then without any. */
async function expectTheSame(questions: readonly Question[]): Promise<void> {
  const answers: unknown[] = [];
  for (const one of questions) answers.push(await ask(one));
  await sql`create table aside as select * from daily_group`;
  await sql`truncate daily_group`;
  const read: unknown[] = [];
  for (const one of questions) read.push(await ask(one));
  await sql`insert into daily_group select * from aside`;
  await sql`drop table aside`;
  for (const [index, one] of questions.entries()) expect([one, answers[index]]).toEqual([one, read[index]]);
}

const some = (count: number, seed: number) => fc.sample(question, { ...runs(count, 10 * count), seed });

describe('the groups of days with many reports', () => {
  it('are kept once the days are over, and answered with', async () => {
    expect(await keptDays()).toEqual(OVER);
    expect(await keptDays('eve')).toEqual([`csp ${DAYS[0]}`]);
    const wholeDay = { type: 'csp', from: DAYS[0], to: DAYS[1], one: ['ACTION'], other: ['DAY'] };
    const { one } = await ask(wholeDay);
    expect(one.totalReports).toBe(MANY);
    await sql`update daily_group set reports = (select array_agg(r * 2) from unnest(reports) r)
      where account_id = 'ada' and day = ${DAYS[0]!}`;
    expect((await ask(wholeDay)).one.totalReports).toBe(2 * MANY);
    await sql`update daily_group set reports = (select array_agg(r / 2) from unnest(reports) r)
      where account_id = 'ada' and day = ${DAYS[0]!}`;
  });

  it('are what reading every report gives, whatever is asked', () => expectTheSame(some(50, 3)), 240_000);

  it('are gone with whatever changes a report of the day, and are kept anew', async () => {
    const [first, second, third] = DAYS as [string, string, string];
    // The same count with another host: no sum changes.
    await service.load(lineOf('ada', 'csp', first, 7, { blockedUri: 'https://new.example/x.js' }));
    expect(await keptDays()).not.toContain(`csp ${first}`);
    expect(await keptDays()).toContain(`nel ${first}`);
    expect(await keptDays('eve')).toEqual([`csp ${first}`]);
    await expectTheSame(some(10, 4));
    // To another day, and gone.
    await service.load(lineOf('ada', 'nel', second, 3, { date: `${third}T01:00:00Z` }), {
      kind: 'report',
      accountId: 'ada',
      type: 'dmarc',
      id: `dmarc-${second}-5`,
      deleted: true,
    });
    expect(await keptDays()).toEqual(
      OVER.filter(day => ![`csp ${first}`, `nel ${second}`, `nel ${third}`, `dmarc ${second}`].includes(day)),
    );
    await expectTheSame(some(12, 5));
    await maintainNow();
    expect(await keptDays()).toEqual(OVER);
    await expectTheSame(some(12, 6));
  }, 240_000);

  it('are gone with reports past the retention, also where that becomes longer again', async () => {
    await service.load(plan('ada', { dataRetentionDays: 8 }, THREAT_INTELLIGENCE));
    await prune(sql, new Announcer(lock, 0), NOW.slice(0, 10));
    await service.load(plan('ada', { dataRetentionDays: 60 }, THREAT_INTELLIGENCE));
    expect(await keptDays()).toEqual(TYPES.map(type => `${type} ${DAYS[2]}`).sort());
    await expectTheSame(some(10, 7));
  }, 240_000);

  it('go with their account', async () => {
    await service.load({ kind: 'account', id: 'eve', deleted: true });
    expect(await keptDays('eve')).toEqual([]);
  });

  it('go with their month', async () => {
    await service.load(plan('ada', { dataRetentionDays: 1 }, THREAT_INTELLIGENCE));
    await maintain(sql, lock, { announcer: new Announcer(lock, 0), today: '2026-09-20', tell: () => {} });
    expect(await keptDays()).toEqual([]);
  });
});
