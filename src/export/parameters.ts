import { LARGEST_PAGE, LONGEST_CURSOR, NOT, USUAL_PAGE } from '@sightline/export/path';
import { REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import type { GraphQLArgument, GraphQLInputType, GraphQLObjectType } from 'graphql';
import { forbidden, invalid, invalidParameter } from '../../schema/errors.ts';
import { graphSchema } from '../../schema/index.ts';
import { listField } from '../../schema/report-records.ts';
import type { FilterValues } from '../../sql/report/filter.ts';
import { FURTHER_FILTERS, filtersOf, REPORT_FILTERS } from '../../sql/report/filters.ts';
import { readQueryArgument } from '../rest/arguments.ts';
import { decode, type Query } from '../rest/query-string.ts';

/** The parameters of every export. */
export interface ExportParameters {
  from: string | undefined;
  to: string | undefined;
  format: string | undefined;
  /** A cursor, '' for what is oldest, or `now`; undefined where all is wanted as it is. */
  after: string | undefined;
  limit: number;
  cursors: boolean;
  /** The account that an internal token names. */
  account: string | undefined;
}

const NAMES: readonly string[] = ['from', 'to', 'format', 'after', 'limit', 'cursors', 'account'];

/**
 * A filter that is mistyped would export everything: so a name that is not known is refused, unlike under `/v1`.
 * @param hasFilters whether names of filters are known
 * @throws {PublicError} INVALID, which names the parameter
 */
export function checkNames(query: Query, hasFilters: boolean): void {
  for (const given of query.keys()) {
    const name = given.startsWith(NOT) ? given.slice(NOT.length) : given;
    const isKnown = NAMES.includes(given) || (hasFilters && EVERY_FILTER.has(name));
    if (!isKnown) throw invalid(`Unknown parameter: ${given.slice(0, LONGEST_TOLD)}`);
  }
}

/** Characters of a name that is not known. */
const LONGEST_TOLD = 64;

/** @throws {PublicError} INVALID, which names the parameter */
export function readParameters(query: Query): ExportParameters {
  const after = once(query, 'after');
  if (after !== undefined && after.length > LONGEST_CURSOR) throw invalidParameter('after');
  const limit = once(query, 'limit');
  if (limit !== undefined && !isPage(limit)) throw invalidParameter('limit');
  const cursors = once(query, 'cursors') ?? 'false';
  if (cursors !== 'true' && cursors !== 'false') throw invalidParameter('cursors');
  if (after === undefined && limit !== undefined) throw invalid('Parameter limit goes with after');
  if (after === undefined && cursors === 'true') throw invalid('Parameter cursors goes with after');
  return {
    from: instant(query, 'from'),
    to: instant(query, 'to'),
    format: once(query, 'format'),
    after,
    limit: limit === undefined ? USUAL_PAGE : Number(limit),
    cursors: cursors === 'true',
    account: once(query, 'account'),
  };
}

const isPage = (text: string) => /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= LARGEST_PAGE;

/** The parameters of what takes none but the account. @throws {PublicError} INVALID or FORBIDDEN */
export function checkAccount(query: Query, own: string): void {
  for (const given of query.keys())
    if (given !== 'account') throw invalid(`Unknown parameter: ${given.slice(0, LONGEST_TOLD)}`);
  checkOwn(once(query, 'account'), own);
}

/** A key is refused what is another account's. @throws {PublicError} FORBIDDEN */
export function checkOwn(name: string | undefined, own: string): void {
  if (name !== undefined && name !== own) throw forbidden('An internal token is required');
}

/** The account that an internal token names; undefined where it names none, or several. */
export function accountNamed(query: Query): string | undefined {
  const [name, ...more] = query.get('account') ?? [];
  const text = name === undefined || more.length > 0 ? undefined : decode(name);
  return typeof text === 'string' ? text : undefined;
}

function once(query: Query, name: string): string | undefined {
  const given = query.get(name);
  if (!given) return undefined;
  const text = given.length === 1 ? decode(given[0]!) : undefined;
  if (typeof text !== 'string') throw invalidParameter(name);
  return text;
}

type Input = Pick<GraphQLArgument, 'type' | 'extensions'>;

const INSTANT: Input = { type: graphSchema.getType('Instant') as GraphQLInputType, extensions: {} };

function instant(query: Query, name: string): string | undefined {
  const given = query.get(name);
  return given && (readValue(name, INSTANT, given) as string);
}

const EVERY_FILTER = new Set([...REPORT_FILTERS, ...FURTHER_FILTERS].map(({ name }) => name));
/** The inputs of a type's filters, as its list on `/graphql` has them. */
export const FILTER_INPUTS: ReadonlyMap<ReportType, ReadonlyMap<string, GraphQLArgument>> = new Map(
  REPORT_TYPE_DEFINITIONS.map(definition => {
    const { args } = (graphSchema.getType('Account') as GraphQLObjectType).getFields()[
      listField(definition)
    ]!;
    const names = new Set(filtersOf(definition.type).map(filter => filter.name));
    return [definition.type, new Map(args.filter(({ name }) => names.has(name)).map(arg => [arg.name, arg]))];
  }),
);

/**
 * The filters of a type of report, and its exclusions, whose names begin with `not.`. Other names are none of these.
 * @throws {PublicError} INVALID, for a filter that does not apply or has no such value
 */
export function readFilters(type: ReportType, query: Query): { filters: FilterValues; not: FilterValues } {
  const filters: Record<string, unknown> = {};
  const not: Record<string, unknown> = {};
  for (const [given, texts] of query) {
    const isExclusion = given.startsWith(NOT);
    const name = isExclusion ? given.slice(NOT.length) : given;
    if (!EVERY_FILTER.has(name)) continue;
    const input = FILTER_INPUTS.get(type)!.get(name);
    if (!input) throw invalid(`Parameter ${given} does not apply to report type ${type}`);
    (isExclusion ? not : filters)[name] = readValue(given, input, texts);
  }
  return { filters: filters as FilterValues, not: not as FilterValues };
}

function readValue(parameter: string, input: Input, given: readonly string[]): unknown {
  const value = readQueryArgument(input, given, itemsOf);
  if (value === undefined) throw invalidParameter(parameter);
  return value;
}

/** The items of a list. A comma behind a backslash belongs to its item, as a path may have one; so does a backslash. */
function itemsOf(text: string, most: number): string[] {
  const items = [''];
  for (const [piece, escaped] of text.matchAll(/\\([\\,])|[^\\,]+|[\\,]/g)) {
    if (piece === ',') items.push('');
    else items[items.length - 1] += escaped ?? piece;
  }
  return items.slice(0, most);
}
