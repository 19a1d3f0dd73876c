import type { IncomingHttpHeaders } from 'node:http';
import type { Context } from '../../schema/context.ts';
import type { Json } from '../executor/json.ts';
import { preference } from '../http/negotiate.ts';
import { parseQuery } from '../rest/query-string.ts';
import type { LogError } from './errors.ts';
import type { Exchange, InTime } from './exchange.ts';
import { frameResult } from './framing.ts';
import { isStreamed } from './media-types.ts';
import type { OperationOutcome } from './outcome.ts';
import type { Yoga, YogaSettings } from './yoga.ts';

export { graphiQLPage, isGraphiQLPage } from './graphiql.ts';

export interface GraphQLRequest {
  method: string;
  /** The path and query, as sent. */
  target: string;
  headers: IncomingHttpHeaders;
  /** Empty for a GET. */
  body: Buffer;
}

export interface GraphQLReply {
  status: number;
  headers: Record<string, string>;
  body: Json;
  outcome: OperationOutcome | undefined;
}

/**
 * @param inTime limits the time of execution; without it there is no limit
 * @param logError called with errors during execution
 */
export type GraphQLHandler = (
  request: GraphQLRequest,
  context: Context,
  inTime?: InTime,
  logError?: LogError,
) => Promise<GraphQLReply>;

/** Creates the handler of `/graphql` (GraphQL over HTTP), which Yoga implements. */
export function createGraphQLHandler(settings: YogaSettings): GraphQLHandler {
  const loadYoga = lazyYoga(settings);

  return async (
    { method, target, headers, body },
    context,
    inTime = work => work,
    logError = settings.logError,
  ) => {
    const yoga = await loadYoga();
    const exchange: Exchange = { context, inTime, logError };
    const init: RequestInit = { method, headers: requestHeaders(headers) };
    if (method === 'POST') init.body = body as Uint8Array<ArrayBuffer>;
    const response = await yoga.fetch(`http://localhost${readableTarget(target)}`, init, { exchange });
    const reply = {
      status: response.status,
      headers: responseHeaders(response.headers),
      body: exchange.body ?? (await response.text()),
      outcome: exchange.outcome,
    };
    return frameReply(reply, exchange);
  };
}

/** An unreadable request is refused in plain JSON, like one without a key. */
function frameReply(reply: GraphQLReply, { responseType }: Exchange): GraphQLReply {
  if (reply.status !== 200 || !isStreamed(responseType)) return reply;
  const { contentType, body } = frameResult(responseType, reply.body);
  return { ...reply, headers: { ...reply.headers, 'Content-Type': contentType }, body };
}

/** Milliseconds after the start at which Yoga is loaded if no request has needed it. */
const LOAD_AFTER = 10_000;

/**
 * Loading Yoga takes 45 ms, so the service starts without it. It is loaded soon afterwards, because an upgrade can
 * replace this version's files.
 */
function lazyYoga(settings: YogaSettings): () => Promise<Yoga> {
  let yoga: Promise<Yoga> | undefined;
  const load = () => {
    yoga ??= import('./yoga.ts').then(({ createGraphQLYoga }) => createGraphQLYoga(settings));
    return yoga;
  };
  // The failure is reported by the requests that need it.
  setTimeout(() => load().catch(() => {}), LOAD_AFTER).unref();
  return load;
}

function requestHeaders({ accept: sent, 'content-type': contentType }: IncomingHttpHeaders) {
  // Replaced by the preferred type, since Yoga would evaluate every part of the header.
  const accept = preference(sent);
  return {
    ...(accept !== undefined && { accept }),
    ...(contentType !== undefined && { 'content-type': contentType }),
  };
}

/** The server sets the other headers, such as `Content-Length`. */
const FIELDS = ['Content-Type', 'Allow', 'Accept'];

function responseHeaders(headers: Headers): Record<string, string> {
  const fields = FIELDS.map((name): [string, string | null] => [name, headers.get(name)]);
  return Object.fromEntries(fields.filter((field): field is [string, string] => field[1] !== null));
}

const PARAMETERS = new Set(['query', 'operationName', 'variables', 'extensions']);

/** Keeps only the parameters that Yoga uses, because it parses all, and there can be tens of thousands. */
function readableTarget(target: string): string {
  const mark = target.indexOf('?');
  if (mark < 0) return target;
  const pairs: string[] = [];
  for (const [name, values] of parseQuery(target.slice(mark + 1))) {
    if (PARAMETERS.has(name)) pairs.push(`${name}=${values[0]}`);
  }
  return `${target.slice(0, mark)}?${pairs.join('&')}`;
}
