import { once } from 'node:events';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Ask } from '@sightline/ask';
import { mcpServer, type ServiceFacts } from './server.ts';

/** Speaks MCP until standard input ends. Nothing but the protocol goes to standard output. */
export async function speakMcp(
  ask: Ask,
  facts: ServiceFacts,
  onError: (error: Error) => void,
): Promise<void> {
  const handle = serveStdio(() => mcpServer(ask, facts), { onerror: onError });
  await once(process.stdin, 'close');
  await handle.close();
}
