import type { ChildProcess } from 'node:child_process';
import type { BenchDatabase } from './database.ts';
import { type ContenderName, usualFlags } from './options.ts';
import { freePort, start, stop, untilAnswering } from './processes.ts';
import type { BenchCaller } from './routes.ts';

/** A running service under measurement. */
export interface BenchService {
  child: ChildProcess;
  pid: number;
  port: number;
}

/** The service that each measurement uses. Cached responses come from the same service as uncached ones. */
export type ServiceName = Exclude<ContenderName, 'unchanged'>;

export const SERVICE_OF: Record<ContenderName, ServiceName> = {
  ours: 'ours',
  yardstick: 'yardstick',
  sofa: 'sofa',
  kept: 'kept',
  unchanged: 'ours',
};

/** The database that a service reads, and the keys that it accepts. */
export type ServiceDatabase = Pick<BenchDatabase, 'url' | 'keys'>;

export const authorization = ({ keys }: ServiceDatabase, caller: BenchCaller) => `Bearer ${keys[caller]}`;

export async function startService(name: ServiceName, database: ServiceDatabase): Promise<BenchService> {
  const port = await freePort();
  const child = startProcess(name, database.url, port);
  await untilAnswering(child, `http://127.0.0.1:${port}/v1/me`, {
    authorization: authorization(database, 'demo-personal'),
  });
  return { child, pid: child.pid!, port };
}

function startProcess(name: ServiceName, url: string, port: number): ChildProcess {
  const flags = usualFlags();
  if (name === 'yardstick') return start('yardstick', { flags, args: [url, String(port)] });
  if (name === 'sofa') return start('plain-sofa', { flags, args: [url, String(port)] });
  const env = {
    DATABASE_URL: url,
    PORT: String(port),
    // Without a rate limit and request logs, like the yardstick.
    RATE_LIMIT_MAX: '1000000000',
    LOG_LEVEL: 'warn',
    SHUTDOWN_GRACE: '0',
    // On a busy machine, 32 simultaneous requests can queue for a long time.
    DATABASE_QUEUE_TIMEOUT: '10s',
    STATEMENT_TIMEOUT: '10s',
    // The cache is disabled, unless cached responses are measured.
    ...(name === 'ours' && { ANSWER_CACHE_SIZE: '0' }),
  };
  return start('sightline', { flags, args: ['serve'], env });
}

export const stopService = ({ child }: BenchService) => stop(child);

/** Formats a complete HTTP/1.1 request. */
export function requestText(
  path: string,
  headers: Record<string, string>,
  { method = 'GET', body = '' }: { method?: string; body?: string } = {},
): string {
  const length = body === '' ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const all = { Host: '127.0.0.1', ...headers, ...length };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`;
}
