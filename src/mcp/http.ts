import { mcpHandler } from '@sightline/mcp/http';
import type { App, Request as Incoming, Reply } from '../http/reply.ts';
import { errorReply, isUnforeseen, Refusal } from '../http/respond.ts';
import type { Logger } from '../observability/logger.ts';
import { FACTS } from './facts.ts';

export const MCP_PATH = '/mcp';

const BEARER = /^bearer \S/i;

/** MCP as an app of our server, and errors as it has them. @param url of the service, without a slash at its end */
export function mcpApp(url: string, logger: Logger): App {
  const handler = mcpHandler(url, FACTS);

  async function answer(incoming: Incoming): Promise<Reply> {
    const { path, method, headers } = incoming;
    incoming.notes.route = MCP_PATH;
    if (path !== MCP_PATH) throw new Refusal('notFound');
    if (method !== 'POST') throw new Refusal('methodNotAllowed', { Allow: 'POST' });
    if (!BEARER.test(String(headers.authorization))) {
      throw new Refusal('unauthorized', { 'WWW-Authenticate': 'Bearer realm="mcp"' });
    }
    const request = new Request(url + MCP_PATH, {
      method,
      headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
      body: (await incoming.body()).toString(),
    });
    return replyOf(await incoming.inTime(handler(request)));
  }

  return incoming =>
    answer(incoming).catch(error => {
      if (isUnforeseen(error)) logger.error({ err: error, requestId: incoming.id }, 'a request failed');
      return errorReply(error);
    });
}

async function replyOf(response: Response): Promise<Reply> {
  const headers = Object.fromEntries(response.headers);
  return { status: response.status, headers, body: await response.text() };
}
