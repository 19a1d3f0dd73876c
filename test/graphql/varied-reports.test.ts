import { listValues, REPORT_TYPES, type ReportType } from '@sightline/reports';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keepReportGroups } from '../../sql/maintenance/rollups.ts';
import { filterConditions } from '../../sql/report/conditions.ts';
import { listDimensions } from '../../sql/report/dimensions.ts';
import type { FilterValues, ReportFilter } from '../../sql/report/filter.ts';
import { listFilters } from '../../sql/report/filters.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { NOW, open, personal, plan, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { COMPARED, FURTHER_COMPARED, VARIANTS, varyReports } from '../support/varied-reports.ts';

/** A past day, so that it can have rollups. */
const DAY = '2026-05-10';
const [FROM, UNTIL] = [`${DAY}T00:00:00Z`, '2026-05-11T00:00:00Z'];

let service: TestService;
let sql: Operator;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  sql = connectOperator(service.databaseUrl);
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 60 }, THREAT_INTELLIGENCE));
  const others = REPORT_TYPES.flatMap(type => varyReports('eve', type, DAY).slice(0, 2));
  const neighbours = ['2026-05-09', '2026-05-11'].flatMap(day =>
    REPORT_TYPES.flatMap(type => varyReports('ada', type, day).slice(-2)),
  );
  await service.load(
    personal('eve'),
    ...others,
    // Reports just before and after the day.
    ...neighbours.map(line => ({ ...line, id: `${String(line.date).slice(8, 10)}-${line.id}` })),
    ...REPORT_TYPES.flatMap(type => varyReports('ada', type, DAY)),
  );
});
afterAll(async () => {
  await sql?.end();
  await service?.close();
});

const listCompared = (type: ReportType, { name, kind, field }: ReportFilter): FilterValues[string][] => {
  if (FURTHER_COMPARED[name]) return [...FURTHER_COMPARED[name]];
  const values = field ? listValues(type, field) : [];
  return values.length > 0 ? [...values] : [...COMPARED[kind]];
};

/** The filters of a type, each with values, of which some match. */
const listCases = (type: ReportType) =>
  listFilters(type).flatMap(filter =>
    listCompared(type, filter).map(value => ({
      name: filter.name,
      value,
      filters: { [filter.name]: value },
    })),
  );

/** Selects, in one statement, the reports of the day that match each of these. */
async function match(type: ReportType, cases: readonly { filters: FilterValues; not?: FilterValues }[]) {
  const parameters: (string | number | boolean | readonly string[])[] = ['ada', type, FROM, UNTIL];
  const bind = (value: string | number | readonly string[]) => `$${parameters.push(value)}`;
  const lists = cases.map(one => {
    const conditions = filterConditions({ type, not: {}, ...one }, bind);
    const where = conditions.length === 0 ? 'true' : conditions.join(' and ');
    return `coalesce(string_agg(substr(id, 2), ' ' order by substr(id, 2)::int) filter (where ${where}), '')`;
  });
  const [row] = await sql.query<{ found: string[] }>(
    `select array_to_json(array[${lists.join(', ')}]) as found from report
     where account_id = $1 and type = $2::report_type and date >= $3::timestamptz and date < $4::timestamptz`,
    parameters as never,
  );
  return row!.found;
}

/** The reports that match each case. */
const found = new Map<ReportType, string[]>();

it('filters match reports as recorded, and exclusions leave out the same ones', async () => {
  let text = '';
  for (const type of REPORT_TYPES) {
    const cases = listCases(type);
    const excluded = cases.map(({ filters }) => ({ filters: {}, not: filters }));
    const all = await match(type, [...cases, ...excluded]);
    const matched = all.slice(0, cases.length);
    found.set(type, matched);
    const every = Array.from({ length: VARIANTS }, (_, n) => String(n));
    for (const [index, { name, value }] of cases.entries()) {
      const own = new Set(matched[index]!.split(' '));
      // A filter that is not true filters nothing, and neither does the exclusion.
      const rest =
        (value as unknown) === false && own.size === VARIANTS ? every : every.filter(n => !own.has(n));
      expect([type, name, value, all[cases.length + index]]).toEqual([type, name, value, rest.join(' ')]);
    }
    text += `${type}\n`;
    for (const name of new Set(cases.map(one => one.name))) {
      text += `  ${name}\n`;
      for (const [index, one] of cases.entries())
        if (one.name === name) text += `    ${short(JSON.stringify(one.value))}: ${matched[index]}\n`;
    }
  }
  await expect(text).toMatchFileSnapshot('./recorded/filters.txt');
});

