import { once } from 'node:events';
import { parsePort, parseUrl, say } from '@sightline/tools';
import { Command } from 'commander';
import { httpAddress, readConfig } from '../config.ts';
import { listen } from '../http/listen.ts';
import { createServer } from '../http/server.ts';
import { createLogger } from '../observability/logger.ts';
import { endInOrder } from './lifetime.ts';
import { ownKey } from './own-key.ts';

interface Options {
  url: URL;
  port?: number;
}

/** The time limit of a request in milliseconds. */
const LIMIT = 60_000;

/** Serves tools for the Model Context Protocol over a running service. */
export function mcpCommand(): Command {
  return new Command('mcp')
    .description('give assistants tools that read an account, using the Model Context Protocol')
    .requiredOption('--url <url>', 'where the service is', parseUrl)
    .option('--port <port>', 'serve streamable HTTP on this port of HOST, at /mcp', parsePort)
    .addHelpText(
      'after',
      '\nWithout --port it uses standard input and output, with the key in SIGHTLINE_KEY.',
    )
    .addHelpText('after', 'With --port each request contains its key: Authorization: Bearer <key>.')
    .addHelpText(
      'after',
      '\nExample:\n  SIGHTLINE_KEY=svc_t_… sightline mcp --url https://reports.example.com',
    )
    .action(({ url, port }: Options) => {
      const address = url.href.replace(/\/$/, '');
      return port === undefined ? speak(address) : serve(address, port);
    });
}

/** Runs until standard input ends. */
async function speak(url: string): Promise<void> {
  const key = ownKey();
  // Loaded on demand, since the SDK is large.
  const [{ connectAssistant, speakMcp }, { FACTS }] = await Promise.all([
    import('@sightline/tools/mcp'),
    import('../mcp/facts.ts'),
  ]);
  await speakMcp(connectAssistant(url, key), FACTS, error => say(error.message));
}

async function serve(url: string, port: number): Promise<void> {
  const { host, logLevel } = readConfig();
  const { mcpApp, MCP_PATH } = await import('../mcp/http.ts');
  const logger = createLogger(logLevel);
  const server = createServer({ app: mcpApp(url, logger), logger, answerLimit: LIMIT });
  const bound = await listen(server, { host, port, setting: '--port' });
  const close = async () => {
    server.closeIdleConnections();
    server.close();
    await once(server, 'close');
  };
  endInOrder({ logger, close, limit: LIMIT });
  logger.info({ url: `${httpAddress(host, bound)}${MCP_PATH}` }, 'listening');
}
