import { beginTurn, isTurnOver, nextTurn, TurnClock } from '@sightline/csp';
import type { Parameter } from '@sightline/pg-client';
import type { AccountId } from './account-id.ts';
import type { Database, TenantRow } from './client.ts';
import { ofReports } from './groups/of-reports.ts';
import type { GroupedReports, Grouping, Parts } from './groups/query.ts';
import { setsFor, withDays } from './groups/with-days.ts';
import { findDetails, withDetails } from './groups/with-details.ts';
import type { Bind } from './report/indexed-values.ts';

export type { GroupedReports, Grouping, GroupOrder } from './groups/query.ts';

export interface ReportGroup {
  /** In the order of `by`; '' if reports do not contain the value. */
  values: string[];
  /** The sum of the reports' counts, and their number. */
  count: number;
  reports: number;
  firstSeen: string;
  lastSeen: string;
  /** Number of UTC days with reports. */
  days: number;
  /** The same days as bits, if requested: `1` is the first day of the period. */
  dayBits?: bigint;
}

export interface ReportGroups {
  groups: ReportGroup[];
  /** The total number of groups. */
  groupCount: number;
  /** The count of all reports in all groups. */
  totalCount: number;
  totalReports: number;
  /** The version of the account that was read; undefined without reports. */
  version: number | undefined;
}

interface GroupRow extends TenantRow {
  grouping: number;
  v1: string;
  v2: string | null;
  v3: string | null;
  count: number;
  reports: number;
  first_seen: string;
  last_seen: string;
  days: number;
  day_bits?: string;
  groups: number;
  total_count: number;
  total_reports: number;
  version: number;
}

/** Groups the same reports in several ways, reading them once. Returns the results in the order of the groupings. */
export async function reportGroups(
  db: Database,
  query: GroupedReports & { account: AccountId },
  groupings: readonly Grouping[],
): Promise<ReportGroups[]> {
  // The aliases of a request arrive together, and their filters can be long.
  if (isTurnOver()) await beginTurn();
  const { account } = query;
  const parameters: Parameter[] = [];
  const text = statement(query, groupings, value => `$${parameters.push(value)}`);
  const rows = await db.queryTenant<GroupRow>(account, text, parameters, { prepare: false });
  const answers = groupings.map(createGroups);
  if (isTurnOver()) await beginTurn();
  const clock = new TurnClock(1);
  for (const part of rows.inParts(PART)) {
    for (const row of part) addRow(answers[row.grouping]!, groupings[row.grouping]!, row);
    if (clock.isOver()) await nextTurn();
  }
  return answers;
}

/**
 * The number of bytes of rows read between two checks of the clock. Thousands of groups can have bits for years of
 * days.
 */
const PART = 128 * 1024;

const createGroups = (): ReportGroups => ({
  groups: [],
  groupCount: 0,
  totalCount: 0,
  totalReports: 0,
  version: undefined,
});

function addRow(answer: ReportGroups, { by }: Grouping, row: GroupRow): void {
  const { v1, v2, v3, count, reports, first_seen, last_seen, days, day_bits } = row;
  answer.groups.push({
    values: [v1, v2, v3].slice(0, by.length) as string[],
    count,
    reports,
    firstSeen: first_seen,
    lastSeen: last_seen,
    days,
    ...(day_bits === undefined ? {} : { dayBits: toBits(day_bits) }),
  });
  answer.groupCount = row.groups;
  answer.totalCount = row.total_count;
  answer.totalReports = row.total_reports;
  answer.version = row.version;
}

/** @param text numbers of 62 days each, in order */
function toBits(text: string): bigint {
  return text.split(',').reduceRight((bits, number) => (bits << 62n) | BigInt(number), 0n);
}

function statement(query: GroupedReports, groupings: readonly Grouping[], bind: Bind): string {
  const { tables, answers } = chooseSource(query, groupings, bind);
  const version = '(select version from account where id = $1)';
  return `with ${tables.join(',\n')}
    select parts.*, ${version} as version from (${answers.join('\nunion all\n')}) as parts`;
}

/** Checks whether rollups can answer a grouping. Otherwise each report of the period is read. */
export function hasRollups(query: GroupedReports, grouping: Grouping): boolean {
  return setsFor(query, [grouping]) !== undefined || findDetails(query, [grouping]) !== undefined;
}

/** Chooses the smallest rollups that contain the groupings, or otherwise the reports. */
function chooseSource(query: GroupedReports, groupings: readonly Grouping[], bind: Bind): Parts {
  const sets = setsFor(query, groupings);
  if (sets) return withDays(query, groupings, sets, bind);
  const details = findDetails(query, groupings);
  return details ? withDetails(query, groupings, details, bind) : ofReports(query, groupings, bind);
}
