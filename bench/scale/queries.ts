import { parameterText } from '@sightline/pg-client';
import type { ReportType } from '@sightline/reports';
import type { Sql } from 'postgres';
import type { AccountId } from '../../sql/account-id.ts';
import { dayTotals, directiveTotals, typeTotals, usage } from '../../sql/analytics.ts';
import { auditEvents } from '../../sql/audit.ts';
import { dailySet } from '../../sql/report/daily-sets.ts';
import { dimension } from '../../sql/report/dimensions.ts';
import type { FilterValues } from '../../sql/report/filter.ts';
import { reportGroups } from '../../sql/report-groups.ts';
import { reports } from '../../sql/reports.ts';
import { type Statement, toStatement } from '../statements.ts';
import type { Values } from './values.ts';

/**
 * The measurement that it belongs to:
 * - `growth`: the median may hardly grow
 * - `filter`: a filter for which no order and no host helps
 * - `count`: graphs, totals, quota, and the trail
 * - `grouping`: a year in groups, kept or not, and patterns in the open month
 */
export const GROUPS = ['growth', 'count', 'grouping', 'filter'] as const;

export type Group = (typeof GROUPS)[number];

export interface Query {
  name: string;
  group: Group;
  statement: Statement;
}

const CAP = 1000;

/** Lists an account's queries for the given month and day. */
export function queries(name: string, values: Values, today: string): Query[] {
  // The service gets this type only from authentication.
  const account = name as AccountId;
  const { month, day } = values;
  const inMonth = (type: ReportType, filters: FilterValues, limit = CAP) =>
    statement(account, type, month, filters, limit);
  const growth = (name: string, filters: FilterValues, limit?: number): Query => ({
    name,
    group: 'growth',
    statement: inMonth('csp', filters, limit),
  });
  const { host, hostRecords, threatRecords } = values;
  return [
    { name: 'newest 1000 of a day', group: 'growth', statement: statement(account, 'csp', day, {}, CAP) },
    growth('newest 1000 of a month', {}),
    growth(`newest ${hostRecords} of a selective host`, { hostnames: [host] }, hostRecords),
    growth('selective host, all of the answer', { hostnames: [host] }),
    growth('selective host wildcard', { hostnames: ['*.eu.example.com'] }),
    growth('wide host wildcard', { hostnames: ['*.example.com'] }),
    growth(`newest ${threatRecords} of any threat`, { anyThreatIntel: true }, threatRecords),
    growth('any threat, all of the answer', { anyThreatIntel: true }),
    growth('by id', { id: values.id }),
    ...values.filters.map(
      ({ name, type, filters }): Query => ({ name, group: 'filter', statement: inMonth(type, filters) }),
    ),
    ...counts(account, today),
    ...groupings(account, today),
  ];
}

interface Period {
  from: string;
  until: string;
}

function statement(
  account: AccountId,
  type: ReportType,
  period: Period,
  filters: FilterValues,
  limit: number,
  openSince?: string,
): Statement {
  return toStatement(database =>
    reports(database, {
      account,
      type,
      ...period,
      filters,
      threatIntelligence: true,
      isPlain: true,
      limit,
      openSince,
    }),
  );
}

function counts(account: AccountId, today: string): Query[] {
  const before = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  const year = { from: before(364), to: today };
  const thisMonth = { from: `${today.slice(0, 7)}-01`, to: today };
  const count = (name: string, query: Parameters<typeof toStatement>[0]): Query => ({
    name,
    group: 'count',
    statement: toStatement(query),
  });
  return [
    count('graph of 12 months with directives', db => directiveTotals(db, account, 'csp', year)),
    count('last seven days', db => dayTotals(db, [account], { from: before(6), to: today })),
    count('breakdown, quota', db => typeTotals(db, [account], thisMonth)),
    count('usage', db => usage(db, [account], thisMonth)),
    count('audit page of 1000', db => auditEvents(db, account, null, CAP)),
  ];
}

/** Groupings that have rollups of their own, and groupings that use the detailed rollups. */
const GROUPINGS: readonly [type: ReportType, by: readonly string[], filters?: FilterValues][] = [
  ['csp', ['BLOCKED_HOST']],
  ['csp', ['POLICY_ID', 'DIRECTIVE']],
  ['csp', ['BROWSER', 'PLATFORM']],
  ['nel', ['NEL_TYPE']],
  ['dmarc', ['SOURCE_IP']],
  ['csp', ['SOURCE_FILE']],
  ['csp', ['HOUR']],
  ['csp', ['BLOCKED_HOST'], { browser: 'Firefox' }],
];

