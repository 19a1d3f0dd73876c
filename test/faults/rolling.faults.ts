import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { Load } from '../support/load.ts';
import { freePort } from '../support/network.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { openStock } from '../support/stock.ts';
import { until } from '../support/until.ts';

const RESTARTS = 3;
const REQUESTS = 3600;
const RATE = 200;

const hasProxy = spawnSync('haproxy', ['-v']).status === 0;
if (!hasProxy) process.stderr.write('skipped: rolling restarts need haproxy, which is not installed here\n');

let database: TestDatabase;
let key: string;
let ports: [number, number];
let instances: ServiceProcess[];
let proxy: ChildProcess;
let proxyUrl: string;
const folder = mkdtempSync(join(tmpdir(), 'sightline-haproxy-'));

/** The configuration in docs/reliability.md. */
const configuration = (port: number) => `
global
  maxconn 1000
defaults
  mode http
  timeout connect 1s
  timeout client 10s
  timeout server 10s
  timeout check 2s
frontend clients
  bind 127.0.0.1:${port}
  default_backend sightline
backend sightline
  option httpchk GET /readyz
  option redispatch 1
  retry-on conn-failure empty-response
  default-server check inter 200ms fall 2 rise 2 pool-purge-delay 2s
  server a 127.0.0.1:${ports[0]}
  server b 127.0.0.1:${ports[1]}
`;

const start = async (port: number): Promise<ServiceProcess> => {
  const service = await serve(database.url, { PORT: String(port), SHUTDOWN_GRACE: '1500ms' });
  await service.untilReady();
  return service;
};

beforeAll(async () => {
  if (!hasProxy) return;
  database = await createDatabase();
  const stock = openStock(database.url);
  key = await stock.account('a-1');
  await stock.close();
  ports = [await freePort(), await freePort()];
  instances = [await start(ports[0]), await start(ports[1])];
  const port = await freePort();
  proxyUrl = `http://127.0.0.1:${port}`;
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, configuration(port));
  proxy = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' });
  const isUp = () =>
    fetch(`${proxyUrl}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    );
  while (!(await isUp())) await sleep(50);
});

afterAll(async () => {
  proxy?.kill('SIGKILL');
  await Promise.all((instances ?? []).map(instance => instance[Symbol.asyncDispose]()));
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(!hasProxy)('rolling restarts behind a proxy', () => {
  it(`lose none of ${REQUESTS} requests`, async () => {
    const paths = ['/v1/me?n=*', '/v1/quota?n=*'];
    const load = new Load({ url: proxyUrl, key, rate: RATE, paths, patience: 10_000 });
    const errors: string[] = [];
    for (let restart = 0; restart < RESTARTS; restart++) {
      for (const [n, port] of ports.entries()) {
        expect(await instances[n]!.end()).toBe(0);
        errors.push(...Object.keys(instances[n]!.errors));
        const instance = await start(port);
        instances[n] = instance;
        // The proxy checks five times per second and acts after two equal results.
        await until(() => instance.requests.length > 0);
      }
    }
    while (load.outcomes.length < REQUESTS) await sleep(50);
    const { sent, failures } = await load.stop();
    expect(errors).toEqual([]);
    expect(failures).toEqual([]);
    expect(sent).toBeGreaterThanOrEqual(REQUESTS);
  }, 180_000);
});
