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
import type { Operation } from './operations.ts';
import { decode, type Query, type Text, UNREADABLE } from './query-string.ts';

export type Variables = Record<string, unknown>;

/**
 * The variables of an operation, from the path and the query. Their types in the schema say which values a
 * parameter may have. The route says how a wrong one is refused. Unknown parameters are ignored.
 * @throws {PublicError} first for what is missing, then for what does not apply, then for values, in their order
 */
export function readArguments(
  operation: Operation,
  path: Readonly<Record<string, Text>>,
  query: Query,
): Variables {
  const { args, route } = operation;
  if (args.length === 0) return {};
  for (const { name, type } of args) {
    if (isNonNullType(type) && !(name in path) && !query.get(name)?.some(value => value !== '')) {
      throw missingParameter(name);
    }
  }
  const { inapplicable = {} } = route;
  for (const name of query.keys()) {
    // A client may well send a parameter named "constructor".
    if (Object.hasOwn(inapplicable, name)) throw invalid(inapplicable[name]!);
  }
  const variables: Variables = {};
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
  { route }: Operation,
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

/** The value of an argument from a query; undefined for what is no value of its type. */
export function readQueryArgument(
  { type, extensions }: Pick<GraphQLArgument, 'type' | 'extensions'>,
  given: readonly string[],
  itemsOf: ItemsOf = atCommas,
): unknown {
  return isListType(type)
    ? readList(type, given, mostItems(extensions), itemsOf)
    : readOne(type, onlyOne(given), false);
}

/** The first items of a list in one text. */
type ItemsOf = (text: string, most: number) => string[];

const atCommas: ItemsOf = (text, most) => text.split(',', most);

/**
 * Comma-separated, and joined where it is given more than once.
 * @param most items that a list may have: of more than that only one is read, which is enough to refuse it
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

/** Undefined for what is no value of the type. */
function readValue(type: GraphQLInputType, text: Text, lenient = false): unknown {
  if (text === UNREADABLE || (text === '' && !lenient)) return undefined;
  const named = getNamedType(type);
  if (named === GraphQLBoolean) return BOOLEANS.get(text);
  // A filter compares ignoring case, so its known values are found so too; what is required is written exactly.
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
