import { GraphQLError, type GraphQLErrorExtensions } from 'graphql';
import { isForLog, type PublicError, publicErrorIn, tooLong } from '../../schema/errors.ts';
import { ResolvedObject } from '../executor/run.ts';
import { REFUSALS } from '../http/respond.ts';
import { redact } from '../observability/redact.ts';

/** The error codes of queries that are refused before execution. */
export type RefusalCode =
  | 'BAD_REQUEST'
  | 'BAD_USER_INPUT'
  | 'DOCUMENT_NOT_TRUSTED'
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
  return new GraphQLError(redactMessage(message), { extensions: { code, http: REFUSED, ...extensions } });
}

/** Creates an error for an unreadable request. Its status is the same for every media type. */
export function createRequestError(
  message: string,
  status = 400,
  headers: Record<string, string> = {},
): GraphQLError {
  return refusal(message, 'BAD_REQUEST', { http: { status, headers } });
}

/** Only `application/graphql-response+json` gets this status. For plain JSON, Yoga responds with 200. */
const REFUSED = { status: 400, spec: true };

/** Refuses a whole operation because of one of its errors. */
export function refusePublicly({ message, extensions }: PublicError): GraphQLError {
  return new GraphQLError(message, { extensions: { ...extensions, http: REFUSED } });
}

/** The maximum length of a message, in characters. */
const LONGEST_MESSAGE = 1000;

/** A message quotes the document and its variables, which can be long or contain a key by mistake. */
function redactMessage(message: string): string {
  return redact(message.length > LONGEST_MESSAGE ? `${message.slice(0, LONGEST_MESSAGE)}…` : message);
}

/** Adds a code to one of GraphQL's own refusals. */
export function withCode(error: GraphQLError, code: RefusalCode): GraphQLError {
  return rebuildError(error, error.message, { code, http: REFUSED });
}

/** The response to an unexpected error, without message, stack or SQL. */
export function internalError(): GraphQLError {
  return new GraphQLError(INTERNAL.message, {
    extensions: { ...INTERNAL.extensions, http: { status: 500 } },
  });
}

const INTERNAL = { message: REFUSALS.unforeseen[1], extensions: { code: 'INTERNAL_SERVER_ERROR' } };

/** The response to an operation that exceeds the time of a request. */
export function createTimeLimitError(): GraphQLError {
  const { message, extensions } = tooLong();
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: 503 } } });
}

/** Receives errors that clients must not see. */
export type LogError = (error: unknown) => void;

/**
 * Converts execution errors to their public form.
 * @param onInternal receives the hidden errors
 */
export function publicErrors(errors: readonly GraphQLError[], onInternal: LogError): GraphQLError[] {
  // One failed statement can make a hundred fields fail. It is logged once.
  const internal = new Set<unknown>();
  const shown = errors.map(error => {
    const refused = publicErrorIn(error);
    if (refused && isForLog(refused)) internal.add(error.originalError ?? error);
    if (refused) return rebuildError(error, refused.message, refused.extensions);
    if (isArgumentError(error)) return rebuildError(error, error.message, { code: 'BAD_USER_INPUT' });
    internal.add(error.originalError ?? error);
    return rebuildError(error, INTERNAL.message, INTERNAL.extensions);
  });
  for (const error of internal) onInternal(error);
  return shown;
}

/**
 * Returns the first error of each null in the data. A non-null field passes its null on to its parent, where several
 * errors can meet. The others depend on the order of execution, so they are left out.
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
  return value instanceof ResolvedObject ? value.get(key) : (value as Record<string, unknown>)[key];
}

/**
 * An invalid value that is only detected during execution, such as a null variable; GraphQL's error points at the
 * value.
 */
function isArgumentError({ originalError }: GraphQLError): boolean {
  return originalError instanceof GraphQLError && originalError.nodes !== undefined;
}

/** Creates a new error, so that nothing else of the original is exposed. */
function rebuildError(
  { nodes, positions, source, path }: GraphQLError,
  message: string,
  extensions: GraphQLErrorExtensions,
): GraphQLError {
  const places = { nodes: nodes ?? null, source: source ?? null, positions: positions ?? null };
  return new GraphQLError(redactMessage(message), { ...places, path: path ?? null, extensions });
}
