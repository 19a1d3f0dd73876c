import { DEMO_PERSONAL } from '@sightline/demo';
import { REPORT_TYPES, type ReportType, reverseHost } from '@sightline/reports';
import { OverviewDocument } from '../../packages/web/src/app/browser/documents/documents.generated.ts';
import { REPORT_TYPES as VIEWS } from '../../packages/web/src/app/browser/report-types.ts';
import { listDimensions } from '../../sql/report/dimensions.ts';
import type { FilterValues, ReportFilter } from '../../sql/report/filter.ts';
import { listFilters } from '../../sql/report/filters.ts';
import type { Operator } from '../../test/support/operator.ts';
import type { LoadRequest } from '../load.ts';
import { say } from '../processes.ts';
import { type ServiceDatabase, startService } from '../services.ts';
import type { Figure } from './run.ts';

/** A request to `/graphql`. */
export interface GraphRequest {
  group: string;
  name: string;
  query: string;
  variables: object;
}

const GROUPS = `query ($type: ReportTypeName!, $from: Instant!, $to: Instant, $by: [GroupBy!]!, $where: ReportFilter) {
  viewer { reportGroups(type: $type, from: $from, to: $to, by: $by, where: $where, first: 100) {
    groups { keys { value } count reports days } totalCount
  } }
}`;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Groupings that a year is too long for. */
const TOO_FINE = ['HOUR', 'MINUTE'];

/**
 * Lists the overview of the page, the groupings of the page and of the documentation over a year, and the first
 * grouping of each view with every filter. Each filter has its most frequent value, for which no index helps.
 */
export async function listRequests(sql: Operator): Promise<GraphRequest[]> {
  const from = `${daysAgo(364)}T00:00:00Z`;
  const group = (name: string, type: ReportType, by: readonly string[], where: FilterValues = {}) => ({
    group: 'a year in groups, ms',
    name,
    query: GROUPS,
    variables: { type, from, by, where },
  });
  const overview = {
    query: OverviewDocument.toString(),
    variables: {
      account: DEMO_PERSONAL,
      from: daysAgo(29),
      begin: daysAgo(6),
      threats: { anyThreatIntel: true },
    },
  };
  const requests: GraphRequest[] = [
    { group: 'request, ms', name: 'the first overview after a start', ...overview },
    { group: 'request, ms', name: 'overview of the page', ...overview },
    {
      ...group('a month by blocked host', 'csp', ['BLOCKED_HOST']),
      group: 'request, ms',
      variables: {
        type: 'csp',
        from: `${daysAgo(60)}T00:00:00Z`,
        to: `${daysAgo(30)}T00:00:00Z`,
        by: ['BLOCKED_HOST'],
      },
    },
  ];
  for (const type of REPORT_TYPES) {
    const { groupings, splits } = VIEWS.find(view => view.type === type)!;
    const ofPage = [...groupings.map(({ by }) => by), ...splits.map(({ by }) => [...by, 'DAY'])];
    const single = listDimensions(type).flatMap(({ name }) => (TOO_FINE.includes(name) ? [] : [[name]]));
    const all = new Map([...ofPage, ...single].map(by => [by.join(' + '), by as readonly string[]]));
    for (const [name, by] of all) requests.push(group(`${type} by ${name}`, type, by));
    const { by } = groupings[0];
    for (const filter of listFilters(type)) {
      const value = await findCommonValue(sql, type, filter);
      if (value === undefined) continue;
      requests.push(
        group(`${type} by ${by.join(' + ')}, ${filter.name}`, type, by, { [filter.name]: value }),
      );
    }
  }
  return requests;
}

async function findCommonValue(
  sql: Operator,
  type: ReportType,
  { kind, column }: ReportFilter,
): Promise<FilterValues[string]> {
  if (kind === 'flag' || kind === 'anyFlag' || kind === 'boolean') return true;
  if (kind === 'atMost') return 90;
  if (column === 'id' || kind === 'details') return undefined;
  const expression = kind === 'hosts' && type === 'certificate_transparency' ? 'hosts_reversed[1]' : column;
  const [found] = await sql.query<{ value: string }>(`
    select value from (select (${expression})::text as value from report
      where account_id = '${DEMO_PERSONAL}' and type = '${type}') as values
    where value <> '' group by value order by count(*) desc, value limit 1`);
  if (!found) return undefined;
  if (kind === 'hosts') return [reverseHost(found.value)];
  return kind === 'paths' || kind === 'hashes' || kind === 'classes' ? [found.value] : found.value;
}

/** The statement timeout that an operator gets, since the other benchmarks use a longer one. */
export const DEFAULT_LIMITS = { STATEMENT_TIMEOUT: '2s' };

/** Error codes that tell the caller what to change. */
const REFUSALS = ['TIME_LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'];

/**
 * Returns the milliseconds until the response of a request; infinite if it is refused.
 * @throws {Error} for any other failure
 */
async function timeRequest(
  { url, headers }: LoadRequest,
  { name, query, variables }: GraphRequest,
): Promise<number> {
  const body = JSON.stringify({ query, variables });
  const begin = performance.now();
  const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
  const response = await fetch(url, init);
  const { errors } = (await response.json()) as {
    errors?: { message: string; extensions: { code: string } }[];
  };
  if (!errors) return performance.now() - begin;
  const [{ message, extensions }] = errors as [NonNullable<typeof errors>[number]];
  if (!REFUSALS.includes(extensions.code)) throw new Error(`${name}: ${message}`);
  say(`${name} is refused: ${message}`);
  return Number.POSITIVE_INFINITY;
}

/**
 * Returns the fastest of several responses of a service without its cache and with the default limits. A first request
 * is sent only once.
 */
export async function measureRequests(
  database: ServiceDatabase,
  requests: readonly GraphRequest[],
  rounds: number,
): Promise<Figure[]> {
  await using service = await startService(database, 'ours', DEFAULT_LIMITS);
  const figures: Figure[] = [];
  for (const request of requests) {
    const { group, name } = request;
    let value = Number.POSITIVE_INFINITY;
    for (let round = 0; round < (name.includes('first') ? 1 : rounds); round++)
      value = Math.min(value, await timeRequest(service.request('/graphql'), request));
    figures.push({ group, name, value });
  }
  return figures;
}
