import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { REPORT_TYPE_DEFINITIONS, type ReportField, type ReportType } from '@sightline/reports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { createMonth, monthAfter } from '../../sql/feed/partitions.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { dropExpiredMonths, monthsAhead } from '../../sql/maintenance/months.ts';
import { rewriteClosedMonths } from '../../sql/maintenance/rewrite.ts';
import { keepReportGroups } from '../../sql/maintenance/rollups.ts';
import { filterConditions } from '../../sql/report/conditions.ts';
import type { FilterValues } from '../../sql/report/filter.ts';
import { REPORT_FILTERS } from '../../sql/report/filters.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { account, createFeedDatabase, type FeedDatabase, type Line, plan, report } from '../feed/lines.ts';
import { exchange } from '../support/exchange.ts';
import { connectOperator } from '../support/operator.ts';
import { startService } from '../support/service.ts';
import { onEachShard } from '../support/shards.ts';
import { sightlineHere } from '../support/sightline.ts';
import { until } from '../support/until.ts';

let database: FeedDatabase;
beforeEach(async () => {
  database = await createFeedDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

/** Runs the command as of this date and returns its output. */
async function maintainOn(today: string, url = database.url): Promise<string[]> {
  const [sql, lock] = [connectOperator(url), connectOperator(url)];
  const printed: string[] = [];
  try {
    const announcer = new Announcer(lock, 0);
    await maintain(sql, lock, { announcer, today, report: sentence => printed.push(sentence) });
    return printed;
  } finally {
    await Promise.all([sql.end(), lock.end()]);
  }
}

async function partitions(): Promise<unknown[]> {
  const rows = await database.rows(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'report'::regclass order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** Reports of two accounts in three months, not in key order. */
async function loadThreeMonths(): Promise<void> {
  const lines = Array.from({ length: 300 }, (_, index) =>
    report(`r${(index * 7919) % 300}`, {
      accountId: index % 2 ? 'a' : 'b',
      date: `2026-0${1 + (index % 3)}-${String(1 + (index % 28)).padStart(2, '0')}T12:00:00Z`,
      uri: `https://www.example.org/page/${index}`,
      browser: index % 5 ? 'Firefox' : 'Chrome',
      policyId: `policy-${index}`,
    }),
  );
  const keep = { dataRetentionDays: 3650 };
  await database.load(account('a'), account('b'), plan('a', keep), plan('b', keep), ...lines);
}

it('maintain creates and reports the partitions of this month and the next two', async () => {
  const first = await sightlineHere(['maintain'], { DATABASE_URL: database.url });
  const month = new Date().toISOString().slice(0, 7);
  const months = [month, monthAfter(month), monthAfter(monthAfter(month))];
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain(`Created the partitions of ${months.join(', ')}.\n`);
  expect(await partitions()).toEqual(months.map(name => `report_y${name.replace('-', 'm')}`));
  const hourly = await sightlineHere(['maintain', '--groups'], { DATABASE_URL: database.url });
  expect(hourly.stdout).toBe('All days and hours with many reports have rollups.\n');
  const second = await sightlineHere(['maintain'], { DATABASE_URL: database.url });
  expect(second.stdout).toContain('No partition was missing.\n');
});

it('maintain drops months beyond every retention, and deletes reports beyond their own', {
  tags: 'slow',
}, async () => {
  await database.load(
    account('a'),
    account('b'),
    plan('a', { dataRetentionDays: 60 }),
    plan('b', { dataRetentionDays: 10 }),
    report('1', { accountId: 'a', date: '2026-01-31T23:59:59Z', count: 4 }),
    report('2', { accountId: 'a', date: '2026-02-01T00:00:00Z' }),
    report('3', { accountId: 'b', date: '2026-02-01T00:00:00Z' }),
  );
  const versions = async () =>
    (await database.rows('select version from account order by id')).map(row => Number(row.version));
  const [a, b] = await versions();

  // Sixty days earlier is February 1, so January has expired as a whole, and nothing after it.
  expect(await maintainOn('2026-04-01')).toContain('No month is past all retention periods.');
  expect(await maintainOn('2026-04-02')).toContain('Dropped 2026-01.');
  expect(await partitions()).not.toContain('report_y2026m01');
  expect(await database.rows('select id from report')).toEqual([{ id: '2' }]);
  expect(await database.rows('select count(*)::int as count from report_locator')).toEqual([{ count: 1 }]);
  expect(await database.rows('select sum(total)::int as total from daily_count')).toEqual([{ total: 6 }]);
  expect(await versions()).toEqual([expect.any(Number), b! + 1]);
  expect((await versions())[0]).toBeGreaterThan(a!);
});

it('maintain drops months too far in the future, which earlier versions created', {
  tags: 'slow',
}, async () => {
  await database.load(account('a'), report('now'));
  for (const month of ['2199-12', '2200-01']) await createMonth(database.sql, month);
  await database.rows(`
    insert into report (account_id, type, date, id, count, raw) values ('a', 'csp', '2199-12-31 12:00Z', 'far', 1, '');
    insert into report_locator values ('a', 1, '2199-12-31 12:00Z')`);
  expect(await maintainOn('2026-05-20')).toContain('Dropped 2199-12, 2200-01.');
  expect(await database.rows('select id from report')).toEqual([{ id: 'now' }]);
  // The month was not dropped because of its age, so older reports can still be loaded.
  expect(await database.rows('select id, removed_before from removed_position')).toEqual([
    { id: 'far', removed_before: null },
  ]);
  expect(await database.rows('select count(*)::int as count from report_locator')).toEqual([{ count: 1 }]);
  // The partitions of the next two months remain.
  for (const month of ['2199-12', '2200-01']) await createMonth(database.sql, month);
  const dropped = await dropExpiredMonths(database.sql, new Announcer(database.sql, 0), '2199-10-20');
  expect(dropped).toEqual(['2026-05', '2026-06', '2026-07', '2200-01']);
});

it('months that are ahead of the clock of the database are not dropped as of an earlier day', async () => {
  await database.load(account('a'));
  const ahead = monthsAhead(new Date().toISOString().slice(0, 10)).at(-1)!;
  await createMonth(database.sql, ahead);
  expect(await dropExpiredMonths(database.sql, new Announcer(database.sql, 0), '2026-01-10')).toEqual([]);
  expect(await partitions()).toEqual([`report_y${ahead.replace('-', 'm')}`]);
});

it('a month is dropped once no one reads it, and can be read while that is tried', async () => {
  await database.load(account('a'), report('1'));
  const [reader, other] = [connectOperator(database.url), connectOperator(database.url)];
  const countWaiting = async () => {
    const rows = await database.rows(`select from pg_locks where not granted and mode = 'AccessExclusiveLock'
      and relation in ('report'::regclass, 'report_y2026m05'::regclass)`);
    return rows.length;
  };
  try {
    await reader.query('begin; select from report');
    const dropping = dropExpiredMonths(other, new Announcer(database.sql, 0), '2026-12-31');
    dropping.catch(() => {});
    await until(async () => (await countWaiting()) === 1);
    await until(async () => (await countWaiting()) === 0);
    expect(await database.rows('select id from report')).toEqual([{ id: '1' }]);
    await reader.query('commit');
    expect(await dropping).toEqual(['2026-05']);
  } finally {
    await Promise.all([reader.end(), other.end()]);
  }
  expect(await partitions()).toEqual([]);
});

it('maintain computes rollups of days with 50 reports, and of the hours of yesterday with 200', {
  tags: 'slow',
}, async () => {
  const lines = (count: number, date: string) =>
    Array.from({ length: count }, (_, index) => report(`${date}-${index}`.replace(/\W/g, '_'), { date }));
  await database.load(
    account('a'),
    plan('a', { dataRetentionDays: 3650 }),
    ...lines(50, '2026-03-01T12:00:00Z'),
    ...lines(49, '2026-03-02T12:00:00Z'),
    report('counted', { date: '2026-03-03T12:00:00Z', count: 60 }),
    ...lines(50, '2026-03-08T23:59:59Z'),
    ...lines(200, '2026-03-09T10:00:00Z'),
    ...lines(199, '2026-03-09T11:00:00Z'),
    ...lines(200, '2026-04-01T00:30:00Z'),
  );
  await maintainOn('2026-03-10');
  const rolledUp = `
    select distinct day::text || coalesce(' ' || substring(dimensions from '^[0-9]{2}:00'), '') as name from daily_group`;
  const rollups = await database.rows(`${rolledUp} order by 1`);
  expect(rollups.map(({ name }) => name)).toEqual(['2026-03-01', '2026-03-08', '2026-03-09 10:00']);
  // A month is finished once its last day has a daily rollup, which is on the second day of the next one.
  for (const [today, isFinished] of [
    ['2026-04-01', false],
    ['2026-04-02', true],
  ] as const) {
    await keepReportGroups(database.sql, today);
    expect(await database.rows("select is_finished from rollup_month where month = '2026-03'")).toEqual([
      { is_finished: isFinished },
    ]);
    // Hours of the first day of a month have rollups on that day.
    expect(await database.rows(`${rolledUp} where day >= '2026-04-01'`)).toEqual([
      { name: '2026-04-01 00:00' },
    ]);
  }
});

it('a dropped month can be loaded again', async () => {
  const date = '2020-01-10T00:00:00Z';
  await database.load(account('a'), report('1', { date }));
  expect(await maintainOn('2026-04-01')).toContain('Dropped 2020-01.');
  // This date would be too old for the type that was dropped.
  await database.load(report('1', { date, type: 'coep' }));
  expect(await database.rows('select type, id from report')).toEqual([{ type: 'coep', id: '1' }]);
});

it('maintain sorts a month once it is over, with the same reports, indexes and rights', {
  tags: 'slow',
}, async () => {
  await loadThreeMonths();
  const inKeyOrder = 'select * from report order by account_id, type, date, id';
  const indexes = `select replace(pg_get_indexdef(indexrelid), 'ONLY ', '') as definition,
      (select inhparent::regclass::text from pg_inherits where inhrelid = indexrelid) as parent
    from pg_index where indrelid = 'report_y2026m01'::regclass and indisvalid order by 1`;
  const rights = `select relacl::text as of_table,
      (select string_agg(attname || attacl::text, ' ' order by attname) from pg_attribute where attrelid = c.oid) as of_columns,
      array(select conname::text from pg_constraint where conrelid = c.oid and contype = 'c') as checks
    from pg_class c where oid = 'report_y2026m01'::regclass`;
  const before = await Promise.all([inKeyOrder, indexes, rights].map(database.rows));

  // Reports of January still arrive.
  const ignored = { begin() {}, report() {} };
  expect(await rewriteClosedMonths(database.sql, '2026-02-02', ignored)).toEqual([]);
  const printed = await maintainOn('2026-03-03');
  expect(printed.filter(sentence => /into order/.test(sentence))).toEqual([
    'Put 2026-02 into order.',
    'Put 2026-01 into order.',
  ]);
  expect(await database.rows(inKeyOrder)).toEqual(before[0]);
  const after = (await database.rows(indexes)).filter(({ parent }) => parent !== null);
  expect(after).toEqual(before[1]);
  expect(await database.rows(rights)).toEqual(before[2]);
  const stored = (order: string) =>
    onEachShard(
      database.sql,
      'report_y2026m02',
      `select coalesce(string_agg(id, ',' order by ${order}), '') from %s`,
    );
  expect(await stored('ctid')).toEqual(await stored('account_id, type, date, id'));
  expect(await maintainOn('2026-03-04')).toContain('All past months are sorted.');
  expect(await maintainOn('2026-04-03')).toContain('Put 2026-03 into order.');
  // A sorted month still accepts new reports.
  await database.load(report('late', { date: '2026-01-05T00:00:00Z' }));
  await expect(
    database.sql.query(`insert into report select * from report where id = 'late'`),
  ).rejects.toThrow('duplicate key');
});

/** With Citus, each worker has its own settings, which are queried over a single connection. */
const ALSO_ON_SHARDS = [
  "set local citus.multi_shard_modify_mode = 'sequential'",
  "set local citus.propagate_set_commands = 'local'",
];

/** Indexes that exist in every month. */
const OWN_INDEXES = [
  'report_host',
  'report_blocked_host',
  'report_subresource_host',
  'report_certificate',
  'report_threat',
];

interface FilterCase {
  name: string;
  type: ReportType;
  filters: FilterValues;
  column: string;
}

/** The additional indexes of January, which has ended, and of March, which has not. */
const AIDS = { '01': ['values', 'patterns', 'hosts', 'newest', 'threats'], '03': ['signatures'] };

/** Returns the plans of the filters for the month, with only this index available. */
async function listPlans(
  month: keyof typeof AIDS,
  index: string,
  wanted: readonly FilterCase[],
): Promise<string[]> {
  const unwanted = AIDS[month].filter(name => name !== index).join('|');
  const others = await database.rows(
    `select relname as name from pg_class where relname ~ '^report_y2026m${month}_(${unwanted})_[0-9a-f]{8}$'`,
  );
  const explain = ({ type, filters }: FilterCase) => {
    const where = filterConditions({ type, filters }, value =>
      Array.isArray(value) ? `'{${value}}'` : `'${value}'`,
    );
    return `explain select from report where account_id = 'a' and type = '${type}'
      and date >= '2026-${month}-01' and date < '2026-${month}-03' and ${where.join(' and ')}`;
  };
  // One at a time, because Citus forwards the complete query string, including statements that change settings.
  for (const statement of [
    'begin',
    ...ALSO_ON_SHARDS,
    'set local enable_seqscan = off',
    ...[...OWN_INDEXES, ...others.map(({ name }) => name)].map(name => `drop index ${name}`),
    'alter table report drop constraint report_pkey',
  ])
    await database.sql.query(statement);
  const plans: string[] = [];
  for (const filtered of wanted) {
    const rows = await database.sql.query(explain(filtered));
    plans.push(rows.map(row => row['QUERY PLAN']).join('\n'));
  }
  await database.sql.query('rollback');
  return plans;
}

async function expectToUse(
  month: keyof typeof AIDS,
  index: string,
  wanted: readonly FilterCase[],
): Promise<void> {
  const plans = await listPlans(month, index, wanted);
  for (const [position, { name, column }] of wanted.entries()) {
    // Index names on shards end in a number.
    expect(plans[position], name).toMatch(
      new RegExp(
        `Index (?:Only )?Scan (?:Backward )?(?:on|using) report_y2026m${month}_${index}_[0-9a-f]{8}(?:_\\d+)? [^\\n]*\\n\\s+Index Cond: [^\\n]*\\b${column}\\b`,
      ),
    );
  }
}

function listFilters(kinds: readonly string[], value: (kind: string) => string | string[]): FilterCase[] {
  return REPORT_FILTERS.filter(({ kind, column }) => kinds.includes(kind) && column !== 'id').map(
    ({ name, kind, column, types }) => ({ name, type: types[0]!, filters: { [name]: value(kind) }, column }),
  );
}

/** Digits that do not compress. */
function digits(seed: string, length: number): string {
  const pieces = Array.from({ length: Math.ceil(length / 64) }, (_, index) =>
    createHash('sha256').update(`${seed}/${index}`).digest('hex'),
  );
  return pieces.join('').slice(0, length);
}

/** The longest indexable values: letters of four bytes each, and addresses with the longest host. */
function longestValue({ name, kind, column, values, fields = [] }: ReportField): unknown {
  if (kind === 'objects') return [longestValue({ name, kind: 'object', fields } as ReportField)];
  if (kind === 'object') return Object.fromEntries(fields.map(field => [field.name, longestValue(field)]));
  if (kind === 'texts') return [digits(name, 250)];
  if (kind !== 'text') return SHORT[kind];
  if (values) return values[0];
  const host = [63, 63, 63, 61].map(length => digits(name, length)).join('.');
  if (/ur[il]$/i.test(name)) return `https://${host}/${digits(name, 5000)}`;
  const letters = [...digits(name, BOUNDED[column ?? name] ?? 5000)];
  return letters
    .map((digit, index) => String.fromCodePoint(0x20000 + index * 16 + Number.parseInt(digit, 16)))
    .join('');
}

/** Letters for fields that have their own length limits. */
const BOUNDED: Record<string, number> = {
  directive: 256,
  sha256: 63,
  policy_id: 63,
  domain: 63,
  headerFrom: 63,
  envelopeFrom: 63,
  envelopeTo: 63,
  sourceHostname: 63,
  receivingMxHostname: 63,
  receivingMxHelo: 63,
};

const SHORT: Record<string, unknown> = {
  integer: 1,
  number: 0.5,
  timestamp: '2026-01-05T12:00:00Z',
  date: '2026-01-05',
  boolean: true,
  flag: 1,
};

describe('a filter that matches few reports', () => {
  const FEW_VALUES = ['disposition', 'phase', 'cert_type'];
  const THREATENED = REPORT_FILTERS.find(({ name }) => name === 'anyThreatIntel')!.types;
  const equality = listFilters(['equals', 'policy', 'hashes'], kind => (kind === 'hashes' ? ['x'] : 'x'));
  const paths = listFilters(['paths'], () => ['/x']);
  const parts = [
    ...listFilters(['paths'], () => ['/start*']),
    ...listFilters(['paths', 'hosts'], () => ['*inner*']),
  ];
  const hosts = listFilters(['hosts'], () => ['www.example.org']);
  const wideHosts = listFilters(['hosts'], () => ['*.example.org']);

  it('has an index in a past month', { tags: 'slow' }, async () => {
    await loadThreeMonths();
    const printed = await maintainOn('2026-03-03');
    expect(printed.join()).toContain('2026-03, 2026-02, 2026-01.');
    await expectToUse('01', 'values', [...equality, ...paths]);
    await expectToUse('01', 'patterns', parts);
    await expectToUse(
      '01',
      'hosts',
      [...hosts, ...wideHosts].filter(({ name }) => name === 'hostnames'),
    );
    const short = equality.filter(({ name }) => name !== 'subresourceHashes');
    const inOrder = [...short, ...paths, ...hosts, ...wideHosts];
    await expectToUse('01', 'newest', inOrder);
    const threatened = inOrder.filter(({ type }) => THREATENED.includes(type));
    await expectToUse(
      '01',
      'threats',
      threatened.map(one => ({ ...one, filters: { ...one.filters, anyThreatIntel: true } })),
    );
  });

  if (IN_EARNEST) {
    it('skips the pattern index for patterns that would need a full index scan', async () => {
      await loadThreeMonths();
      await maintainOn('2026-03-03');
      const none = ['/*', '*/*', '*ab*', '*a/', '/*/*.*'].flatMap(pattern =>
        listFilters(['paths'], () => [pattern]),
      );
      for (const plan of await listPlans('01', 'patterns', none))
        expect(plan).not.toMatch(/Index Cond: .*~~/);
      const some = ['/a*', '*/a', '*ab', '*abc*', '*/a*'].flatMap(pattern =>
        listFilters(['paths'], () => [pattern]),
      );
      await expectToUse('01', 'patterns', some);
    });

    it('has a different index in the current month', async () => {
      await loadThreeMonths();
      await maintainOn('2026-03-03');
      const requested = [...equality, ...paths].filter(({ column }) => !FEW_VALUES.includes(column));
      await expectToUse('03', 'signatures', requested);
    });

    it('has no superseded index', async () => {
      await loadThreeMonths();
      const aids = async () =>
        (
          await database.rows(`
          select relname as name from pg_class where relname ~ '^report_y2026m02_[a-z]+(_[0-9a-f]{8})?$' and relkind = 'i'
          union select stxname from pg_statistic_ext where stxname ~ '^report_y2026m02_' order by 1`)
        ).map(({ name }) => String(name).replace(/^report_y2026m02_|_[0-9a-f]{8}$/g, ''));
      expect(await maintainOn('2026-02-20')).toContain(
        'Indexed rare filters of 2026-04, 2026-03, 2026-02, 2026-01.',
      );
      expect(await aids()).toEqual([
        'accounts',
        'agents',
        'pkey',
        'rulings',
        'score',
        'signatures',
        'targets',
        'traits',
      ]);
      await maintainOn('2026-03-03');
      expect(await aids()).toEqual([
        'accounts',
        'agents',
        'hosts',
        'newest',
        'owners',
        'patterns',
        'pkey',
        'rulings',
        'score',
        'targets',
        'threats',
        'traits',
        'values',
      ]);
      expect(await maintainOn('2026-03-03')).toContain('No month lacks an index for rare filters.');
    });

    it('gets a new index after its definition has changed', async () => {
      await loadThreeMonths();
      const scores = () =>
        database.rows(`
        select c.relname as name, pg_get_indexdef(c.oid) like '%(account_id, type, domain_reputation_score)%' as is_new
        from pg_class c where c.relname ~ '^report_y2026m02_score' and c.relkind = 'i'`);
      await maintainOn('2026-02-20');
      const made = await scores();
      expect(made).toEqual([{ name: expect.stringMatching(/_score_[0-9a-f]{8}$/), is_new: true }]);
      // Indexes with other definitions: one without a digest in its name, and one with another digest.
      await database.sql.query(`drop index ${made[0]!.name}`);
      for (const name of ['score', 'score_0123abcd'])
        await database.sql.query(`create index report_y2026m02_${name} on report_y2026m02 (account_id)`);
      expect(await maintainOn('2026-02-20')).toContain('Indexed rare filters of 2026-02.');
      expect(await scores()).toEqual(made);
      expect(await maintainOn('2026-02-20')).toContain('No month lacks an index for rare filters.');
    });
  }

  it('can be of any length', { tags: 'slow' }, async () => {
    await loadThreeMonths();
    const whole = digits('whole', 25_600);
    const policyId = whole.slice(0, 255);
    const of = (id: string, rest: Line) => report(id, { date: '2026-01-05T12:00:00Z', ...rest });
    await database.load(of('before', { browser: whole, policy: whole, policyId }));
    await maintainOn('2026-03-03');
    await database.load(of('after', { browser: `${whole}.`, policy: whole, policyId }));
    const find = async (filters: FilterValues) => {
      const parameters: string[] = [];
      const where = filterConditions({ type: 'csp', filters }, value => `$${parameters.push(String(value))}`);
      const rows = await database.sql.query(
        `select id from report where account_id = 'a' and type = 'csp' and ${where.join(' and ')} order by id`,
        parameters,
      );
      return rows.map(({ id }) => id);
    };
    expect(await find({ browser: whole })).toEqual(['before']);
    expect(await find({ browser: `${whole}.` })).toEqual(['after']);
    expect(await find({ browser: whole.slice(0, 255) })).toEqual([]);
    expect(await find({ policyId: policyId.toUpperCase(), policy: ` ${whole}` })).toEqual([
      'after',
      'before',
    ]);
  });

  it('can have the maximum length in all fields of every report type', { tags: 'slow' }, async () => {
    await loadThreeMonths();
    const accountId = digits('account', 255);
    const longest = REPORT_TYPE_DEFINITIONS.map(({ type, fields, filterOnly }) => {
      const given = [...fields, ...filterOnly].filter(
        ({ name, computed }) => !['id', 'date', 'count'].includes(name) && !computed,
      );
      const values = given.map(field => [field.name, longestValue(field)]);
      return report(`longest-${type}`, {
        ...Object.fromEntries(values),
        type,
        accountId,
        date: '2026-01-05T12:00:00Z',
      });
    });
    await database.load(account(accountId), plan(accountId, { dataRetentionDays: 3650 }), ...longest);
    expect(await maintainOn('2026-03-03')).toContain(
      'Indexed rare filters of 2026-05, 2026-04, 2026-03, 2026-02, 2026-01.',
    );
    await database.load(...longest.map(line => ({ ...line, id: `${line.id}-again` })));
  });
});

it('requests get correct responses throughout maintenance', { tags: 'slow' }, async () => {
  await loadThreeMonths();
  await using service = await startService({
    now: '2026-05-03T12:00:00Z',
    databaseUrl: database.url,
    answerCacheSize: 0,
    rateLimit: { max: 1_000_000, window: 60_000 },
  });
  const key = await service.key('personal', 'a');
  const headers = { authorization: `Bearer ${key}` };
  const ask = async (month: string) => {
    const path = `/v1/reports/csp?unit=months&date=${month}&browser=firefox`;
    return (await exchange(service.url + path, { headers })).text;
  };
  const months = ['2026-01', '2026-02', '2026-03'];
  const before = await Promise.all(months.map(ask));
  expect(before.join()).toContain('https://www.example.org/page/111');
  let isOver = false;
  const asking = months.map(async (month, index) => {
    for (let answers = 0; ; answers++) {
      expect(await ask(month)).toBe(before[index]);
      if (isOver) return answers;
      // More requests would only slow the maintenance down.
      await sleep(10);
    }
  });
  try {
    expect(await maintainOn('2026-05-03')).toContain('Put 2026-03 into order.');
  } finally {
    isOver = true;
  }
  for (const answers of await Promise.all(asking)) expect(answers).toBeGreaterThan(3);
});

it('maintain exits if another run is in progress', async () => {
  const blocker = connectOperator(database.url);
  // Maintenance waits for running loads, so the first run stays busy.
  await blocker.query('begin; select pg_advisory_xact_lock(7446858442)');
  const first = maintainOn('2026-03-03');
  await until(async () => {
    const waiting = await database.rows(`select pid from pg_locks join pg_database on oid = database
      where datname = current_database() and not granted`);
    return waiting.length > 0;
  });
  const second = await sightlineHere(['maintain'], { DATABASE_URL: database.url });
  await blocker.query('commit');
  await blocker.end();
  expect(second).toMatchObject({ code: 0, stdout: 'Another run is active: nothing to do.\n' });
  expect(await first).toEqual([
    'Created the partitions of 2026-03, 2026-04, 2026-05.',
    'No month is past all retention periods.',
    "Removed 0 reports past their account's retention.",
    'All past months are sorted.',
    'All days and hours with many reports have rollups.',
    'Indexed rare filters of 2026-05, 2026-04, 2026-03.',
    expect.stringMatching(/statistics/),
  ]);
});

it('maintain continues without the indexes for rare filters whose extensions are unavailable', async () => {
  const role = `maintainer_${process.pid}`;
  const { sql } = database;
  const name = new URL(database.url).pathname.slice(1);
  await sql.query(
    `create role ${role} login password 'maintainer'; revoke create on database ${name} from public`,
  );
  // The index for patterns needs another one as well.
  await sql.query('create extension btree_gin');
  try {
    await sql.query(
      `grant all on all tables in schema public to ${role}; grant all on schema public to ${role}`,
    );
    await sql.query(`do $$ declare t text; begin
      for t in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') loop
        execute format('alter table %I owner to ${role}', t);
      end loop; end $$`);
    const url = new URL(database.directUrl);
    Object.assign(url, { username: role, password: 'maintainer' });
    for (const today of ['2026-03-03', '2026-05-20']) {
      const printed = await maintainOn(today, url.href);
      expect(printed.filter(line => line.startsWith('Rare filters stay slow'))).toEqual([
        expect.stringMatching(/"bloom" is unavailable \(permission denied/),
        expect.stringMatching(/"pg_trgm" is unavailable \(permission denied/),
      ]);
      expect(printed.at(-1)).toMatch(/statistics/);
    }
    const gin = await sql.query<{ name: string }>(
      `select relname as name from pg_class join pg_am a on a.oid = relam where amname = 'gin' and relkind = 'i'`,
    );
    expect(gin.map(index => index.name)).toContainEqual(expect.stringMatching(/^report_y2026m03_values_/));
  } finally {
    await sql.query(`drop owned by ${role} cascade; drop role ${role}`);
  }
});

it('maintain uses existing extensions without creating them again', async () => {
  const { sql } = database;
  for (const name of ['bloom', 'btree_gin', 'pg_trgm'])
    await sql.query(`create extension if not exists ${name}`);
  // The reaction of Citus if another role owns them.
  await sql.query(`create function refuse() returns event_trigger language plpgsql as $$ begin
    raise exception 'must be owner of extension'; end $$`);
  await sql.query(`create event trigger refuse on ddl_command_start when tag in ('CREATE EXTENSION')
    execute function refuse()`);
  const printed = await maintainOn('2026-03-03');
  await sql.query('drop event trigger refuse; drop function refuse()');
  expect(printed.filter(line => line.startsWith('Rare filters stay slow'))).toEqual([]);
});