function groupings(account: AccountId, today: string): Query[] {
  const until = new Date(Date.parse(today) + 86_400_000).toISOString();
  const year = { from: new Date(Date.parse(today) - 364 * 86_400_000).toISOString(), until };
  const openMonth = { from: `${today.slice(0, 7)}-01T00:00:00.000Z`, until };
  const grouped = GROUPINGS.map(([type, by, filters = {}]): Query => {
    const grouping = {
      by: by.map(name => dimension(type, name)!),
      orderBy: 'COUNT',
      first: 100,
    } as const;
    const isKept = Object.keys(filters).length === 0 && dailySet(type, by) !== undefined;
    return {
      name: `year of ${type} by ${by.join(', ')}${Object.keys(filters).map(name => ` with ${name}`)}, ${isKept ? 'own rollup' : 'details'}`,
      group: 'grouping',
      statement: toStatement(db =>
        reportGroups(db, { account, type, ...year, filters, not: {} }, [grouping]),
      ),
    };
  });
  const pattern = statement(account, 'csp', openMonth, { paths: ['*/nowhere*'] }, CAP, openMonth.from);
  return [...grouped, { name: 'pattern of a path in the open month', group: 'grouping', statement: pattern }];
}

/** Formats a statement's parameters as PostgreSQL literals. */
export function literals({ parameters }: Statement): string[] {
  return parameters.map(value => String(parameterText(value)));
}

export interface QueryMeasure {
  name: string;
  group: Group;
  /** The number of records in the result. */
  records: number;
  /** Median times in milliseconds, as seen by the client and by PostgreSQL, including planning. */
  client: number;
  database: number;
  /** PostgreSQL's fastest time, on an otherwise idle machine. */
  least: number;
  /** The number of 8 kB pages that PostgreSQL reads, from memory or disk. */
  blocks: number;
}

/** Runs each query `rounds` times, after two runs to warm up. */
export async function measureQueries(
  reader: Sql,
  list: readonly Query[],
  rounds: number,
): Promise<QueryMeasure[]> {
  const measured: QueryMeasure[] = [];
  const [server] = await reader.unsafe("select current_setting('server_version_num')::int as version");
  // Includes the time for writing the rows, if PostgreSQL can measure it.
  const serialize = server!.version >= 170_000 ? 'serialize binary, ' : '';
  for (const { name, group, statement } of list) {
    const parameters = literals(statement);
    const ask = () => reader.unsafe(statement.text, parameters, { prepare: true });
    const explain = () =>
      reader.unsafe(
        `explain (analyze, timing off, buffers, ${serialize}format json) ${statement.text}`,
        parameters,
      );
    const answer = await ask();
    await ask();
    const client: number[] = [];
    const database: number[] = [];
    let blocks = 0;
    // There are many filters, and only the slowest matter.
    const enough = group === 'filter' ? Math.max(3, Math.floor(rounds / 3)) : rounds;
    for (let round = 0; round < enough; round++) {
      const begin = performance.now();
      await ask();
      client.push(performance.now() - begin);
      const plan = readPlan(await explain());
      database.push(plan['Planning Time'] + plan['Execution Time']);
      blocks = countBlocks(plan);
    }
    const records = Math.min(
      answer.length,
      statement.text.includes(`limit ${CAP + 1}`) ? CAP : answer.length,
    );
    measured.push({
      name,
      group,
      records,
      client: median(client),
      database: median(database),
      least: Math.min(...database),
      blocks,
    });
  }
  return measured;
}

interface Blocks {
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
}

interface PlanSummary {
  Plan: Blocks;
  'Planning Time': number;
  'Execution Time': number;
}

function readPlan(rows: readonly Record<string, unknown>[]): PlanSummary {
  const plan = rows[0]!['QUERY PLAN'];
  const [summary] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as PlanSummary[];
  return summary!;
}

/** Pages read for planning are excluded, because their number depends on the earlier plans of the session. */
function countBlocks({ Plan }: PlanSummary): number {
  return Plan['Shared Hit Blocks'] + Plan['Shared Read Blocks'];
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
