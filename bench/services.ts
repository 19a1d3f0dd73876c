import type { ChildProcess } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DEMO_PERSONAL, type DEMO_TEAM } from '@sightline/demo';
import { bundle } from '../scripts/bundle.ts';
import { freePort } from '../test/support/network.ts';
import type { LoadRequest } from './load.ts';
import { type Settings, SIGHTLINE, start, stop } from './processes.ts';

/** The account whose key a request has. */
export type Caller = typeof DEMO_PERSONAL | typeof DEMO_TEAM;

/** The database that a service reads, and the keys that it accepts. */
export interface ServiceDatabase {
  url: string;
  keys: Record<Caller, string>;
}

/** A running service. */
export interface BenchService extends AsyncDisposable {
  pid: number;
  request(path: string, caller?: Caller): LoadRequest;
}

/** Starts the service, by default without its cache, or the hand-written routes. */
export async function startService(
  database: ServiceDatabase,
  name: 'ours' | 'cached' | 'by hand' = 'ours',
  settings: Settings = {},
): Promise<BenchService> {
  const port = await freePort();
  const child =
    name === 'by hand'
      ? start([await compileByHand(), database.url, String(port)])
      : start([SIGHTLINE, 'serve'], {
          DATABASE_URL: database.url,
          PORT: String(port),
          // Without a rate limit and request logs, like the hand-written routes.
          RATE_LIMIT_MAX: '1000000000',
          LOG_LEVEL: 'warn',
          SHUTDOWN_GRACE: '0',
          // On a busy machine, 32 simultaneous requests can queue for a long time.
          DATABASE_QUEUE_TIMEOUT: '10s',
          STATEMENT_TIMEOUT: '10s',
          ...(name === 'ours' && { ANSWER_CACHE_SIZE: '0' }),
          ...settings,
        });
  child.stdout!.resume();
  const request = (path: string, caller: Caller = DEMO_PERSONAL) => ({
    url: `http://127.0.0.1:${port}${path}`,
    headers: { authorization: `Bearer ${database.keys[caller]}` },
  });
  await untilAnswering(child, request('/v1/me'));
  return { pid: child.pid!, request, [Symbol.asyncDispose]: () => stop(child) };
}

let compiled: Promise<void> | undefined;

/** Compiles the hand-written routes like the service, and returns the file. */
async function compileByHand(): Promise<string> {
  compiled ??= bundle(['bench/by-hand/service.ts'], fileURLToPath(new URL('dist', import.meta.url)));
  await compiled;
  return fileURLToPath(new URL('dist/bench/by-hand/service.js', import.meta.url));
}

/** @throws {Error} if the process exits */
async function untilAnswering(child: ChildProcess, { url, headers }: LoadRequest): Promise<void> {
  const messages = text(child.stderr!);
  while (child.exitCode === null) {
    const response = await fetch(url, { headers }).catch(() => undefined);
    if (response?.ok) return;
    await sleep(50);
  }
  throw new Error(`the service ended with ${child.exitCode}: ${await messages}`);
}