/** Shows repeated characters once, and how often they occur. */
const short = (text: string) =>
  text
    .replace(/(.)\1{9,}/gu, (run, character) => `${character}{${run.length}}`)
    .replace(/(?:long\/){9,}/g, run => `(long/){${run.length / 5}}`);

/** The maximum number of aliases in a document. */
const AT_ONCE = 15;

interface GroupRequest {
  by: string;
  where?: FilterValues;
  not?: FilterValues;
}

/** The groups of a type by each dimension, and the sums of the reports that match. */
async function group(type: ReportType, requests: readonly GroupRequest[], [from, until] = [FROM, UNTIL]) {
  const answers: { keys: { value: string }[]; reports: number; count: number; days: number }[][] = [];
  for (let start = 0; start < requests.length; start += AT_ONCE) {
    const some = requests.slice(start, start + AT_ONCE);
    const fields = some.map(
      ({ by }, index) => `g${index}: reportGroups(type: ${type}, from: "${from}", to: "${until}", by: [${by}],
        where: $w${index}, not: $n${index}, orderBy: KEY, first: 1000) { groups { keys { value } reports count days } }`,
    );
    const declared = some.map((_, index) => `$w${index}: ReportFilter, $n${index}: ReportFilter`);
    const query = `query (${declared}) { viewer { ${fields.join('\n')} } }`;
    const variables = Object.fromEntries(
      some.flatMap(({ where, not }, index) => [
        [`w${index}`, where],
        [`n${index}`, not],
      ]),
    );
    const { viewer } = await data(service, key, query, { variables });
    answers.push(...some.map((_, index) => viewer[`g${index}`].groups));
  }
  return answers;
}

const listGroupings = (type: ReportType) => listDimensions(type).map(({ name }) => ({ by: name }));

/** The groups by each dimension, without rollups. */
const grouped = new Map<ReportType, Awaited<ReturnType<typeof group>>>();

it('dimensions have the recorded values', async () => {
  let text = '';
  for (const type of REPORT_TYPES) {
    text += `${type}\n`;
    const answers = await group(type, listGroupings(type));
    grouped.set(type, answers);
    for (const [index, { name }] of listDimensions(type).entries()) {
      const groups = answers[index]!.map(
        ({ keys, reports, count }) => `${short(JSON.stringify(keys[0]!.value))} ${reports}/${count}`,
      );
      text += `  ${name}: ${groups.join(' | ')}\n`;
    }
  }
  await expect(text).toMatchFileSnapshot('./recorded/dimensions.txt');
});

/** The number of copies of each report, so that the day has enough for rollups. */
const COPIES = 5;

it('rollups have the same values and match the same reports', async () => {
  await sql.query(
    `insert into report select copy.* from report r, generate_series(1, ${COPIES - 1}) n,
       jsonb_populate_record(r, jsonb_build_object('id', r.id || '-' || n)) copy
     where r.account_id = 'ada' and r.date >= '${FROM}' and r.date < '${UNTIL}'`,
  );
  await sql.query(
    `update daily_count set total = total * ${COPIES} where account_id = 'ada' and day = '${DAY}'`,
  );
  expect((await keepReportGroups(sql, NOW.slice(0, 10))).days).toBe(REPORT_TYPES.length);
  // Nothing is left to count from.
  await sql.query(`delete from report where account_id = 'ada'`);
  for (const type of REPORT_TYPES) {
    const inDays = listGroupings(type).filter(({ by }) => !['HOUR', 'MINUTE'].includes(by));
    const expected = grouped
      .get(type)!
      .map(groups =>
        groups.map(one => ({ ...one, reports: COPIES * one.reports, count: COPIES * one.count })),
      );
    const answers = await group(type, inDays);
    for (const [index, { by }] of inDays.entries()) {
      const place = listGroupings(type).findIndex(one => one.by === by);
      expect([type, by, answers[index]]).toEqual([type, by, expected[place]]);
    }
    await expectSums(type);
  }
});

