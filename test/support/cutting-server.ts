import type { Server } from 'node:http';
import { createDrain, type Drain } from '../../src/http/drain.ts';
import { listen } from '../../src/http/listen.ts';
import type { Reply } from '../../src/http/reply.ts';
import { createServer } from '../../src/http/server.ts';
import { createLogger } from '../../src/observability/logger.ts';

/** The number of records in a complete response: more than sockets and proxies buffer. */
export const RECORDS = 80;
const RECORD = Buffer.from(`${'x'.repeat(64 * 1024 - 1)}\n`);

/** A server whose responses break off. */
export interface CuttingServer extends AsyncDisposable {
  server: Server;
  drain: Drain;
  port: number;
  /** Paths for which a response has started. */
  begun: string[];
  /** Makes `/late-fails` fail. */
  fail(): void;
}

/**
 * `/fails`, `/late-fails` and `/sized-fails` (which sends a length) fail after half of the response, `/stalls` stops
 * there, and all other paths get a complete response.
 */
export async function startCuttingServer(): Promise<CuttingServer> {
  const begun: string[] = [];
  let fail = () => {};
  const failing = new Promise<void>(resolve => {
    fail = resolve;
  });
  async function* write(path: string): AsyncGenerator<Buffer> {
    for (let record = 0; record < RECORDS; record++) {
      if (record === RECORDS / 2) begun.push(path);
      if (record === RECORDS / 2 && path === '/late-fails') await failing;
      if (record === RECORDS / 2 && path.endsWith('fails')) throw new Error('the database is gone');
      if (record === RECORDS / 2 && path === '/stalls') await new Promise(() => {});
      yield RECORD;
    }
  }
  const app = async ({ path }: { path: string }): Promise<Reply> => {
    if (path === '/healthz' || path === '/readyz') return { status: 200, headers: {}, body: 'up' };
    const headers = {
      'Content-Type': 'application/x-ndjson',
      ...(path === '/sized-fails' && { 'Content-Length': String(RECORDS * RECORD.length) }),
    };
    return { status: 200, headers, body: write(path) };
  };
  const logger = createLogger('error', { write: () => {} });
  const server = createServer({ app, logger, answerLimit: 60_000 });
  const drain = createDrain(server);
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { server, drain, port, begun, fail, [Symbol.asyncDispose]: close };
}
