import { GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { graphSchema } from '../../schema/index.ts';
import { redact } from '../observability/redact.ts';
import { parseQuery } from '../rest/query-string.ts';
import { internalError, refusal } from './errors.ts';
import type { Answer, GraphQLParameters, LogError, Run } from './executor.ts';
import { type MediaType, statusOf } from './media-types.ts';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';
import { outcomeOf } from './outcome.ts';

interface Served {
  run: Run;
  type: MediaType;
}

export type YogaServer = (request: GraphQLRequest, type: MediaType, run: Run) => Promise<GraphQLReply>;

const useExecutor: Plugin<Served> = {
  onParams({ params, setParamsHandler }) {
    const { operationName, query, extensions } = params;
    // Clients that send hashes in place of texts send the text when they are told this, and no hash again.
    if (query == null && extensions && 'persistedQuery' in extensions) {
      throw refusal('PersistedQueryNotSupported', 'PERSISTED_QUERY_NOT_SUPPORTED');
    }
    if (operationName != null && typeof operationName !== 'string') {
      throw unreadable('operationName must be text.');
    }
    setParamsHandler(async ({ params, context }) => {
      const { run, type } = context as unknown as Served;
      const answer = await run(params as GraphQLParameters);
      return { ...answer.result, extensions: { http: { status: statusOf(answer, type) } } };
    });
  },
};

/**
 * Yoga reads the request and writes the answer; what the answer is, the executor says.
 * @param logError for what goes wrong while a request is read
 */
export function createYogaServer(logError: LogError): YogaServer {
  const yoga = createYoga<Served>({
    schema: graphSchema,
    plugins: [useExecutor],
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

  return async ({ method, target, headers, body }, type, run) => {
    let answer: Answer | undefined;
    const response = await yoga.fetch(
      `http://localhost${asked(target)}`,
      {
        method,
        headers: { accept: type, 'content-type': headers['content-type'] ?? '' },
        ...(method === 'POST' && { body: body.toString() }),
      },
      {
        type,
        run: async parameters => {
          answer = await run(parameters);
          return answer;
        },
      },
    );
    return {
      status: response.status,
      headers: contentHeaders(response.headers),
      body: await response.text(),
      ...(answer && { outcome: outcomeOf(answer) }),
    };
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

/** What Yoga says of a request that it cannot read. */
function publicError(error: unknown, logError: LogError): GraphQLError {
  if (error instanceof GraphQLError) {
    const { originalError: _, http, ...extensions } = error.extensions;
    return unreadable(error.message, extensions, (http as { headers?: Record<string, string> })?.headers);
  }
  // Of the parameters of a GET.
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
