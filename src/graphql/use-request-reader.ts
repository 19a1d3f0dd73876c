import { beginTurn, isTurnOver } from '@sightline/csp';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import { decode, parseQuery, UNREADABLE } from '../rest/query-string.ts';
import { createRequestError } from './errors.ts';
import type { ServerContext } from './exchange.ts';
import { checkBody, checkFields } from './limits.ts';
import {
  BODY_TYPES,
  type BodyType,
  chooseResponseType,
  JSON_TYPE,
  RESPONSE_TYPES,
  readBodyType,
} from './media-types.ts';

/** Reads the parameters of a request. Members that GraphQL over HTTP does not define are ignored, as in a GET. */
export const useRequestReader = (): Plugin<object, ServerContext> => ({
  onRequestParse({ request, serverContext: { exchange }, setRequestParser }) {
    const type = chooseResponseType(request.headers.get('accept') ?? undefined);
    if (!type) throw createRequestError(`The response can be ${RESPONSE_TYPES.join(', ')}.`, 406);
    exchange.responseType = type;
    if (request.method === 'POST') setRequestParser(readPost);
  },
  onParams({ params: { operationName } }) {
    if (operationName != null && typeof operationName !== 'string') {
      throw createRequestError('operationName must be text.');
    }
  },
});

async function readPost(request: Request): Promise<GraphQLParams | GraphQLParams[]> {
  const type = requireBodyType(request.headers.get('content-type'));
  const body = Buffer.from(await request.arrayBuffer());
  if (isTurnOver()) await beginTurn();
  if (type === 'application/graphql') return { query: decodeUtf8(body) };
  if (type === 'application/x-www-form-urlencoded') return readForm(decodeUtf8(body));
  const excess = checkBody(body);
  if (excess) throw excess;
  const sent = parseJson(decodeUtf8(body));
  // Yoga refuses batches.
  if (Array.isArray(sent)) return sent;
  if (typeof sent !== 'object' || sent === null) {
    throw createRequestError('The body of a POST must be a JSON object with the member query.');
  }
  return definedParameters(sent);
}

/** The fields are the parameters of a GET. */
function readForm(text: string): GraphQLParams {
  const excess = checkFields(text);
  if (excess) throw excess;
  const fields = parseQuery(text);
  const read = (name: string): string | undefined => {
    const [value = ''] = fields.get(name) ?? [];
    const decoded = decode(value);
    if (decoded === UNREADABLE) throw createRequestError(`The field ${name} is not percent-encoded UTF-8.`);
    return decoded || undefined;
  };
  return definedParameters({
    query: read('query'),
    operationName: read('operationName'),
    variables: parseField(read('variables')),
    extensions: parseField(read('extensions')),
  } as GraphQLParams);
}

function parseField(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  const excess = checkBody(Buffer.from(text));
  if (excess) throw excess;
  // The error message is the same as for a GET.
  return JSON.parse(text);
}

function definedParameters({ query, operationName, variables, extensions }: GraphQLParams): GraphQLParams {
  // Some clients send an empty name instead of none.
  return {
    query,
    operationName: operationName === '' ? null : operationName,
    variables,
    extensions,
  } as GraphQLParams;
}

function requireBodyType(contentType: string | null): BodyType {
  const type = readBodyType(contentType);
  if (type) return type;
  const given = contentType
    ? `Content-Type ${contentType.slice(0, 100)} is not supported`
    : 'Content-Type is missing';
  throw createRequestError(`${given}: the body of a POST must be ${JSON_TYPE} in UTF-8.`, 415, {
    Accept: BODY_TYPES.join(', '),
  });
}

/** Skips a byte order mark (RFC 8259, section 8.1). */
const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw createRequestError('The body is not UTF-8.');
  }
}

function parseJson(text: string): GraphQLParams {
  try {
    return JSON.parse(text);
  } catch {
    throw createRequestError(
      'The body is not JSON: the body of a POST must be a JSON object with the member query.',
    );
  }
}
