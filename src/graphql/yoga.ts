import { GraphQLError } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import type { Context } from '../../schema/context.ts';
import { graphSchema } from '../../schema/index.ts';
import { internalError } from './errors.ts';
import type { Executor } from './executor.ts';
import { type MediaType, statusOf } from './media-types.ts';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';

interface Served {
  service: Context;
  type: MediaType;
}

export type YogaServer = (
  request: GraphQLRequest,
  type: MediaType,
  context: Context,
) => Promise<GraphQLReply>;

/** Yoga reads the request and writes the answer; what the answer is, the executor says. */
export function createYogaServer(execute: Executor, logError: (error: unknown) => void): YogaServer {
  const useExecutor: Plugin<Served> = {
    onParams({ setParamsHandler }) {
      setParamsHandler(async ({ params, context }) => {
        const { service, type } = context as unknown as Served;
        const answer = await execute(params as Parameters<Executor>[0], service);
        return { ...answer.result, extensions: { http: { status: statusOf(answer, type) } } };
      });
    },
  };
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

  return async ({ method, target, headers, body }, type, service) => {
    const response = await yoga.fetch(
      `http://localhost${target}`,
      {
        method,
        headers: { accept: type, 'content-type': headers['content-type'] ?? '' },
        ...(method === 'POST' && { body: body.toString() }),
      },
      { service, type },
    );
    return {
      status: response.status,
      headers: contentHeaders(response.headers),
      body: await response.text(),
    };
  };
}

/** What Yoga says of a request that it cannot read. */
function publicError(error: unknown, logError: (error: unknown) => void): GraphQLError {
  if (error instanceof GraphQLError) {
    const { originalError: _, ...extensions } = error.extensions;
    return new GraphQLError(error.message, { extensions });
  }
  // Of the parameters of a GET.
  if (error instanceof SyntaxError) {
    const http = { status: 400 };
    return new GraphQLError('variables and extensions must be JSON.', {
      extensions: { code: 'BAD_REQUEST', http },
    });
  }
  logError(error);
  return internalError();
}

function contentHeaders(headers: Headers): Record<string, string> {
  const allow = headers.get('allow');
  return { 'Content-Type': headers.get('content-type') ?? '', ...(allow && { Allow: allow }) };
}
