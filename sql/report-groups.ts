import type { Parameter } from '@sightline/postgres';
import type { AccountId } from './account-id.ts';
import type { Database, OwnedRow } from './client.ts';
import { ofReports } from './groups/of-reports.ts';
import type { GroupedReports, Grouping } from './groups/query.ts';
import { setsFor, withDays } from './groups/with-days.ts';
import type { Bind } from './report/indexed-values.ts';

export type { GroupedReports, Grouping, GroupOrder } from './groups/query.ts';

export interface ReportGroup {
  /** In the order of `by`; '' where reports do not say. */
  values: string[];
  /** The sum of the reports' counts, and how many reports there are. */
  count: number;
  reports: number;
  firstSeen: string;
  lastSeen: string;
  /** UTC days on which there are any. */
  days: number;
  /** The same as bits, where they were asked for: `1` is the first day of the period. */
  dayBits?: bigint;
}

export interface ReportGroups {
  groups: ReportGroup[];
  /** The number of all groups. */
  groupCount: number;
  /** The count of all reports, in whichever group. */
  totalCount: number;
  totalReports: number;
  /** The version of the account that this is of; undefined where there is no report. */
  version: number | undefined;
}

interface GroupRow extends OwnedRow {
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

/** Groups the same reports in several ways, with one look at them. Answers in the order of the groupings. */
export async function reportGroups(
  db: Database,
  query: GroupedReports & { account: AccountId },
  groupings: readonly Grouping[],
): Promise<ReportGroups[]> {
  const { account } = query;
  const parameters: Parameter[] = [];
  const text = statement(query, groupings, value => `$${parameters.push(value)}`);
  const rows = await db.owned<GroupRow>(account, text, parameters, { prepare: false });
  const answers = groupings.map(() => [] as GroupRow[]);
  for (const row of rows) answers[row.grouping]!.push(row);
  return answers.map((own, index) => groupsOf(own, groupings[index]!));
}

function groupsOf(rows: readonly GroupRow[], { by }: Grouping): ReportGroups {
  const [any] = rows;
  return {
    groups: rows.map(({ v1, v2, v3, count, reports, first_seen, last_seen, days, day_bits }) => ({
      values: [v1, v2, v3].slice(0, by.length) as string[],
      count,
      reports,
      firstSeen: first_seen,
      lastSeen: last_seen,
      days,
      ...(day_bits === undefined ? {} : { dayBits: bitsOf(day_bits) }),
    })),
    groupCount: any?.groups ?? 0,
    totalCount: any?.total_count ?? 0,
    totalReports: any?.total_reports ?? 0,
    version: any?.version,
  };
}

/** @param text numbers of 62 days each, the first of them first */
function bitsOf(text: string): bigint {
  return text.split(',').reduceRight((bits, number) => (bits << 62n) | BigInt(number), 0n);
}

function statement(query: GroupedReports, groupings: readonly Grouping[], bind: Bind): string {
  const sets = setsFor(query, groupings);
  const { tables, answers } = sets
    ? withDays(query, groupings, sets, bind)
    : ofReports(query, groupings, bind);
  const version = '(select version from account where id = $1)';
  return `with ${tables.join(',\n')}
    select parts.*, ${version} as version from (${answers.join('\nunion all\n')}) as parts`;
}
