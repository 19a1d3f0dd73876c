import type { ReportType } from '@sightline/reports';
import type { FilterValues, ReportFilter } from '../../sql/report/filter.ts';
import { REPORT_FILTERS } from '../../sql/report/filters.ts';
import type { Operator } from '../../test/support/operator.ts';
import { drawnCombinations, type NamedFilters } from './combinations.ts';
import { OF_THE_FEED } from './fill.ts';

/** The values in the requests, which are the same at every size. */
export interface Values {
  month: { from: string; until: string };
  day: { from: string; until: string };
  /** A host that occurs in about 0.5 % of the reports. */
  host: string;
  /** The number of its reports at the first size, and of those with a threat flag, up to 1000. */
  hostRecords: number;
  threatRecords: number;
  id: string;
  filters: readonly NamedFilters[];
}

const CAP = 1000;
/** A value that does not occur. */
const NOWHERE = 'nothing-has-this';

/** Chooses the values from the account's last complete month, at the first size. */
export async function chooseValues(sql: Operator, now: Date, account: string): Promise<Values> {
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const month = {
    from: first.toISOString(),
    until: new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1, 1)).toISOString(),
  };
  const middle = (day: number) => new Date(first.getTime() + day * 86_400_000).toISOString();
  // Values from original reports, so that the requests are the same at all sizes.
  const own = `from report where account_id = '${account}' and date >= '${month.from}' and date < '${month.until}'
    and ${OF_THE_FEED}`;
  const one = async (text: string) => (await sql.query(text))[0] as Record<string, string>;
  const tenant = await one(`select reverse(host_reversed) as host, count(*) as count ${own} and type = 'csp'
    and host_reversed is not null
    group by host_reversed order by host_reversed like 'moc.elpmaxe.segap.%' desc, 2 limit 1`);
  const threat = await one(`select count(*) as count ${own} and type = 'csp' and (generated_domain
    or indicator_of_compromise or recently_registered_domain or low_reputation_domain or suspicious
    or policy_ioc_hosts is not null or policy_concern_hosts is not null)`);
  const report = await one(`select id ${own} and type = 'csp' limit 1`);
  return {
    month,
    day: { from: middle(14), until: middle(15) },
    host: tenant.host!,
    hostRecords: Math.min(Number(tenant.count), CAP),
    threatRecords: Math.min(Number(threat.count), CAP),
    id: report.id!,
    filters: [
      ...(await single(sql, own)),
      ...combinations(await rareValues(sql, own)),
      ...(await drawnCombinations(sql, own)),
    ],
  };
}

/** Each filter by itself on each type, with a rare value and with one that does not occur. */
async function single(sql: Operator, own: string): Promise<Values['filters']> {
  const list: NamedFilters[] = [];
  for (const filter of REPORT_FILTERS) {
    for (const type of filter.types) {
      for (const [which, value] of Object.entries(await listValues(sql, own, type, filter))) {
        list.push({ name: `${type}: ${filter.name}, ${which}`, type, filters: { [filter.name]: value } });
      }
    }
  }
  return list;
}

type FilterValue = NonNullable<FilterValues[string]>;

async function listValues(
  sql: Operator,
  own: string,
  type: ReportType,
  { kind, column }: ReportFilter,
): Promise<Record<string, FilterValue>> {
  if (kind === 'flag' || kind === 'anyFlag') return { true: true };
  if (kind === 'atMost') return { rare: 5, none: 0 };
  if (kind === 'hosts')
    return {
      none: ['www.nowhere.example'],
      'wildcard, none': ['*.nowhere.example'],
      'inner wildcard, none': ['*nowhere*'],
    };
  if (column === 'id') return { none: NOWHERE };
  const [found] = await sql.query(
    `select ${column} as value ${own} and type = '${type}' and ${column} is not null group by 1 order by count(*), 1 limit 1`,
  );
  const rare = (found?.value as string | undefined) ?? NOWHERE;
  if (kind === 'paths') {
    return {
      rare: [rare],
      none: ['/nowhere'],
      'wildcard, none': ['/nowhere*'],
      'inner wildcard, none': ['*/nowhere*'],
    };
  }
  return kind === 'hashes' ? { rare: [rare], none: [NOWHERE] } : { rare, none: NOWHERE };
}

interface Rare {
  commonPolicyId: string;
  /** An action that the common policy never takes. */
  otherAction: string;
  policyId: string;
  path: string;
  platforms: string[];
  browsers: string[];
}

async function rareValues(sql: Operator, own: string): Promise<Rare> {
  const list = async (column: string) =>
    (
      await sql.query(`select ${column} as value ${own} and type = 'csp' group by 1 order by count(*), 1`)
    ).map(({ value }) => value as string);
  const [paths, policies] = [await list('path'), await list('policy_id')];
  const [common] = await sql.query(
    `select action ${own} and type = 'csp' and policy_id = '${policies.at(-1)}' limit 1`,
  );
  return {
    policyId: policies[0]!,
    commonPolicyId: policies.at(-1)!,
    otherAction: common?.action === 'enforced' ? 'reportOnly' : 'enforced',
    path: paths[Math.floor(paths.length / 2)]!,
    platforms: await list('platform'),
    browsers: await list('browser'),
  };
}

/** Combinations of filters, including values that are frequent by themselves but never occur together. */
function combinations({
  policyId,
  commonPolicyId,
  otherAction,
  path,
  platforms,
  browsers,
}: Rare): Values['filters'] {
  const csp = (name: string, filters: FilterValues) => ({
    name: `csp: ${name}`,
    type: 'csp' as const,
    filters,
  });
  return [
    csp('path, policy and browser', { paths: [path], policyId, browser: browsers.at(-1)! }),
    csp('policy, platform and action', { policyId, platform: platforms[0]!, action: 'enforced' }),
    csp('browser and platform', { browser: browsers[0]!, platform: platforms[0]! }),
    csp('policy and the action that it never takes', { policyId: commonPolicyId, action: otherAction }),
    csp('two common ones that never meet', { browser: 'Safari', platform: 'Windows' }),
    csp('host and inner wildcard of a path', { hostnames: ['www.example.com'], paths: ['*/nowhere*'] }),
    csp('wide host wildcard and policy', { hostnames: ['*.example.com'], policyId }),
    csp('blocked host and no path', { blockedHostnames: ['*.example'], blockedPaths: ['/nowhere'] }),
  ];
}
