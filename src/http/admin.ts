import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { PrintedMetrics } from '../observability/metrics.ts';
import { listen } from './listen.ts';
import { json, type Reply } from './reply.ts';
import { errorReply, Refusal } from './respond.ts';

interface AdminSettings {
  host: string;
  port: number;
}

export interface AdminServer {
  port: number;
  close(): void;
}

/**
 * `/metrics` and `/healthz`, on a port of their own that clients do not reach. They need no key, and hold no secret.
 * @throws {ListenFailed} when the port cannot be had
 */
export async function startAdmin(
  { host, port }: AdminSettings,
  metrics: PrintedMetrics,
): Promise<AdminServer> {
  const server = createAdminServer(metrics);
  const taken = await listen(server, { host, port, setting: 'ADMIN_PORT' });
  return {
    port: taken,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function createAdminServer(metrics: PrintedMetrics): Server {
  const limits = { headersTimeout: 5000, requestTimeout: 5000, maxHeaderSize: 8 * 1024 };
  return createServer(limits, async (request, response) => {
    const { status, headers, body } = await answer(request, metrics).catch(errorReply);
    response.writeHead(status, headers).end(body);
  });
}

async function answer({ method, url }: IncomingMessage, metrics: PrintedMetrics): Promise<Reply> {
  const path = method === 'GET' ? url?.split('?')[0] : undefined;
  if (path === '/healthz') return json('{"status":"up"}');
  if (path !== '/metrics') throw new Refusal('notFound');
  const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: await metrics.print() };
}
