import { REPORT_TYPE_DEFINITIONS, type ReportType } from '@sightline/reports';
import { LARGEST_PAGE, LONGEST_CURSOR, NOT, USUAL_PAGE } from '@sightline/tools';
import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLInputType,
  type GraphQLObjectType,
  getNullableType,
} from 'graphql';
import { forbidden, invalid, invalidParameter } from '../../schema/errors.ts';
import { graphSchema } from '../../schema/index.ts';
import { listField } from '../../schema/report-records.ts';
import type { FilterValues } from '../../sql/report/filter.ts';
import { FURTHER_FILTERS, listFilters, REPORT_FILTERS } from '../../sql/report/filters.ts';
import { readQueryArgument } from '../rest/arguments.ts';
import { decode, parseQuery, type QueryString } from '../rest/query-string.ts';

/** The parameters of every export. */
export interface ExportQuery {
  from: string | undefined;
  to: string | undefined;
  format: string | undefined;
  /** A cursor, '' for the oldest row, or `now`; undefined for the entire present state. */
  after: string | undefined;
  limit: number;
  cursors: boolean;
  /** The account that a request with an internal token names. */
  account: string | undefined;
}

const NAMES: readonly string[] = ['from', 'to', 'format', 'after', 'limit', 'cursors', 'account'];

/** @throws {PublicError} INVALID if a parameter name is invalid */
export function readQuery(text: string): QueryString {
  return parseQuery(text, name => {
    throw unknownParameter(name);
  });
}

/**
 * Decodes a parameter's name for display. Invisible characters stay encoded, and so does the whole name if its encoding
 * is malformed.
 */
function unknownParameter(sent: string): Error {
  const text = decode(sent);
  const name = typeof text === 'string' ? text.replace(INVISIBLE, seen => encodeURIComponent(seen)) : sent;
  return invalid(`Unknown parameter: ${name.slice(0, LONGEST_NAME)}`);
}

const INVISIBLE = /[\p{C}\p{M}\p{Zl}\p{Zp}]/gu;

/**
 * Refuses unknown names, unlike `/v1`, because a mistyped filter would export everything.
 * @param hasFilters whether names of filters are allowed
 * @throws {PublicError} INVALID, naming the parameter
 */
export function checkNames(query: QueryString, hasFilters: boolean): void {
  for (const given of query.keys()) {
    const name = given.startsWith(NOT) ? given.slice(NOT.length) : given;
    const isKnown = NAMES.includes(given) || (hasFilters && EVERY_FILTER.has(name));
    if (!isKnown) throw unknownParameter(given);
  }
}

/** Maximum length of an unknown name in a message. */
const LONGEST_NAME = 64;

/** @throws {PublicError} INVALID, naming the parameter */
export function readParameters(query: QueryString): ExportQuery {
  const after = once(query, 'after');
  if (after !== undefined && after.length > LONGEST_CURSOR) throw invalidParameter('after');
  const limit = once(query, 'limit');
  if (limit !== undefined && !isPage(limit)) throw invalidParameter('limit');
  const cursors = (once(query, 'cursors') ?? 'false').toLowerCase();
  if (cursors !== 'true' && cursors !== 'false') throw invalidParameter('cursors');
  if (after === undefined && limit !== undefined) throw invalid('Parameter limit requires after');
  if (after === undefined && cursors === 'true') throw invalid('Parameter cursors requires after');
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

/**
 * Reads the parameters of endpoints that only accept the account.
 * @throws {PublicError} INVALID or FORBIDDEN
 */
export function checkAccount(query: QueryString, own: string): void {
  for (const given of query.keys()) if (given !== 'account') throw unknownParameter(given);
  checkOwn(once(query, 'account'), own);
}

/**
 * Refuses access to another account's data.
 * @throws {PublicError} FORBIDDEN
 */
export function checkOwn(name: string | undefined, own: string): void {
  if (name !== undefined && name !== own) throw forbidden('An internal token is required');
}

/** Returns the account that a request with an internal token names; undefined for none or several. */
export function accountNamed(query: QueryString): string | undefined {
  const [name, ...more] = query.get('account') ?? [];
  const text = name === undefined || more.length > 0 ? undefined : decode(name);
  return typeof text === 'string' ? text : undefined;
}

function once(query: QueryString, name: string): string | undefined {
  const given = query.get(name);
  if (!given) return undefined;
  const text = given.length === 1 ? decode(given[0]!) : undefined;
  if (typeof text !== 'string') throw invalidParameter(name);
  return text;
}

type Input = Pick<GraphQLArgument, 'type' | 'extensions'>;

const INSTANT: Input = { type: graphSchema.getType('Instant') as GraphQLInputType, extensions: {} };

function instant(query: QueryString, name: string): string | undefined {
  const given = query.get(name);
  return given && (readValue(name, INSTANT, given) as string);
}

const EVERY_FILTER = new Set([...REPORT_FILTERS, ...FURTHER_FILTERS].map(({ name }) => name));
/** The inputs of each type's filters, as on `/graphql`. */
export const FILTER_INPUTS: ReadonlyMap<ReportType, ReadonlyMap<string, GraphQLArgument>> = new Map(
  REPORT_TYPE_DEFINITIONS.map(definition => {
    const { args } = (graphSchema.getType('Account') as GraphQLObjectType).getFields()[
      listField(definition)
    ]!;
    const names = new Set(listFilters(definition.type).map(filter => filter.name));
    return [definition.type, new Map(args.filter(({ name }) => names.has(name)).map(arg => [arg.name, arg]))];
  }),
);

/**
 * Reads the filters of a type of report, and its exclusions, whose names begin with `not.`; skips other names.
 * @throws {PublicError} INVALID for a filter that does not apply, or an invalid value
 */
export function readFilters(
  type: ReportType,
  query: QueryString,
): { filters: FilterValues; not: FilterValues } {
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
  // Python and .NET write True.
  const isBoolean = getNullableType(input.type) === GraphQLBoolean;
  const texts = isBoolean ? given.map(text => text.toLowerCase()) : given;
  const value = readQueryArgument(input, texts, toItems);
  if (value === undefined) throw invalidParameter(parameter);
  return value;
}

/** Splits a list. A backslash escapes a comma or a backslash. */
function toItems(text: string, most: number): string[] {
  const items = [''];
  for (const [piece, escaped] of text.matchAll(/\\([\\,])|[^\\,]+|[\\,]/g)) {
    if (piece === ',') items.push('');
    else items[items.length - 1] += escaped ?? piece;
  }
  return items.slice(0, most);
}
