import type { Context } from '../../schema/context.ts';
import { type LogError, refusal } from './errors.ts';
import { type Answer, createExecutor, refused } from './executor.ts';
import { exceededByBody } from './limits.ts';
import { acceptedType, isJsonContent, JSON_TYPE, type MediaType, statusOf } from './media-types.ts';
import type { GraphQLReply, GraphQLRequest } from './messages.ts';
import { outcomeOf } from './outcome.ts';
import { plainParameters } from './plain-post.ts';
import type { YogaReader } from './yoga.ts';

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
  const readByYoga = yogaReader(settings.logError);

  return async (request, context, logError = settings.logError) => {
    const type = acceptedType(request.headers);
    if (!type) return unread(406, `The answer is ${JSON_TYPE} or application/graphql-response+json.`);
    if (request.method === 'POST' && !isJsonContent(request.headers)) {
      return unread(415, 'The body of a POST is application/json in UTF-8.');
    }
    const excess = exceededByBody(request.body);
    if (excess) return reply(refused(400, [excess]), type);
    const plain = plainParameters(request);
    const read = plain ? { parameters: plain } : await readByYoga(request, type);
    if ('reply' in read) return read.reply;
    return reply(await execute(read.parameters, context, logError), type);
  };
}

/** Milliseconds after a start until Yoga is loaded, where no request has needed it. */
const LOAD_AFTER = 10_000;

/**
 * Yoga takes 45 ms to load, and few clients send a request that it reads, so a start does not wait for it. Soon after it
 * is loaded all the same: the files of this version may be replaced while it runs. It is set up with its first request,
 * since that loads Node's `fetch`, which takes four megabytes.
 */
function yogaReader(logError: LogError): YogaReader {
  let reader: YogaReader | undefined;
  const load = () => import('./yoga.ts');
  // A failure here happens again for the request that needs it, and is answered there.
  setTimeout(() => load().catch(() => {}), LOAD_AFTER).unref();
  return async (request, type) => {
    const { createYogaReader } = await load();
    reader ??= createYogaReader(logError);
    return reader(request, type);
  };
}

function reply(answer: Answer, type: MediaType): GraphQLReply {
  const { body } = answer;
  return { status: statusOf(answer, type), headers: contentType(type), body, outcome: outcomeOf(answer) };
}

function unread(status: number, message: string): GraphQLReply {
  const { body } = refused(400, [refusal(message, 'BAD_REQUEST')]);
  return { status, headers: contentType(JSON_TYPE), body };
}

function contentType(type: MediaType): Record<string, string> {
  return { 'Content-Type': `${type}; charset=utf-8` };
}
