import { GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { graphSchema } from '../../schema/index.ts';
import { redact } from '../observability/redact.ts';
import { parseQuery } from '../rest/query-string.ts';
import { internalError, type LogError, refusal } from './errors.ts';
import type { GraphQLParameters } from './executor.ts';
import type { MediaType } from './media-types.ts';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';

interface Reading {
  /** Gets what Yoga reads. */
  onRead(parameters: GraphQLParameters): void;
}

/** The operation of a request, or the answer to a request that cannot be read. */
export type Read = { parameters: GraphQLParameters } | { reply: GraphQLReply };

export type YogaReader = (request: GraphQLRequest, type: MediaType) => Promise<Read>;

const useReading: Plugin<Reading> = {
  onParams({ params, setParamsHandler }) {
    const { operationName, query, extensions } = params;
    // Clients that send hashes in place of texts send the text when they are told this, and no hash again.
    if (query == null && extensions && 'persistedQuery' in extensions) {
      throw refusal('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');
    }
    if (operationName != null && typeof operationName !== 'string') {
      throw unreadable('operationName must be text.');
    }
    setParamsHandler(({ params, context }) => {
      (context as unknown as Reading).onRead(params as GraphQLParameters);
      return {};
    });
  },
};

/**
 * Yoga reads the request, and says what is wrong with one that cannot be read.
 * @param logError for what goes wrong on the way
 */
export function createYogaReader(logError: LogError): YogaReader {
  const yoga = createYoga<Reading>({
    schema: graphSchema,
    plugins: [useReading],
    maskedErrors: { maskError: error => publicError(error, logError) },
    batching: false,
    multipart: false,
    cors: false,
    graphiql: false,
    landingPage: false,
    logging: false,
    parserAndValidationCache: false,
    // Yoga has it at any address that ends so, and no address ends in a space.
    healthCheckEndpoint: ' ',
  });

  return async ({ method, target, headers, body }, type) => {
    let parameters: GraphQLParameters | undefined;
    const response = await yoga.fetch(
      `http://localhost${asked(target)}`,
      {
        method,
        headers: { accept: type, 'content-type': headers['content-type'] ?? '' },
        ...(method === 'POST' && { body: body.toString() }),
      },
      {
        onRead(read) {
          parameters = read;
        },
      },
    );
    if (parameters) return { parameters };
    const { status } = response;
    return { reply: { status, headers: contentHeaders(response.headers), body: await response.text() } };
  };
}

const PARAMETERS = new Set(['query', 'operationName', 'variables', 'extensions']);

/** The target with what Yoga looks for: it reads every parameter, and there may be tens of thousands. */
function asked(target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return target;
  const kept: string[] = [];
  for (const [name, values] of parseQuery(target.slice(mark + 1))) {
    // One too many is enough to be refused.
    if (PARAMETERS.has(name)) kept.push(...values.slice(0, 2).map(value => `${name}=${value}`));
  }
  return `${target.slice(0, mark)}?${kept.join('&')}`;
}

/** Yoga's errors for a request that it cannot read. */
function publicError(error: unknown, logError: LogError): GraphQLError {
  if (error instanceof GraphQLError) {
    const { originalError: _, http, ...extensions } = error.extensions;
    return unreadable(error.message, extensions, (http as { headers?: Record<string, string> })?.headers);
  }
  // Reads the parameters of a GET.
  if (error instanceof SyntaxError) return unreadable('variables and extensions must be JSON.');
  logError(error);
  const { message, extensions } = internalError();
  return new GraphQLError(message, { extensions: { ...extensions, http: { status: 500 } } });
}

/** In whatever form the answer is: a 400. The message can quote the request. */
function unreadable(
  message: string,
  extensions: Record<string, unknown> = { code: 'BAD_REQUEST' },
  headers: Record<string, string> = {},
): GraphQLError {
  return new GraphQLError(redact(message), { extensions: { ...extensions, http: { status: 400, headers } } });
}

function contentHeaders(headers: Headers): Record<string, string> {
  const allow = headers.get('allow');
  return { 'Content-Type': headers.get('content-type') ?? '', ...(allow && { Allow: allow }) };
}
