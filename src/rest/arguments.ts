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
import { type Query, type Text, UNREADABLE } from './query-string.ts';

export type Variables = Record<string, unknown>;

/**
 * The variables of an operation, from the path and the query: what a parameter may be is said by its type in the
 * schema, and what is said of a wrong one by the route. Unknown parameters are ignored.
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
    const given: readonly Text[] | undefined = arg.name in path ? [path[arg.name]!] : query.get(arg.name);
    if (given) variables[arg.name] = readArgument(arg, given, operation);
  }
  return variables;
}

function readArgument(
  { name, type }: GraphQLArgument,
  given: readonly Text[],
  { route }: Operation,
): unknown {
  const value = isListType(type)
    ? readList(type, given)
    : readOne(type, given, route.lenient?.includes(name) ?? false);
  if (value === undefined) throw route.refusals?.[name] ?? invalidParameter(name);
  return value;
}

/** Comma-separated, and joined where it is given more than once. */
function readList(type: GraphQLInputType, given: readonly Text[]): unknown[] | undefined {
  const items = given.flatMap<Text>(text =>
    text === UNREADABLE ? [text] : text.split(',').map(item => item.trim()),
  );
  const values = items.map(item => readValue(type, item));
  return values.includes(undefined) ? undefined : values;
}

function readOne(type: GraphQLInputType, given: readonly Text[], lenient: boolean): unknown {
  const [text] = given;
  if (text === undefined || given.length > 1) return undefined;
  return readValue(type, lenient && text === UNREADABLE ? '' : text, lenient);
}

/** Undefined for what is no value of the type. */
function readValue(type: GraphQLInputType, text: Text, lenient = false): unknown {
  if (text === UNREADABLE || (text === '' && !lenient)) return undefined;
  const named = getNamedType(type);
  if (named === GraphQLBoolean) return BOOLEANS.get(text);
  // A filter compares ignoring case, so its known values are found so too; what is required is written exactly.
  if (isEnumType(named))
    return named.getValues().find(({ name }) => isSame(name, text, isNonNullType(type)))?.name;
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
