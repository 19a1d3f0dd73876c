import {
  type GraphQLArgument,
  GraphQLBoolean,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { invalid, invalidParameter, missingParameter } from '../../schema/errors.ts';
import type { RouteOperation } from './operations.ts';
import { decode, type QueryString, type Text, UNREADABLE } from './query-string.ts';

export type OperationVariables = Record<string, unknown>;

/**
 * Reads the variables of an operation from path and query. The schema defines the valid values, and the route how an
 * invalid one is refused. Unknown parameters are ignored.
 * @throws {PublicError} first for missing parameters, then for those that do not apply, then for values, in their order
 */
export function readArguments(
  operation: RouteOperation,
  path: Readonly<Record<string, Text>>,
  query: QueryString,
): OperationVariables {
  const { args, route } = operation;
  if (args.length === 0) return {};
  for (const { name, type } of args) {
    if (isNonNullType(type) && !(name in path) && !query.get(name)?.some(value => value !== '')) {
      throw missingParameter(name);
    }
  }
  const { inapplicable = {} } = route;
  for (const name of query.keys()) {
    // A client can send a parameter named "constructor".
    if (Object.hasOwn(inapplicable, name)) throw invalid(inapplicable[name]!);
  }
  const variables: OperationVariables = {};
  for (const arg of args) {
    const { name } = arg;
    const isPresent = name in path || query.has(name);
    if (isPresent) variables[name] = readArgument(arg, path[name], query.get(name) ?? [], operation);
    else if (arg.defaultValue !== undefined) variables[name] = arg.defaultValue;
  }
  return variables;
}

function readArgument(
  { name, type, extensions }: GraphQLArgument,
  inPath: Text | undefined,
  inQuery: readonly string[],
  { route }: RouteOperation,
): unknown {
  const isLenient = route.lenient?.includes(name) ?? false;
  const value =
    inPath === undefined && !isLenient
      ? readQueryArgument({ type, extensions }, inQuery)
      : readOne(type, inPath ?? onlyOne(inQuery), isLenient);
  if (value === undefined) throw route.refusals?.[name] ?? invalidParameter(name);
  return value;
}

function onlyOne(given: readonly string[]): Text | undefined {
  return given.length === 1 ? decode(given[0]!) : undefined;
}

/** Reads an argument from a query; undefined if the value does not belong to its type. */
export function readQueryArgument(
  { type, extensions }: Pick<GraphQLArgument, 'type' | 'extensions'>,
  given: readonly string[],
  itemsOf: ItemsOf = atCommas,
): unknown {
  return isListType(type)
    ? readList(type, given, mostItems(extensions), itemsOf)
    : readOne(type, onlyOne(given), false);
}

/** Splits a text into the first items of a list. */
type ItemsOf = (text: string, most: number) => string[];

const atCommas: ItemsOf = (text, most) => text.split(',', most);

/**
 * Splits at commas, and joins repeated parameters.
 * @param most maximum number of items; one more is read to refuse a longer list
 */
function readList(
  type: GraphQLInputType,
  given: readonly string[],
  most: number,
  itemsOf: ItemsOf,
): unknown[] | undefined {
  const items: Text[] = [];
  for (const raw of given) {
    if (items.length > most) break;
    const text = decode(raw);
    if (text === UNREADABLE) items.push(text);
    else items.push(...itemsOf(text, most + 1).map(item => item.trim()));
  }
  const values = items.map(item => readValue(type, item));
  return values.includes(undefined) ? undefined : values;
}

function mostItems({ openapi }: GraphQLArgument['extensions']): number {
  return (openapi as { maxItems?: number } | undefined)?.maxItems ?? Number.MAX_SAFE_INTEGER;
}

function readOne(type: GraphQLInputType, text: Text | undefined, lenient: boolean): unknown {
  if (text === undefined) return undefined;
  return readValue(type, lenient && text === UNREADABLE ? '' : text, lenient);
}

/** Returns undefined if the value does not belong to the type. */
function readValue(type: GraphQLInputType, text: Text, lenient = false): unknown {
  if (text === UNREADABLE || (text === '' && !lenient)) return undefined;
  const named = getNamedType(type);
  if (named === GraphQLBoolean) return BOOLEANS.get(text);
  // Filters ignore case, so their known values do too; required parameters are matched exactly.
  if (isEnumType(named))
    return named.getValues().find(({ name }) => isSame(name, text, isNonNullType(type)))?.value;
  if (!isScalarType(named)) return undefined;
  try {
    return named.parseValue(text);
  } catch {
    return undefined;
  }
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

function isSame(name: string, text: string, exactly: boolean): boolean {
  return exactly ? name === text : name.toLowerCase() === text.toLowerCase();
}
