import type { ChildProcess } from 'node:child_process';
import { ANCHORS } from './anchors.ts';
import type { BenchDatabase } from './database.ts';
import type { BenchOptions, ContenderName } from './options.ts';
import { freePort, start, stop, untilAnswering } from './processes.ts';
import type { Asker, RouteName } from './routes.ts';

/** A running service that is measured. */
export interface Service {
  child: ChildProcess;
  pid: number;
  port: number;
}

/** The service of each measurement: answers that are asked for again come from the same one. */
export type ServiceName = Exclude<ContenderName, 'unchanged'>;

export const SERVICE_OF: Record<ContenderName, ServiceName> = {
  ours: 'ours',
  yardstick: 'yardstick',
  sofa: 'sofa',
  kept: 'kept',
  unchanged: 'ours',
  bun: 'bun',
  go: 'go',
  'go-rows': 'go-rows',
};

/** The routes that a contender does not have. */
export const LACKS: Partial<Record<ContenderName, readonly RouteName[]>> = {
  go: ['nel', 'dmarc'],
  'go-rows': ['nel', 'dmarc'],
};

/** The database that a service reads from, and the keys that it accepts. */
export type Served = Pick<BenchDatabase, 'url' | 'keys'>;

export const authorization = ({ keys }: Served, asker: Asker) => `Bearer ${keys[asker]}`;

export async function startService(
  name: ServiceName,
  database: Served,
  options: BenchOptions,
): Promise<Service> {
  const port = await freePort();
  const child = startProcess(name, database.url, port, options);
  await untilAnswering(child, `http://127.0.0.1:${port}/v1/me`, {
    authorization: authorization(database, 'demo-personal'),
  });
  return { child, pid: child.pid!, port };
}

function startProcess(name: ServiceName, url: string, port: number, options: BenchOptions): ChildProcess {
  const { flags, yardstickFlags, settings } = options;
  if (name === 'yardstick') return start('yardstick', { flags: yardstickFlags, args: [url, String(port)] });
  const anchor = ANCHORS[name]?.(url, port);
  if (anchor) return anchor;
  if (name === 'sofa') return start('plain-sofa', { flags, args: [url, String(port)] });
  const env = {
    DATABASE_URL: url,
    PORT: String(port),
    // As for the yardstick: no limit that is reached, and no line of the log for each request.
    RATE_LIMIT_MAX: '1000000000',
    LOG_LEVEL: 'warn',
    SHUTDOWN_GRACE: '0',
    // 32 requests at once may wait longer on a busy machine than anybody should.
    DATABASE_QUEUE_TIMEOUT: '10s',
    STATEMENT_TIMEOUT: '10s',
    // Answers are computed again, unless a kept answer is what is measured.
    ...(name === 'ours' && { ANSWER_CACHE_SIZE: '0' }),
    ...settings,
  };
  return start('sightline', { flags, args: ['serve'], env });
}

export const stopService = ({ child }: Service) => stop(child);

/** A whole HTTP/1.1 request. */
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
