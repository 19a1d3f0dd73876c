import type { ReportedViolation } from '@sightline/csp';
import { eachInTurns } from '@sightline/csp';
import { isNoise, type SourceClass } from '@sightline/reports';
import type { Account } from '../sql/account.ts';
import { VIOLATION } from '../sql/report/daily-sets.ts';
import { dimension } from '../sql/report/dimensions.ts';
import { type Grouping, type ReportGroup, type ReportGroups, reportGroups } from '../sql/report-groups.ts';
import type { Context } from './context.ts';
import { clampToRetention, periodOfArguments } from './report-query.ts';

/** A violation, with its source class. */
interface ClassedViolation extends ReportedViolation {
  sourceClass: SourceClass;
}

export interface ReportedViolations {
  violations: ClassedViolation[];
  /** The count of reports beyond `MOST` groups. */
  otherCount: number;
}

/** The maximum number of groups, those with the largest counts. */
const MOST = 20_000;

const GROUPING: Grouping = {
  by: [dimension('csp', 'PAGE')!, VIOLATION, dimension('csp', 'BLOCKED_URI')!],
  orderBy: 'COUNT',
  first: MOST,
  withDayBits: true,
};

export interface SitePeriod {
  site: string;
  from: string;
  to?: string | null | undefined;
}

/** The arguments that select a site's reports. */
export const SITE_PERIOD = {
  site: {
    type: 'HostName',
    required: true,
    description: 'Host name of the pages; `*` matches any characters.',
  },
  from: { type: 'Instant', required: true, description: 'The start of the period, inclusive.' },
  to: { type: 'Instant', description: 'The end of the period, exclusive; now by default.' },
} as const;

/**
 * Loads the CSP reports of a site in a period, within the plan's retention.
 * @throws {PublicError} if the period is invalid
 */
export async function loadViolations(
  account: Account,
  { site, from, to }: SitePeriod,
  context: Context,
): Promise<ReportedViolations> {
  const period = periodOfArguments({ type: 'csp', from, to: to ?? null }, context.now);
  const visible = clampToRetention(period, account, context.now);
  if (!visible) return { violations: [], otherCount: 0 };
  const { groups, totalCount } = await load(account, site, visible, context);
  const violations: ClassedViolation[] = [];
  let otherCount = totalCount;
  await eachInTurns(groups, group => {
    violations.push(toViolation(group));
    otherCount -= group.count;
  });
  return { violations, otherCount };
}

/** Cached by query and account version, since each tick on the page repeats the query. */
async function load(
  account: Account,
  site: string,
  period: { from: string; until: string },
  { database, groupCache }: Context,
): Promise<ReportGroups> {
  const query = {
    account: account.id,
    type: 'csp' as const,
    filters: { hostnames: [site] },
    not: {},
    ...period,
  };
  const name = JSON.stringify(['violations', query]);
  const cached = groupCache?.get(`${account.version} ${name}`);
  if (cached) return cached;
  const [found] = await reportGroups(database, query, [GROUPING]);
  if (found!.version !== undefined) groupCache?.keep(`${found!.version} ${name}`, found!);
  return found!;
}

function toViolation({
  values,
  count,
  reports,
  firstSeen,
  lastSeen,
  dayBits,
}: ReportGroup): ClassedViolation {
  const [page = '', violation = '', blockedUri = ''] = values;
  const [, sourceClass, ...directive] = violation.split(' ');
  return {
    page,
    blockedUri,
    directive: directive.join(' '),
    sourceClass: sourceClass as SourceClass,
    count,
    reports,
    firstSeen,
    lastSeen,
    dayBits: dayBits!,
  };
}

/**
 * Separates reports caused by extensions and impossible reports, which say nothing about a site's policy, from the
 * others. Returns both, noise first.
 * @param isWanted selects pages
 */
export async function splitNoise(
  violations: readonly ClassedViolation[],
  isWanted: (page: string) => boolean = () => true,
): Promise<[noise: ClassedViolation[], telling: ClassedViolation[]]> {
  const [noise, telling]: ClassedViolation[][] = [[], []];
  await eachInTurns(violations, violation => {
    if (isWanted(violation.page)) (isNoise(violation.sourceClass) ? noise : telling)!.push(violation);
  });
  return [noise!, telling!];
}
