import { mcpHandler, refuseSlowCalls } from '@sightline/tools/mcp';
import { Overdue } from '../http/deadlines.ts';
import { namesType, preferredType } from '../http/negotiate.ts';
import type { App, HeaderValue, Request as Incoming, Reply } from '../http/reply.ts';
import { errorReply, isUnforeseen, Refusal } from '../http/respond.ts';
import type { Logger } from '../observability/logger.ts';
import { FACTS } from './facts.ts';

export const MCP_PATH = '/mcp';

const BEARER = /^bearer +\S+$/i;

/**
 * Serves MCP as an app of our server, with errors in MCP's format.
 * @param url of the service, without a trailing slash
 */
export function mcpApp(url: string, logger: Logger): App {
  const handler = mcpHandler(url, FACTS);

  async function answer(incoming: Incoming): Promise<Reply> {
    const { path, method, headers } = incoming;
    incoming.notes.route = MCP_PATH;
    if (path !== MCP_PATH && path !== `${MCP_PATH}/`) throw new Refusal('notFound');
    if (method !== 'POST') throw new Refusal('methodNotAllowed', { Allow: 'POST' });
    if (!BEARER.test(String(headers.authorization))) {
      throw new Refusal('unauthorized', { 'WWW-Authenticate': 'Bearer realm="mcp"' });
    }
    const type = preferredType(headers.accept, [EVENTS, JSON_ONLY]);
    const request = new Request(url + MCP_PATH, {
      method,
      headers: requestHeaders(headers, type === undefined ? headers.accept : BOTH),
      body: (await incoming.body()).toString(),
    });
    try {
      return await incoming.inTime(toReply(handler(request), readsEvents(headers.accept)));
    } catch (error) {
      if (error instanceof Overdue) return toReply(Promise.resolve(refuseSlowCalls()), false);
      throw error;
    }
  }

  return incoming =>
    answer(incoming).catch(error => {
      if (isUnforeseen(error)) logger.error({ err: error, requestId: incoming.id }, 'a request failed');
      return errorReply(error);
    });
}

/** The protocol requires clients to accept both. Clients that do not get JSON. */
const [EVENTS, JSON_ONLY] = ['text/event-stream', 'application/json'];
const BOTH = `${JSON_ONLY}, ${EVENTS}`;

/** Checks whether a client asks for an event stream, or accepts no JSON. */
const readsEvents = (accept: HeaderValue) =>
  namesType(accept, EVENTS) || preferredType(accept, [JSON_ONLY]) === undefined;

function requestHeaders(headers: Incoming['headers'], accept: HeaderValue): Headers {
  const sent = { ...headers, accept };
  const fields = Object.entries(sent).filter(
    ([name, value]) => value !== undefined && !OF_THE_BODY.has(name),
  );
  return new Headers(fields.map(([name, value]): [string, string] => [name, String(value)]));
}

/** The body is read already. */
const OF_THE_BODY = new Set(['content-length', 'content-encoding', 'transfer-encoding']);

/** @param isEvents whether the client reads a stream of events */
async function toReply(responding: Promise<Response>, isEvents: boolean): Promise<Reply> {
  const response = await responding;
  const headers = Object.fromEntries(response.headers);
  const body = await response.text();
  const { status } = response;
  if (isEvents || headers['content-type'] !== EVENTS) return { status, headers, body };
  const messages = [...body.matchAll(/^data: (.+)$/gm)].map(([, message]) => message);
  const text = messages.length === 1 ? messages[0]! : `[${messages.join()}]`;
  return { status, headers: { ...headers, 'content-type': JSON_ONLY }, body: text };
}
