import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { IN_EARNEST, runs } from '../faults/scale.ts';
import { NOW, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Checks that daily rollups equal the groups of all reports, whatever was changed. */

/** The number of reports on each day: enough for a rollup, except on `FEW_DAY`. */
const MANY = IN_EARNEST ? 240 : 96;
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

const POLICIES = [
  "default-src 'self'",
  "DEFAULT-SRC 'self'",
  "script-src 'nonce-abc' 'self'",
  'img-src https://bücher.example/\\',
  '',
];

const FIELDS: Record<Type, (n: number) => Record<string, unknown>> = {
  csp: n => ({
    uri: at(PAGES, n),
    blockedUri: at(BLOCKED, n * 7 + (n >> 3)),
    directive: at(['img-src', 'style-src', ''], n >> 1),
    browser: at(['Firefox', 'Chrome', ''], n >> 2),
    action: at(['enforced', 'reportOnly'], n >> 4),
    suspicious: n % 11 === 0 ? 1 : 0,
    policyId: at(['P1', 'p1', ''], n >> 3),
    policy: at(POLICIES, n * 3 + (n >> 4)),
    platform: at(['Windows', ''], n >> 1),
    raw: JSON.stringify({
      sourceFile: at(['https://shop.example/a.js', 'https://shop.example/b.js', ''], n),
      sample: at(['alert("1")', 'NULL', '\u001f{},', ''], n >> 2),
    }),
    domainReputationScore: n % 7 === 0 ? n % 100 : null,
  }),
  nel: n => ({
    uri: at(PAGES, n),
    nelType: at(['tcp.reset', 'abandoned'], n >> 1),
    organisation: at(['A', ''], n),
    serverIp: at(['192.0.2.1', '2001:db8::1', ''], n >> 2),
    statusCode: at([0, 502], n >> 3),
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

const toLine = (account: string, type: Type, day: string, n: number, fields = {}): Line =>
  report(account, type, `${type}-${day}-${n}`, {
    date: `${day}T${String(n % 24).padStart(2, '0')}:${String(n % 60).padStart(2, '0')}:${String(n % 59).padStart(2, '0')}Z`,
    count: 1 + (n % 5),
    ...FIELDS[type](n),
    ...fields,
  });

const listReports = (account: string, type: Type, day: string, count: number) =>
  Array.from({ length: count }, (_, n) => toLine(account, type, day, n));

const everything = (account: string) =>
  TYPES.flatMap(type => [
    ...DAYS.flatMap(day => listReports(account, type, day, MANY)),
    ...listReports(account, type, FEW_DAY, 40),
  ]);

const maintainNow = () =>
  maintain(sql, lock, { announcer: new Announcer(lock, 0), today: NOW.slice(0, 10), report: () => {} });

const listRollupDays = async (account = 'ada') =>
  (
    await sql<{ day: string }[]>`
      select distinct type::text || ' ' || day as day from daily_group where account_id = ${account} order by 1`
  ).map(({ day }) => day);

/** The rollups of past days. */
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
    ...listReports('eve', 'csp', DAYS[0]!, MANY),
  );
  await maintainNow();
});
afterAll(async () => {
  await Promise.all([sql?.end(), lock?.end()]);
  await service?.close();
});

const GROUPS =
  'groups { keys { by value } count reports firstSeen lastSeen days dailyCounts } otherGroups otherCount';
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
const ask = async (question: Question, askedWith = key) =>
  (await data(service, askedWith, QUERY, { variables: question })).viewer;

const DIMENSIONS: Record<Type, string[]> = {
  csp: [
    ...'BLOCKED_HOST BLOCKED_ORIGIN SOURCE_CLASS DIRECTIVE BROWSER ACTION PAGE_HOST PAGE_PATH DAY HOUR'.split(
      ' ',
    ),
    ...'BLOCKED_URI PAGE PAGE_ORIGIN SOURCE_FILE SAMPLE POLICY_ID PLATFORM'.split(' '),
  ],
  nel: 'NEL_TYPE PHASE PAGE_HOST PAGE_PATH ORGANISATION SERVER_IP STATUS_CODE BROWSER DAY'.split(' '),
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
const FILTERS: Record<Type, Record<string, unknown>[]> = {
  csp: [
    { browser: 'firefox' },
    { anyThreatIntel: true },
    { anyThreatIntel: true, suspicious: true },
    { anyThreatIntel: false },
    { suspicious: true },
    { policyId: 'P1', action: 'enforced' },
    { hostnames: ['*.example'] },
    { hostnames: ['*'], paths: ['/c*', '/'] },
    { blockedHostnames: ['*dn*', 'a.b'] },
    { blockedHostnames: ['*'], effectiveDirective: 'img-src' },
    { blockedPaths: ['/x.js'], platform: 'Windows' },
    { domainReputationScore: 50 },
    { policy: "default-src   'SELF'" },
    { policy: "script-src 'Nonce-abc' 'self'" },
    { policy: POLICIES[3], browser: 'chrome' },
    { policy: "default-src 'none'" },
    { id: 'csp-2026-05-10-7' },
  ],
  nel: [
    { nelType: 'TCP.reset' },
    { serverIp: '192.0.2.1' },
    { organisation: 'a' },
    { hostnames: ['*.example'] },
  ],
  dmarc: [
    { aligned: true },
    { aligned: false, reporter: 'acme' },
    { sourceNetwork: '192.0.2.0/24' },
    { organisation: 'sender' },
    { hostnames: ['a.example'], disposition: 'reject' },
  ],
};
const filter = (type: Type) => {
  const any = fc.constantFrom(...FILTERS[type]);
  const classes = CLASSES.map(sourceClass => ({ sourceClass }));
  if (type !== 'csp') return fc.option(any);
  return fc.option(
    fc.oneof(
      classes,
      any,
      fc.tuple(classes, any).map(([one, other]) => ({ ...one, ...other })),
    ),
  );
};

const question = fc.constantFrom(...TYPES).chain(type => {
  const by = fc.uniqueArray(fc.constantFrom(...DIMENSIONS[type]), { minLength: 1, maxLength: 3 });
  const any = fc.record({
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
  return any.map(shortenHours);
});

/** Groups by hour without a rollup are limited to a month. */
function shortenHours<Asked extends { one: string[]; other: string[]; from: string }>(asked: Asked): Asked {
  const isByHour = [...asked.one, ...asked.other].includes('HOUR');
  return isByHour && asked.from < '2026-05' ? { ...asked, from: '2026-05-01' } : asked;
}

/** Compares the results with and without rollups, and returns them. */
async function expectTheSame(questions: readonly Question[], askedWith = key) {
  const answers: Awaited<ReturnType<typeof ask>>[] = [];
  for (const one of questions) answers.push(await ask(one, askedWith));
  await sql`create table aside as select * from daily_group`;
  await sql`truncate daily_group`;
  const read: unknown[] = [];
  for (const one of questions) read.push(await ask(one, askedWith));
  await sql`insert into daily_group select * from aside`;
  await sql`drop table aside`;
  for (const [index, one] of questions.entries()) expect([one, answers[index]]).toEqual([one, read[index]]);
  return answers;
}

const some = (count: number, seed: number) => fc.sample(question, { ...runs(count, 20 * count), seed });

describe('daily rollups', () => {
  it('are created for past days with many reports, and are read by queries', async () => {
    expect(await listRollupDays()).toEqual(OVER);
    expect(await listRollupDays('eve')).toEqual([`csp ${DAYS[0]}`]);
    const wholeDay = { type: 'csp', from: DAYS[0], to: DAYS[1] };
    const questions = [
      { ...wholeDay, one: ['ACTION'], other: ['DAY'] },
      { ...wholeDay, one: ['BLOCKED_HOST', 'PLATFORM'], other: ['POLICY_ID'], where: { policyId: 'P1' } },
      { ...wholeDay, one: ['SOURCE_FILE', 'SAMPLE'], other: ['PAGE'], not: { blockedPaths: ['/x.js'] } },
      { ...wholeDay, one: ['BLOCKED_HOST'], other: ['PAGE_PATH'], where: { policy: POLICIES[0] } },
      { ...wholeDay, one: ['BLOCKED_HOST'], other: ['PAGE_PATH'], not: { policy: POLICIES[0] } },
    ];
    const read = async () => {
      const answers = [];
      for (const one of questions) answers.push((await ask(one)).one.totalReports);
      return answers;
    };
    const before = await read();
    expect(before[0]).toBe(MANY);
    await sql`update daily_group set reports = (select array_agg(r * 2) from unnest(reports) r)
      where account_id = 'ada' and day = ${DAYS[0]!} and reports <> '{}'`;
    expect(await read()).toEqual(before.map(reports => 2 * reports));
    await sql`update daily_group set reports = (select array_agg(r / 2) from unnest(reports) r)
      where account_id = 'ada' and day = ${DAYS[0]!} and reports <> '{}'`;
  });

  it('are not read on a day that lacks one of the requested groupings', async () => {
    const wholeDay = { type: 'csp', from: DAYS[0], to: DAYS[1], one: ['ACTION'], other: ['DIRECTIVE'] };
    const before = await ask(wholeDay);
    await sql`create table lacking as select * from daily_group
      where account_id = 'ada' and day = ${DAYS[0]!} and dimensions = 'ACTION SOURCE_CLASS'`;
    await sql`delete from daily_group
      where account_id = 'ada' and day = ${DAYS[0]!} and dimensions = 'ACTION SOURCE_CLASS'`;
    expect(await ask(wholeDay)).toEqual(before);
    const restored = await sql`insert into daily_group select * from lacking returning 1`;
    await sql`drop table lacking`;
    expect(restored).toHaveLength(1);
    expect(before.one.totalReports).toBe(MANY);
  });

  it('give the same groups for any policy, written in any case', async () => {
    const values = POLICIES.filter(policy => policy !== '').map(policy => policy.toUpperCase());
    const questions = values.flatMap(policy => [
      { type: 'csp', from: DAYS[0], one: ['BLOCKED_HOST'], other: ['PAGE_PATH'], where: { policy } },
      { type: 'csp', from: DAYS[0], one: ['BLOCKED_HOST'], other: ['PAGE_PATH'], not: { policy } },
    ]);
    for (const { one } of await expectTheSame(questions)) expect(one.totalReports).toBeGreaterThan(0);
  });

  it('give the same groups for an exact address, hash or flag, whatever characters it has', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    // Together in few texts, because each text takes several requests.
    const odd = IN_EARNEST
      ? ['"', '\\', '\\"', `'`, '%_', '\u007f', '\u2028', 'é', '😀', '": true', 'plain']
      : [`\\"'`, '%_\u007f\u2028é😀', '": true', 'plain'];
    const fields: Record<string, (text: string, n: number) => Record<string, unknown>> = {
      csp: (text, n) => ({
        uri: `https://shop.example/${text}`,
        blockedUri: `https://cdn.example/${text}`,
        // A flag in the text of another column is not set.
        policyId: n % 2 ? '"suspicious": true' : '',
        suspicious: n % 3 === 0 ? 1 : 0,
        domainReputationScore: n % 2 ? 10 : null,
      }),
      csp_integrity: text => ({ subresourceUri: `https://cdn.example/${text}`, hash: `sha256-${text}` }),
      certificate_transparency: (_, n) => ({
        issuer: n % 2 ? 'A' : 'B',
        hostnames: [`${n % 5}.example`, 'xn--bcher-kva.example'],
      }),
    };
    const lines = Object.entries(fields).flatMap(([type, toFields]) =>
      Array.from({ length: 60 }, (_, n) =>
        report('ida', type, `${type}-${n}`, { date: `${DAYS[0]}T10:00:00Z`, ...toFields(at(odd, n), n) }),
      ),
    );
    const idas = await open(
      service,
      personal('ida'),
      plan('ida', { dataRetentionDays: 60 }, THREAT_INTELLIGENCE),
    );
    await service.load(...lines);
    await maintainNow();
    expect(await listRollupDays('ida')).toEqual(
      Object.keys(fields)
        .sort()
        .map(type => `${type} ${DAYS[0]}`),
    );
    const filters: [type: string, by: string, filter: string, values: string][] = [
      ['csp', 'BLOCKED_HOST', 'paths', 'path'],
      ['csp', 'PAGE_HOST', 'blockedPaths', 'blocked_path'],
      ['csp', 'PAGE_PATH', 'hostnames', 'reverse(host_reversed)'],
      ['csp_integrity', 'SUBRESOURCE_HOST', 'subresourcePaths', 'subresource_path'],
      ['csp_integrity', 'SUBRESOURCE_HOST', 'subresourceHashes', 'hash'],
      ['certificate_transparency', 'ISSUER', 'hostnames', 'reverse(unnest(hosts_reversed))'],
    ];
    const period = { from: DAYS[0], to: DAYS[1] };
    const questions: Question[] = [
      { type: 'csp', ...period, one: ['BLOCKED_HOST'], other: ['PAGE_PATH'], where: { suspicious: true } },
      {
        type: 'csp',
        ...period,
        one: ['PAGE_HOST'],
        other: ['PAGE_PATH'],
        where: { domainReputationScore: 10 },
      },
    ];
    for (const [type, by, filter, values] of filters) {
      const found = await sql.query<{ value: string }>(
        `select distinct ${values} as value from report where account_id = 'ida' and type = '${type}'`,
      );
      for (const { value } of found)
        questions.push({ type, ...period, one: [by], other: ['DAY'], where: { [filter]: [value] } });
      const pair = found.slice(0, 2).map(({ value }) => value);
      questions.push({ type, ...period, one: [by], other: ['DAY'], where: { [filter]: pair } });
    }
    expect(questions).toHaveLength(2 + 4 * odd.length + 1 + 6 + filters.length);
    for (const { one } of await expectTheSame(questions, idas)) expect(one.totalReports).toBeGreaterThan(0);
  });

  it('give the same groups as reading every report', { tags: 'slow' }, async () => {
    await expectTheSame(some(25, 3));
  });

  it('are dropped when a report of the day changes, and are rebuilt by maintenance', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    const [first, second, third] = DAYS as [string, string, string];
    // A different host with the same count, so that no sum changes.
    await service.load(toLine('ada', 'csp', first, 7, { blockedUri: 'https://new.example/x.js' }));
    expect(await listRollupDays()).not.toContain(`csp ${first}`);
    expect(await listRollupDays()).toContain(`nel ${first}`);
    expect(await listRollupDays('eve')).toEqual([`csp ${first}`]);
    await expectTheSame(some(6, 4));
    // Move one report to another day, and delete another.
    await service.load(toLine('ada', 'nel', second, 3, { date: `${third}T01:00:00Z` }), {
      kind: 'report',
      accountId: 'ada',
      type: 'dmarc',
      id: `dmarc-${second}-5`,
      deleted: true,
    });
    expect(await listRollupDays()).toEqual(
      OVER.filter(day => ![`csp ${first}`, `nel ${second}`, `nel ${third}`, `dmarc ${second}`].includes(day)),
    );
    await expectTheSame(some(6, 5));
    await maintainNow();
    expect(await listRollupDays()).toEqual(OVER);
    await expectTheSame(some(6, 6));
  });

  it.each([
    ['a path that no report has', 'csp', 'paths=*/nowhere*'],
    ['a path that few reports have', 'csp', 'paths=*/rare*'],
    ['a path that many reports have', 'csp', 'paths=*ca*'],
    ['part of a host', 'csp', 'hostnames=*hop*&blockedHostnames=*dn*&browser=firefox'],
    ['part of an organisation', 'dmarc', 'organisation=sender'],
  ])('do not change the report list when filtering by %s', async (_, type, filters) => {
    await service.load(
      toLine('ada', 'csp', DAYS[1]!, 900, { uri: 'https://shop.example/x/rare/y' }),
      toLine('ada', 'csp', FEW_DAY, 901, { uri: 'https://shop.example/x/rare/z' }),
    );
    await maintainNow();
    const list = async () =>
      (await service.get(`/v1/reports/${type}?unit=months&date=2026-05&${filters}`, key)).text;
    const withRollups = await list();
    await sql`create table aside as select * from daily_group`;
    await sql`truncate daily_group`;
    // Prevents cached results.
    await sql`update account set version = version + 1 where id = 'ada'`;
    const withoutRollups = await list();
    await sql`insert into daily_group select * from aside`;
    await sql`drop table aside`;
    expect(withRollups).toBe(withoutRollups);
  });

  it('tell the report list which days of the open month have no match for a pattern', async () => {
    const list = async () => {
      const { text } = await service.get('/v1/reports/csp?unit=months&date=2026-05&paths=*/rare*', key);
      return JSON.parse(text).reports.map(({ date }: { date: string }) => date.slice(0, 10));
    };
    expect(await list()).toEqual([FEW_DAY, DAYS[1]]);
    await sql`update daily_group set v1 = (select array_agg(replace(v, 'rare', 'none')) from unnest(v1) v)
      where account_id = 'ada' and dimensions = 'details of reports'`;
    await sql`update account set version = version + 1 where id = 'ada'`;
    expect(await list()).toEqual([FEW_DAY]);
    await sql`delete from daily_group where account_id = 'ada' and type = 'csp'`;
    await maintainNow();
  });

  it('are built once for a past month, and again only after a load changes it', async () => {
    const day = '2026-01-10';
    await service.load(
      personal('zoe'),
      plan('zoe', { dataRetentionDays: 365 }),
      ...listReports('zoe', 'nel', day, 60),
    );
    await maintainNow();
    expect(await listRollupDays('zoe')).toEqual([`nel ${day}`]);
    await sql`delete from daily_group where account_id = 'zoe'`;
    await maintainNow();
    expect(await listRollupDays('zoe')).toEqual([]);
    await service.load(toLine('zoe', 'nel', day, 61));
    await maintainNow();
    expect(await listRollupDays('zoe')).toEqual([`nel ${day}`]);
  }, 240_000);

  it('are dropped with reports past the retention, even if the retention is extended later', async () => {
    await service.load(plan('ada', { dataRetentionDays: 8 }, THREAT_INTELLIGENCE));
    await prune(sql, new Announcer(lock, 0), NOW.slice(0, 10));
    await service.load(plan('ada', { dataRetentionDays: 60 }, THREAT_INTELLIGENCE));
    expect(await listRollupDays()).toEqual(TYPES.map(type => `${type} ${DAYS[2]}`).sort());
    await expectTheSame(some(6, 7));
  }, 240_000);

  it('are deleted with their account', async () => {
    expect(await listRollupDays('eve')).not.toEqual([]);
    await service.load({ kind: 'account', id: 'eve', deleted: true });
    expect(await listRollupDays('eve')).toEqual([]);
  });

  it('are deleted with their month', async () => {
    expect(await listRollupDays()).not.toEqual([]);
    await service.load(plan('ada', { dataRetentionDays: 1 }, THREAT_INTELLIGENCE));
    await maintain(sql, lock, { announcer: new Announcer(lock, 0), today: '2026-09-20', report: () => {} });
    expect(await listRollupDays()).toEqual([]);
  });
});
