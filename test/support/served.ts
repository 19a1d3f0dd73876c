import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchOutput } from './canary.ts';
import { freePort } from './network.ts';
import { exitCode, startSightline, UNHURRIED } from './sightline.ts';

/** `sightline serve` as a separate process. */
export interface ServiceProcess extends AsyncDisposable {
  child: ChildProcess;
  url: string;
  /** All log lines except those of requests, and the number of reported failures. */
  log: string[];
  errors: Record<string, number>;
  /** The log lines of requests. */
  requests: { pid: number; requestId: string }[];
  /** The value of a metric without labels. */
  metric(name: string): Promise<number>;
  /** Checks whether `/readyz` reports that the service is ready. */
  isReady(): Promise<boolean>;
  /** The server for reads, if there are several servers. */
  server(): Promise<string | undefined>;
  /** Waits until the service is ready, and returns the milliseconds. */
  untilReady(): Promise<number>;
  /** Sends SIGTERM and returns the exit code. */
  end(): Promise<number | null>;
}

/** Resolves once the service listens. The rate limit is high unless `env` sets it. */
export async function serve(
  databaseUrl: string,
  env: Record<string, string> = {},
  start?: string,
): Promise<ServiceProcess> {
  const adminPort = env.ADMIN_PORT ?? (await freePort());
  const child = startSightline(['serve'], {
    ...(start !== undefined && { start }),
    env: {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      ADMIN_PORT: String(adminPort),
      RATE_LIMIT_MAX: '1000000000',
      SHUTDOWN_GRACE: '0',
      // Tests load data without notifying the services.
      KEY_LEASE: '0',
      NODE_ENV: 'production',
      ...UNHURRIED,
      ...env,
    },
  });
  const log: string[] = [];
  const errors: Record<string, number> = {};
  const requests: ServiceProcess['requests'] = [];
  const lines = createInterface({ input: child.stdout! });
  child.stderr!.on('data', chunk => log.push(watchOutput(String(chunk))));
  const url = await new Promise<string>((resolve, reject) => {
    lines.on('line', line => {
      const parsed = JSON.parse(watchOutput(line));
      const { msg, url, err } = parsed;
      if (msg === 'request') requests.push(parsed);
      if (msg !== 'request' && !err) log.push(line);
      if (err) errors[err.message] = (errors[err.message] ?? 0) + 1;
      if (msg === 'listening') resolve(url);
    });
    once(child, 'exit').then(() => reject(new Error(`it ended: ${log.join('\n')}`)), reject);
  });
  const isReady = async () => (await fetch(`${url}/readyz`)).status === 200;
  const server = async () => ((await (await fetch(`${url}/readyz`)).json()) as { server?: string }).server;
  const end = () => {
    child.kill('SIGTERM');
    return exitCode(child);
  };

  return {
    child,
    url,
    log,
    errors,
    requests,
    async metric(name) {
      const text = watchOutput(await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text());
      return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    },
    isReady,
    server,
    async untilReady() {
      const begin = performance.now();
      while (!(await isReady())) await sleep(20);
      return performance.now() - begin;
    },
    end,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exitCode(child);
    },
  };
}
