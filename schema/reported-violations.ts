import type { ReportedViolation } from '@sightline/csp/reach';
import { isNoise as isNoiseClass, type SourceClass } from '@sightline/reports/source-classes';
import type { Account } from '../sql/account.ts';
import { VIOLATION } from '../sql/report/daily-sets.ts';
import { dimension } from '../sql/report/dimensions.ts';
import { type Grouping, type ReportGroup, type ReportGroups, reportGroups } from '../sql/report-groups.ts';
import type { Context } from './context.ts';
import { periodOfArguments, withinRetention } from './report-query.ts';

/** A violation with the class of its source. */
interface ClassedViolation extends ReportedViolation {
  sourceClass: SourceClass;
}

export interface ReportedViolations {
  violations: ClassedViolation[];
  /** The counts of what is beyond `MOST`. */
  otherCount: number;
}

/** Groups that are looked at: those with the largest counts. */
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

/** The arguments that say which reports are meant. */
export const SITE_PERIOD = {
  site: {
    type: 'HostName',
    required: true,
    description: 'Host name of the pages; `*` stands for any characters.',
  },
  from: { type: 'Instant', required: true, description: 'Where the period begins.' },
  to: { type: 'Instant', description: 'The first instant behind the period; now, where it is left out.' },
} as const;

/** The CSP reports of a site in a period, as far as the plan keeps them. @throws {PublicError} for the period */
export async function reportedViolations(
  account: Account,
  { site, from, to }: SitePeriod,
  context: Context,
): Promise<ReportedViolations> {
  const period = periodOfArguments({ type: 'csp', from, to: to ?? null }, context.now);
  const visible = withinRetention(period, account, context.now);
  if (!visible) return { violations: [], otherCount: 0 };
  const { groups, totalCount } = await load(account, site, visible, context);
  const violations = groups.map(violationOf);
  return { violations, otherCount: totalCount - violations.reduce((sum, { count }) => sum + count, 0) };
}

/** From memory where the same was asked of the same version of the account, as for each tick on the page. */
async function load(
  account: Account,
  site: string,
  period: { from: string; until: string },
  { database, keptGroups }: Context,
): Promise<ReportGroups> {
  const query = {
    account: account.id,
    type: 'csp' as const,
    filters: { hostnames: [site] },
    not: {},
    ...period,
  };
  const name = JSON.stringify(['violations', query]);
  const kept = keptGroups?.get(`${account.version} ${name}`);
  if (kept) return kept;
  const [found] = await reportGroups(database, query, [GROUPING]);
  if (found!.version !== undefined) keptGroups?.keep(`${found!.version} ${name}`, found!);
  return found!;
}

function violationOf({
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

/** Reports of extensions, and those that cannot be, tell nothing of a site's policy. */
export function isNoise({ sourceClass }: ClassedViolation): boolean {
  return isNoiseClass(sourceClass);
}