it.each([
  ['includes the day', FROM, UNTIL, true],
  ['includes the day and others', '2026-05-09T12:00:00Z', '2026-05-12', true],
  ['begins after the first instant of the day', `${DAY}T00:00:00.001Z`, UNTIL, false],
  ['ends before the last instant of the day', FROM, `${DAY}T23:59:59.999Z`, false],
])('the rollup of a day is read for a period that %s', async (_, from, until, isRead) => {
  // Details, sets with a class of sources, and sets of mail.
  for (const [type, by] of [
    ['csp', 'SAMPLE'],
    ['csp', 'ACTION'],
    ['dmarc', 'ALIGNED'],
  ] as const) {
    const [groups] = await group(type, [{ by }], [from, until]);
    expect(groups!.reduce((sum, { reports }) => sum + reports, 0)).toBe(isRead ? COPIES * VARIANTS : 0);
  }
});

it('rollups leave reports of pages without a host out of any pattern', async () => {
  const matched = found.get('csp')![listCases('csp').findIndex(({ value }) => String(value) === '*')]!;
  const filters = { hostnames: ['*'] };
  const answers = await group('csp', [
    { by: 'PAGE', where: filters },
    { by: 'PAGE', not: filters },
  ]);
  const sums = answers.map(groups => groups.reduce((sum, { reports }) => sum + reports, 0));
  const withHost = COPIES * matched.split(' ').length;
  expect(withHost).toBeGreaterThan(0);
  expect(sums).toEqual([withHost, COPIES * VARIANTS - withHost]);
});

/** Filters that rollups do not answer. */
const UNANSWERED = ['id', 'sha256Spki'];

/**
 * The number of values of a filter that are compared with rollups, each with different matches. In npm test, only the
 * first type with a filter has several, because types share the filters.
 */
const SOME = 2;
const several = new Set<string>();

function countValues(name: string): number {
  if (!IN_EARNEST && several.has(name)) return 1;
  several.add(name);
  return SOME;
}

/** Compares the reports that match in rollups. */
async function expectSums(type: ReportType): Promise<void> {
  const cases = listCases(type)
    .map((one, index) => ({ ...one, matched: found.get(type)![index]! }))
    .filter(({ name, value }) => !UNANSWERED.includes(name) && !JSON.stringify(value).includes('nonce'));
  const names = [...new Set(cases.map(({ name }) => name))];
  const chosen = names.flatMap(name => {
    const own = cases.filter(one => one.name === name && one.matched !== '');
    return own
      .filter(({ matched }, at) => own.findIndex(one => one.matched === matched) === at)
      .slice(0, countValues(name));
  });
  const answers = await group(
    type,
    chosen.flatMap(({ filters }): GroupRequest[] => [
      { by: 'DAY', where: filters },
      { by: 'DAY', not: filters },
    ]),
  );
  const every = Array.from({ length: VARIANTS }, (_, n) => n);
  for (const [index, { name, value, matched }] of chosen.entries()) {
    const numbers = matched.split(' ').map(Number);
    const others =
      value === false && numbers.length === VARIANTS ? every : every.filter(n => !numbers.includes(n));
    const sums = [numbers, others].map(some =>
      some.length === 0 ? [] : [[COPIES * some.length, COPIES * some.reduce((sum, n) => sum + n + 1, 0)]],
    );
    const counted = answers
      .slice(2 * index, 2 * index + 2)
      .map(groups => groups.map(one => [one.reports, one.count]));
    expect([type, name, value, counted]).toEqual([type, name, value, sums]);
  }
}
