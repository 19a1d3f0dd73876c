import { DEMO_PERSONAL } from '@sightline/demo';
import { PLANNER_SETTINGS, parameterText } from '@sightline/pg-client';
import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../../sql/account-id.ts';
import { dayTotals, directiveTotals, typeTotals, usage } from '../../sql/analytics.ts';
import { auditEvents } from '../../sql/audit.ts';
import type { Database } from '../../sql/client.ts';
import type { FilterValues } from '../../sql/report/filter.ts';
import { reports } from '../../sql/reports.ts';
import type { Operator } from '../../test/support/operator.ts';
import { stockDriver } from '../../test/support/stock-driver.ts';
import { type Statement, toStatement } from '../statements.ts';
import { OF_THE_FEED } from './fill.ts';
import { listFilters } from './filters.ts';
import type { Figure } from './run.ts';

export interface NamedStatement {
  group: string;
  name: string;
  statement: Statement;
}

const CAP = 1000;
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);
const daysAgo = (days: number) => toDay(Date.now() - days * 86_400_000);

/**
 * Lists the statements of the largest account for its last whole month, and those without filters of an account that
 * does not grow. The values in them are chosen at the first size and are the same at every size.
 */
export async function listStatements(sql: Operator, steady: string): Promise<NamedStatement[]> {
  const now = new Date();
  const toInstant = (months: number, day = 1) =>
    new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, day)).toISOString();
  const month = { from: toInstant(-1), until: toInstant(0) };
  const own = `from report where account_id = '${DEMO_PERSONAL}' and date >= '${month.from}' and date < '${month.until}'
    and ${OF_THE_FEED}`;
  const [selective] = await sql.query<{ host: string; id: string }>(`
    select reverse(host_reversed) as host, min(id) as id ${own} and type = 'csp' and host_reversed is not null
    group by host_reversed order by host_reversed like 'moc.elpmaxe.segap.%' desc, count(*) limit 1`);
  const { host, id } = selective!;
  const list = (
    account: string,
    filters: FilterValues,
    period = month,
    type: ReportType = 'csp',
    openSince?: string,
  ) =>
    toStatement(db =>
      reports(db, {
        account: account as AccountId,
        type,
        ...period,
        filters,
        threatIntelligence: true,
        isPlain: true,
        limit: CAP,
        openSince,
      }),
    );
  const openMonth = { from: toInstant(0), until: toInstant(1) };
  const plain = (account: string): Record<string, Statement> => ({
    'newest 1,000 of a day': list(account, {}, { from: toInstant(-1, 15), until: toInstant(-1, 16) }),
    'newest 1,000 of a month': list(account, {}),
    'newest 1,000 of a host': list(account, { hostnames: [host] }),
    'newest 1,000 of a host wildcard': list(account, { hostnames: ['*.eu.example.com'] }),
    'newest 1,000 of a wide host wildcard': list(account, { hostnames: ['*.example.com'] }),
    'newest 1,000 with any threat flag': list(account, { anyThreatIntel: true }),
    'report by id': list(account, { id }),
    'pattern of a path in the open month': list(
      account,
      { paths: ['*/nowhere*'] },
      openMonth,
      'csp',
      openMonth.from,
    ),
    ...listCounts(account as AccountId),
  });
  const { single, combined } = await listFilters(sql, own);
  const toGroup = (group: string, statements: Record<string, Statement>) =>
    Object.entries(statements).map(([name, statement]) => ({ group, name, statement }));
  return [
    ...toGroup('statement, ms', plain(DEMO_PERSONAL)),
    ...toGroup('statement of an account that does not grow, ms', { ...plain(steady), ...WITHOUT_TABLE }),
    ...Object.entries({ 'filter alone, ms': single, 'combination of filters, ms': combined }).flatMap(
      ([group, filters]) =>
        filters.map(({ name, type, filters }) => ({
          group,
          name,
          statement: list(DEMO_PERSONAL, filters, month, type),
        })),
    ),
  ];
}

/** Depends on the machine only, so its growth shows how much slower the machine has become. */
const WITHOUT_TABLE: Record<string, Statement> = {
  'sum of 5,000 numbers': { text: 'select sum(n) from generate_series(1, 5000) n', parameters: [] },
};

function listCounts(account: AccountId): Record<string, Statement> {
  const today = daysAgo(0);
  const thisMonth = { from: `${today.slice(0, 7)}-01`, to: today };
  const queries: Record<string, (db: Database) => Promise<unknown>> = {
    'graph of 12 months': db => directiveTotals(db, account, 'csp', { from: daysAgo(364), to: today }),
    'last seven days': db => dayTotals(db, [account], { from: daysAgo(6), to: today }),
    'breakdown, quota': db => typeTotals(db, [account], thisMonth),
    usage: db => usage(db, [account], thisMonth),
    'audit page of 1,000': db => auditEvents(db, account, null, CAP),
  };
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, toStatement(query)]));
}

/** The number of runs of a statement per round. They are short, and other work can only delay them. */
const RUNS = 4;

/** Returns PostgreSQL's shortest time for each statement, including planning, after a run to warm up. */
export async function measureStatements(
  url: string,
  statements: readonly NamedStatement[],
  rounds: number,
): Promise<Figure[]> {
  // With the service's settings: custom plans and a read-only session.
  const connection = { ...PLANNER_SETTINGS, role: 'sightline_reader', TimeZone: 'UTC' };
  const reader = stockDriver(url, { max: 1, fetch_types: false, connection });
  const figures: Figure[] = [];
  for (const { group, name, statement } of statements) {
    const text = `explain (analyze, timing off, serialize binary, format json) ${statement.text}`;
    const parameters = statement.parameters.map(value => String(parameterText(value)));
    const times: number[] = [];
    for (let round = 0; round <= rounds * RUNS; round++) {
      const [row] = await reader.unsafe(text, parameters);
      const plan = row!['QUERY PLAN'];
      const [summary] = typeof plan === 'string' ? JSON.parse(plan) : plan;
      if (round > 0) times.push(summary['Planning Time'] + summary['Execution Time']);
    }
    figures.push({ group, name, value: Math.min(...times) });
  }
  await reader.end();
  return figures;
}
