import type { ExecutionResult } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { redact } from '../observability/redact.ts';
import { refusal } from './errors.ts';
import { type Answer, createExecutor, type LogError, type LoggingExecutor } from './executor.ts';
import { graphiQLPage } from './graphiql.ts';
import { acceptedType, isJsonContent, JSON_TYPE, type MediaType, statusOf } from './media-types.ts';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';
import { outcomeOf } from './outcome.ts';
import { plainParameters } from './plain-post.ts';
import { createYogaServer } from './yoga.ts';

export { isGraphiQLPage } from './graphiql.ts';

export interface GraphQLSettings {
  /** Whether browsers get GraphiQL. */
  graphiql: boolean;
  /** For what goes wrong while a request is read. */
  logError: LogError;
}

/**
 * @param context null where nobody is authenticated: good for the GraphiQL page alone
 * @param logError for what goes wrong while the operation runs
 */
export type GraphQLHandler = (
  request: GraphQLRequest,
  context: Context | null,
  logError?: LogError,
) => Promise<GraphQLReply>;

/**
 * `/graphql`, as GraphQL over HTTP has it. A plain POST, which is what clients send, goes straight to the executor;
 * everything else is read by Yoga. Both answer alike, but Yoga's `Request` and `Response` cost more than most queries.
 */
export function createGraphQLHandler({ graphiql, ...settings }: GraphQLSettings): GraphQLHandler {
  const execute = createExecutor();
  const readByYoga = createReader(execute, settings.logError);

  return async (request, context, logError = settings.logError) => {
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
    if (!parameters) return readByYoga(request, type, context, logError);
    return reply(await execute(parameters, context, logError), type);
  };
}

/** Yoga hands nothing on but the context, so what belongs to it is kept by it. */
function createReader(execute: LoggingExecutor, logUnread: LogError) {
  const runs = new WeakMap<Context, { logError: LogError; answer?: Answer }>();
  const yoga = createYogaServer(async (parameters, context) => {
    const run = runs.get(context)!;
    run.answer = await execute(parameters, context, run.logError);
    return run.answer;
  }, logUnread);

  return async (request: GraphQLRequest, type: MediaType, context: Context, logError: LogError) => {
    const run: { logError: LogError; answer?: Answer } = { logError };
    runs.set(context, run);
    const reply = await yoga(request, type, context);
    if (!run.answer) return { ...reply, body: redact(reply.body) };
    return { ...reply, outcome: outcomeOf(run.answer) };
  };
}

function reply(answer: Answer, type: MediaType): GraphQLReply {
  return { ...write(statusOf(answer, type), answer.result, type), outcome: outcomeOf(answer) };
}

function refused(status: number, message: string): GraphQLReply {
  return write(status, { errors: [refusal(message, 'BAD_REQUEST')] }, JSON_TYPE);
}

function write(status: number, result: ExecutionResult, type: MediaType): GraphQLReply {
  return { status, headers: { 'Content-Type': `${type}; charset=utf-8` }, body: JSON.stringify(result) };
}
