import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { PrintedMetrics } from '../observability/metrics.ts';
import { listen } from './listen.ts';
import { json, type Reply } from './reply.ts';
import { errorReply, Refusal } from './respond.ts';

interface AdminSettings {
  host: string;
  port: number;
  /** The setting that chooses the port; default: `ADMIN_PORT`. */
  setting?: string;
}

export interface AdminServer {
  port: number;
  close(): void;
}

/**
 * Serves `/metrics` and `/healthz` on a separate internal port. They need no key, and contain no secret.
 * @throws {ListenFailed} if the port cannot be opened
 */
export async function startAdmin(
  { host, port, setting = 'ADMIN_PORT' }: AdminSettings,
  metrics: PrintedMetrics,
): Promise<AdminServer> {
  const server = createAdminServer(metrics);
  const taken = await listen(server, { host, port, setting });
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
    response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(body as string) });
    response.end(request.method === 'HEAD' ? '' : body);
  });
}

async function answer({ method, url }: IncomingMessage, metrics: PrintedMetrics): Promise<Reply> {
  const path = url?.split('?')[0];
  if (path !== '/healthz' && path !== '/metrics') throw new Refusal('notFound');
  if (method !== 'GET' && method !== 'HEAD') throw new Refusal('methodNotAllowed', { Allow: 'GET, HEAD' });
  if (path === '/healthz') return json('{"status":"up"}');
  const headers = { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' };
  return { status: 200, headers, body: await metrics.print() };
}
