import type { ExecutionResult } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { refusal } from './errors.ts';
import { type Answer, createExecutor, type LogError, type Run } from './executor.ts';
import { exceededByBody } from './limits.ts';
import { acceptedType, isJsonContent, JSON_TYPE, type MediaType, statusOf } from './media-types.ts';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';
import { outcomeOf } from './outcome.ts';
import { plainParameters } from './plain-post.ts';
import { createYogaServer } from './yoga.ts';

export { graphiQLPage, isGraphiQLPage } from './graphiql.ts';

export interface GraphQLSettings {
  /** For what goes wrong while a request is read. */
  logError: LogError;
}

/**
 * @param logError for what goes wrong while the operation runs
 */
export type GraphQLHandler = (
  request: GraphQLRequest,
  context: Context,
  logError?: LogError,
) => Promise<GraphQLReply>;

/**
 * `/graphql`, as GraphQL over HTTP has it. A plain POST, which is what clients send, goes straight to the executor;
 * everything else is read by Yoga. Both answer alike, but Yoga's `Request` and `Response` cost more than most queries.
 */
export function createGraphQLHandler(settings: GraphQLSettings): GraphQLHandler {
  const execute = createExecutor();
  const yoga = createYogaServer(settings.logError);

  return async (request, context, logError = settings.logError) => {
    const type = acceptedType(request.headers);
    if (!type) return refused(406, `The answer is ${JSON_TYPE} or application/graphql-response+json.`);
    if (request.method === 'POST' && !isJsonContent(request.headers)) {
      return refused(415, 'The body of a POST is application/json in UTF-8.');
    }
    const excess = exceededByBody(request.body);
    if (excess) return reply({ status: 400, result: { errors: [excess] } }, type);
    const run: Run = parameters => execute(parameters, context, logError);
    const parameters = plainParameters(request);
    return parameters ? reply(await run(parameters), type) : yoga(request, type, run);
  };
}

function reply(answer: Answer, type: MediaType): GraphQLReply {
  return Object.assign(write(statusOf(answer, type), answer.result, type), { outcome: outcomeOf(answer) });
}

function refused(status: number, message: string): GraphQLReply {
  return write(status, { errors: [refusal(message, 'BAD_REQUEST')] }, JSON_TYPE);
}

function write(status: number, result: ExecutionResult, type: MediaType): GraphQLReply {
  return { status, headers: { 'Content-Type': `${type}; charset=utf-8` }, body: JSON.stringify(result) };
}
