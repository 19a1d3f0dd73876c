import { AskedObject } from '@sightline/json/run';
import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import { publicErrorIn } from '../../schema/errors.ts';
import { REFUSALS } from '../http/respond.ts';
import { redact } from '../observability/redact.ts';

/** A query that is refused before it runs. */
export type RefusalCode =
  | 'BAD_REQUEST'
  | 'BAD_USER_INPUT'
  | 'GRAPHQL_PARSE_FAILED'
  | 'GRAPHQL_VALIDATION_FAILED'
  | 'LIMIT_EXCEEDED'
  | 'OPERATION_RESOLUTION_FAILURE'
  | 'PERSISTED_QUERY_NOT_SUPPORTED';

export function refusal(
  message: string,
  code: RefusalCode,
  extensions: Record<string, unknown> = {},
): GraphQLError {
  return new GraphQLError(told(message), { extensions: { code, ...extensions } });
}

/** In characters. */
const LONGEST_MESSAGE = 1000;

/** A message quotes the document and its variables: these may be long, and a key may stand in either by mistake. */
function told(message: string): string {
  return redact(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message);
}

/** GraphQL's own refusal, with a code. */
export function coded(error: GraphQLError, code: RefusalCode): GraphQLError {
  return rebuilt(error, error.message, { code });
}

/** For an unforeseen error: no message, no stack, no SQL. */
export function internalError(): GraphQLError {
  return new GraphQLError(REFUSALS.unforeseen[1], { extensions: { code: 'INTERNAL_SERVER_ERROR' } });
}

/** Gets what the public may not see. */
export type LogError = (error: unknown) => void;

/**
 * The public form of an error while an operation ran.
 * @param onInternal gets what it may not see
 */
export function publicErrors(errors: readonly GraphQLError[], onInternal: LogError): GraphQLError[] {
  // One broken statement can fail a hundred fields.
  const internal = new Set<unknown>();
  const shown = errors.map(error => {
    const refused = publicErrorIn(error);
    if (refused) return rebuilt(error, refused.message, refused.extensions);
    if (isArgumentError(error)) return rebuilt(error, error.message, { code: 'BAD_USER_INPUT' });
    internal.add(error.originalError ?? error);
    const { message, extensions } = internalError();
    return rebuilt(error, message, extensions);
  });
  for (const error of internal) onInternal(error);
  return shown;
}

/**
 * The first error of each null in the data. A field that may not be null passes its null on to its parent, and
 * there many can meet. The others depend on how an operation runs, so they are left out.
 */
export function firstOfEachNull(errors: readonly GraphQLError[], data: unknown): GraphQLError[] {
  const first = new Map<string, GraphQLError>();
  for (const error of errors) {
    const place = placeOfNull(data, error.path ?? []);
    if (!first.has(place)) first.set(place, error);
  }
  return [...first.values()];
}

function placeOfNull(data: unknown, path: readonly (string | number)[]): string {
  let value = data;
  let depth = 0;
  while (value != null && depth < path.length) value = valueAt(value, path[depth++]!);
  return JSON.stringify(path.slice(0, depth));
}

function valueAt(value: object, key: string | number): unknown {
  return value instanceof AskedObject ? value.get(key) : (value as Record<string, unknown>)[key];
}

/** A value that is only found wrong when its field runs, such as a null variable: GraphQL points at the value. */
function isArgumentError({ originalError }: GraphQLError): boolean {
  return originalError instanceof GraphQLError && originalError.nodes !== undefined;
}

/** A new error, since nothing else of the old one may get out. */
function rebuilt(
  { nodes, positions, source, path }: GraphQLError,
  message: string,
  extensions: GraphQLErrorExtensions,
): GraphQLError {
  const places = { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null };
  return new GraphQLError(told(message), { ...places, path: path ?? null, extensions });
}
