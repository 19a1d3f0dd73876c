import { createMcpHandler, INVALID_PARAMS } from '@modelcontextprotocol/server';
import { connectAssistant } from './connect.ts';
import { checkVersion, type McpError, readMessages, TOO_SLOW } from './messages.ts';
import { mcpServer, type ServiceFacts } from './server.ts';

/**
 * Creates a handler for MCP over streamable HTTP without sessions. Each request contains the key with which its tools
 * query the service.
 * @param url of the service, without a trailing slash
 */
export function mcpHandler(url: string, facts: ServiceFacts): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(({ requestInfo }) => {
    const key = requestInfo!.headers.get('authorization')!.replace(/^bearer +/i, '');
    return mcpServer(connectAssistant(url, key), facts);
  });
  return async request => {
    const read = readMessages(await request.text());
    if ('refusal' in read) return toResponse(read.refusal);
    const headers = new Headers(request.headers);
    const version = headers.get(VERSION);
    // An empty header counts as absent.
    if (version === '') headers.delete(VERSION);
    const unsupported = checkVersion(version, read.message);
    if (unsupported) return toResponse(unsupported.refusal);
    const { message, refusals } = read;
    if (refusals.length > 0 && Array.isArray(message) && message.length === 0) return Response.json(refusals);
    const body = JSON.stringify(message);
    const response = await handler.fetch(new Request(request.url, { method: request.method, headers, body }));
    return refusals.length > 0 ? addRefusals(response, refusals) : response;
  };
}

/** Adds the errors of a batch's invalid messages to the responses to the valid ones. */
async function addRefusals(response: Response, refusals: readonly McpError[]): Promise<Response> {
  const text = await response.text();
  if (text === '') return Response.json(refusals);
  const { status } = response;
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    const events = refusals.map(refusal => `event: message\ndata: ${JSON.stringify(refusal)}\n\n`);
    return new Response(text + events.join(''), { status, headers: response.headers });
  }
  return Response.json([JSON.parse(text), refusals].flat(), { status });
}

const VERSION = 'mcp-protocol-version';

/**
 * Creates the response to an invalid message. A request with invalid parameters gets status 200 and its id; other
 * messages get status 400.
 */
function toResponse(refusal: McpError): Response {
  const isResponse = refusal.error.code === INVALID_PARAMS && refusal.id !== null;
  return Response.json(refusal, { status: isResponse ? 200 : 400 });
}

/** Creates the response to calls that take too long. */
export const refuseSlowCalls = () => Response.json(TOO_SLOW, { status: 503 });
