import { createMcpHandler } from '@modelcontextprotocol/server';
import { askWith } from '@sightline/ask';
import { mcpServer, type ServiceFacts } from './server.ts';

/**
 * Answers MCP by streamable HTTP, without sessions: each request brings the key that its tools ask the service with.
 * @param url of the service, without a slash at its end
 */
export function mcpHandler(url: string, facts: ServiceFacts): (request: Request) => Promise<Response> {
  const handler = createMcpHandler(({ requestInfo }) =>
    mcpServer(askWith(url, requestInfo!.headers.get('authorization')!), facts),
  );
  return request => handler.fetch(request);
}
