import { DEMO_PERSONAL } from '@sightline/demo';
import { REPORT_TYPES, type ReportType, reverseHost } from '@sightline/reports';
import { REPORT_TYPES as VIEWS } from '../../packages/web/src/app/browser/report-types.ts';
import { listDimensions } from '../../sql/report/dimensions.ts';
import type { FilterValues, ReportFilter } from '../../sql/report/filter.ts';
import { listFilters } from '../../sql/report/filters.ts';
import type { Operator } from '../../test/support/operator.ts';
import { startService } from './routes.ts';

/** A request for groups over one year. */
export interface GroupRequest {
  name: string;
  body: string;
}

const QUERY = `query ($type: ReportTypeName!, $from: Instant!, $by: [GroupBy!]!, $where: ReportFilter) {
  viewer { reportGroups(type: $type, from: $from, by: $by, where: $where, first: 100) {
    groups { keys { value } count reports days } totalCount
  } }
}`;

/**
 * The groupings of the page and of the documentation over a year, and the first grouping of each view with every
 * filter. Each filter has its most frequent value, for which no index helps.
 */
export async function listGroupRequests(sql: Operator, now: Date): Promise<GroupRequest[]> {
  const from = new Date(now.getTime() - 364 * 86_400_000).toISOString().slice(0, 10);
  const request = (name: string, type: ReportType, by: readonly string[], where: FilterValues = {}) => ({
    name,
    body: JSON.stringify({ query: QUERY, variables: { type, from: `${from}T00:00:00Z`, by, where } }),
  });
  const requests: GroupRequest[] = [];
  for (const type of REPORT_TYPES) {
    const { groupings, splits } = VIEWS.find(view => view.type === type)!;
    const ofPage = [...groupings.map(({ by }) => by), ...splits.map(({ by }) => [...by, 'DAY'])];
    const single = listDimensions(type).map(({ name }) => [name]);
    const all = new Map([...ofPage, ...single].map(by => [by.join(' + '), by as readonly string[]]));
    for (const [name, by] of all) requests.push(request(`${type} by ${name}`, type, by));
    for (const filter of listFilters(type)) {
      const value = await findCommonValue(sql, type, filter);
      if (value === undefined) continue;
      const by = groupings[0].by;
      requests.push(
        request(`${type} by ${by.join(' + ')}, ${filter.name}`, type, by, { [filter.name]: value }),
      );
    }
  }
  return requests;
}

type FilterValue = NonNullable<FilterValues[string]>;

async function findCommonValue(
  sql: Operator,
  type: ReportType,
  { kind, column }: ReportFilter,
): Promise<FilterValue | undefined> {
  if (kind === 'flag' || kind === 'anyFlag' || kind === 'boolean') return true;
  if (kind === 'atMost') return 90;
  if (column === 'id' || kind === 'details') return undefined;
  const expression = kind === 'hosts' && type === 'certificate_transparency' ? 'hosts_reversed[1]' : column;
  const [found] = await sql.query<{ value: string }>(`
    select value from (select (${expression})::text as value from report
      where account_id = '${DEMO_PERSONAL}' and type = '${type}') as values
    where value <> '' group by value order by count(*) desc, value limit 1`);
  const value = found?.value;
  if (value === undefined) return undefined;
  if (kind === 'hosts') return [reverseHost(value)];
  return kind === 'paths' || kind === 'hashes' || kind === 'classes' ? [value] : value;
}

export interface MeasuredGrouping {
  name: string;
  /** The fastest response in milliseconds. */
  client: number;
  /** The error code, if the request was refused. */
  refused?: string;
}

/** Sends each request several times to a service with an empty cache and the default limits. */
export async function measureGroupings(
  databaseUrl: string,
  key: string,
  requests: readonly GroupRequest[],
  rounds: number,
): Promise<MeasuredGrouping[]> {
  const service = await startService(databaseUrl, { ANSWER_CACHE_SIZE: '0', STATEMENT_TIMEOUT: '2s' });
  try {
    const measured: MeasuredGrouping[] = [];
    for (const { name, body } of requests) {
      let client = Number.POSITIVE_INFINITY;
      let refused: string | undefined;
      for (let round = 0; round < rounds; round++) {
        const begin = performance.now();
        refused = await request(`${service.url}/graphql`, key, body);
        client = Math.min(client, performance.now() - begin);
      }
      measured.push({ name, client, ...(refused && { refused }) });
    }
    return measured;
  } finally {
    await service.stop();
  }
}

/** Error codes that tell the caller what to change. */
const REFUSALS = ['TIME_LIMIT_EXCEEDED', 'LIMIT_EXCEEDED'];

/**
 * Returns the error code of a refusal.
 * @throws {Error} for any other failure
 */
async function request(url: string, key: string, body: string): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', body, headers });
  const { errors } = (await response.json()) as {
    errors?: { message: string; extensions: { code: string } }[];
  };
  const code = errors?.[0]?.extensions.code;
  if (errors && !REFUSALS.includes(code!)) throw new Error(`${body} answers: ${errors[0]!.message}`);
  return code;
}
