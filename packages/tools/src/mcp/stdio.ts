import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { ServiceConnection } from '../service/service.ts';
import { type McpError, readLine } from './messages.ts';
import { mcpServer, type ServiceFacts } from './server.ts';

/** Time limit for open calls after the end of standard input, in milliseconds. Individual calls time out earlier. */
const ANSWER_LIMIT = 60_000;

/**
 * Serves MCP until standard input ends and all requests have been answered. Only protocol messages are written to
 * standard output.
 */
export async function speakMcp(
  service: ServiceConnection,
  facts: ServiceFacts,
  onError: (error: Error) => void,
): Promise<void> {
  const input = new PassThrough();
  const transport = new AnsweringTransport(input, process.stdout);
  const handle = serveStdio(() => mcpServer(service, facts), { transport, onerror: onError });
  const lines = createInterface({ input: process.stdin });
  lines.on('line', line => {
    if (line.trim() === '') return;
    const read = readLine(line);
    if ('refusal' in read) return void refuse(read.refusal);
    transport.expect(read.message);
    input.write(`${JSON.stringify(read.message)}\n`);
  });
  await once(lines, 'close');
  await transport.answered(ANSWER_LIMIT);
  await handle.close();
}

function refuse(refusal: McpError): void {
  process.stdout.write(`${JSON.stringify(refusal)}\n`);
}

interface PendingCall {
  id?: unknown;
  method?: unknown;
  params?: { requestId?: unknown } | undefined;
}

/** A transport that tracks unanswered requests. */
class AnsweringTransport extends StdioServerTransport {
  readonly #unanswered = new Set<unknown>();
  #onAnswered: (() => void) | undefined;

  expect(message: PendingCall): void {
    if (message.method === 'notifications/cancelled') this.#settle(message.params?.requestId);
    else if (typeof message.method === 'string' && message.id !== undefined) this.#unanswered.add(message.id);
  }

  override async send(message: Parameters<StdioServerTransport['send']>[0]): Promise<void> {
    await super.send(message);
    if (!('method' in message)) this.#settle(message.id);
  }

  /**
   * Resolves once all requests have been answered, or after the limit.
   * @param limit in milliseconds
   */
  async answered(limit: number): Promise<void> {
    if (this.#unanswered.size === 0) return;
    await new Promise<void>(resolve => {
      this.#onAnswered = resolve;
      setTimeout(resolve, limit).unref();
    });
  }

  #settle(id: unknown): void {
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#onAnswered?.();
  }
}
