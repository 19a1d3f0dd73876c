import type { ExecutionResult } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { refusal } from './errors.ts';
import { type Answer, createExecutor } from './executor.ts';
import { graphiQLPage } from './graphiql.ts';
import { acceptedType, isJsonContent, JSON_TYPE, type MediaType, statusOf } from './media-types.ts';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';
import { plainParameters } from './plain-post.ts';
import { createYogaServer } from './yoga.ts';

export { isGraphiQLPage } from './graphiql.ts';

export interface GraphQLSettings {
  /** Whether browsers get GraphiQL. */
  graphiql: boolean;
  /** Gets what the public may not see. */
  logError(error: unknown): void;
}

/** @param context null where nobody is authenticated: good for the GraphiQL page alone */
export type GraphQLHandler = (request: GraphQLRequest, context: Context | null) => Promise<GraphQLReply>;

/**
 * `/graphql`, as GraphQL over HTTP has it. A plain POST, which is what clients send, goes straight to the executor;
 * everything else is read by Yoga. Both answer alike, but Yoga's `Request` and `Response` cost more than most queries.
 */
export function createGraphQLHandler({ graphiql, logError }: GraphQLSettings): GraphQLHandler {
  const execute = createExecutor(logError);
  const yoga = createYogaServer(execute, logError);

  return async (request, context) => {
    if (!context) {
      if (graphiql) return graphiQLPage();
      throw new Error('GraphQL was asked for by nobody');
    }
    const type = acceptedType(request.headers);
    if (!type) return refused(406, `The answer is ${JSON_TYPE} or application/graphql-response+json.`);
    if (request.method === 'POST' && !isJsonContent(request.headers)) {
      return refused(415, 'The body of a POST is application/json in UTF-8.');
    }
    const parameters = plainParameters(request);
    return parameters ? reply(await execute(parameters, context), type) : yoga(request, type, context);
  };
}

function reply(answer: Answer, type: MediaType): GraphQLReply {
  return write(statusOf(answer, type), answer.result, type);
}

function refused(status: number, message: string): GraphQLReply {
  return write(status, { errors: [refusal(message, 'BAD_REQUEST')] }, JSON_TYPE);
}

function write(status: number, result: ExecutionResult, type: MediaType): GraphQLReply {
  return { status, headers: { 'Content-Type': `${type}; charset=utf-8` }, body: JSON.stringify(result) };
}
