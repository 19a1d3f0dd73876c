import { DEMO_PERSONAL } from '@sightline/demo';
import { parameterText } from '@sightline/postgres';
import type { ReportType } from '@sightline/reports';
import type { Sql } from 'postgres';
import type { AccountId } from '../../sql/account-id.ts';
import { dayTotals, directiveTotals, typeTotals, usage } from '../../sql/analytics.ts';
import { auditEvents } from '../../sql/audit.ts';
import type { FilterValues } from '../../sql/report/filter.ts';
import { reports } from '../../sql/reports.ts';
import { type Statement, statementOf } from '../statements.ts';
import type { Values } from './values.ts';

/**
 * The measurement that it belongs to:
 * - `growth`: the median may hardly grow
 * - `filter`: a filter for which no order and no host helps
 * - `count`: graphs, totals, quota, and the trail
 */
export type Group = 'growth' | 'filter' | 'count';

export interface Query {
  name: string;
  group: Group;
  statement: Statement;
}

/** The account with most reports; the cast is what only authentication does in the service. */
const LARGEST = DEMO_PERSONAL as string as AccountId;
const CAP = 1000;

/** The queries over the month and the day that are given. */
export function queries(values: Values, today: string): Query[] {
  const { month, day } = values;
  const inMonth = (type: ReportType, filters: FilterValues, limit = CAP) =>
    statement(type, month, filters, limit);
  const growth = (name: string, filters: FilterValues, limit?: number): Query => ({
    name,
    group: 'growth',
    statement: inMonth('csp', filters, limit),
  });
  const { host, hostRecords, threatRecords } = values;
  return [
    { name: 'newest 1000 of a day', group: 'growth', statement: statement('csp', day, {}, CAP) },
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
    ...counts(today),
  ];
}

interface Period {
  from: string;
  until: string;
}

function statement(type: ReportType, period: Period, filters: FilterValues, limit: number): Statement {
  return statementOf(database =>
    reports(database, {
      account: LARGEST,
      type,
      ...period,
      filters,
      threatIntelligence: true,
      isPlain: true,
      limit,
    }),
  );
}

function counts(today: string): Query[] {
  const before = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10);
  const year = { from: before(364), to: today };
  const thisMonth = { from: `${today.slice(0, 7)}-01`, to: today };
  const count = (name: string, query: Parameters<typeof statementOf>[0]): Query => ({
    name,
    group: 'count',
    statement: statementOf(query),
  });
  return [
    count('graph of 12 months with directives', db => directiveTotals(db, LARGEST, 'csp', year)),
    count('last seven days', db => dayTotals(db, [LARGEST], { from: before(6), to: today })),
    count('breakdown, quota', db => typeTotals(db, [LARGEST], thisMonth)),
    count('usage', db => usage(db, [LARGEST], thisMonth)),
    count('audit page of 1000', db => auditEvents(db, LARGEST, null, CAP)),
  ];
}

/** A statement's parameters as PostgreSQL writes them. */
export function literals({ parameters }: Statement): string[] {
  return parameters.map(value => String(parameterText(value)));
}

export interface Measured {
  name: string;
  group: Group;
  /** Records of the answer. */
  records: number;
  /** Medians in milliseconds: as the client sees it, and as PostgreSQL does, planning and all. */
  client: number;
  database: number;
  /** The least of PostgreSQL's times: what it takes when nothing else is at work on the machine. */
  least: number;
}

/** Asks every query `rounds` times, after two that warm up. */
export async function measureQueries(
  reader: Sql,
  list: readonly Query[],
  rounds: number,
): Promise<Measured[]> {
  const measured: Measured[] = [];
  const [server] = await reader.unsafe("select current_setting('server_version_num')::int as version");
  // The time to write the rows out, where PostgreSQL can tell.
  const serialize = server!.version >= 170_000 ? 'serialize binary, ' : '';
  for (const { name, group, statement } of list) {
    const parameters = literals(statement);
    const ask = () => reader.unsafe(statement.text, parameters, { prepare: true });
    const explain = () =>
      reader.unsafe(
        `explain (analyze, timing off, buffers off, ${serialize}format json) ${statement.text}`,
        parameters,
      );
    const answer = await ask();
    await ask();
    const client: number[] = [];
    const database: number[] = [];
    // They are many, and only the slowest counts.
    const enough = group === 'filter' ? Math.max(3, Math.floor(rounds / 3)) : rounds;
    for (let round = 0; round < enough; round++) {
      const begin = performance.now();
      await ask();
      client.push(performance.now() - begin);
      database.push(timeOf(await explain()));
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
    });
  }
  return measured;
}

function timeOf(rows: readonly Record<string, unknown>[]): number {
  const plan = rows[0]!['QUERY PLAN'];
  const [summary] = (typeof plan === 'string' ? JSON.parse(plan) : plan) as Record<string, number>[];
  return summary!['Planning Time']! + summary!['Execution Time']!;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
