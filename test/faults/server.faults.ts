import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedDatabase, startEmbedded } from '@sightline/embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { clusterPath } from '../../packages/embedded/src/cluster.ts';
import { migrate } from '../../sql/operator/migrate.ts';
import { FaultProxy } from '../support/fault-proxy.ts';
import { makeFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { signalServer } from '../support/server-process.ts';
import { openStock } from '../support/stock.ts';
import { watchMachine } from '../support/yardstick.ts';
import { LIMITS, RATE, SECONDS } from './scale.ts';

const directory = makeFolder();

let database: EmbeddedDatabase;
let proxy: FaultProxy;
let service: ServiceProcess;
let key: string;

/** A separate server, so that it can be killed. */
beforeAll(async () => {
  await startDatabase();
  const stock = openStock(database.url);
  await migrate(stock.sql);
  key = await stock.account('a-1');
  await stock.close();
  proxy = await FaultProxy.start(database.url);
});

afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await proxy?.close();
  await database?.stop();
  rmSync(directory, { recursive: true, force: true });
});

async function startDatabase(): Promise<void> {
  database = await startEmbedded({ directory, settings: { fsync: 'off' } });
  proxy?.retarget(database.url);
}

const killDatabase = () => signalServer(clusterPath(directory), 'SIGKILL');

const status = async (path: string, init?: RequestInit) => (await fetch(service.url + path, init)).status;
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

describe('an unavailable database', () => {
  it('does not prevent the service from starting, which serves within two seconds of its return', async () => {
    killDatabase();
    service = await serve(proxy.url, LIMITS);
    expect(await status('/healthz')).toBe(200);
    expect(await status('/readyz')).toBe(503);
    expect(await status('/v1/me', bearer(key))).toBe(500);
    await sleep(SECONDS * 1000);
    await startDatabase();
    const machine = watchMachine();
    const begin = performance.now();
    while ((await status('/v1/me', bearer(key))) !== 200) await sleep(20);
    await service.untilReady();
    expect(performance.now() - begin).toBeLessThan(machine.over(2000));
  });

  it('receives no statement for requests that are rejected without it', async () => {
    const attempts = () => service.metric('sightline_database_connection_attempts_total');
    const statements = () => service.metric('sightline_database_statements_total');
    const before = [await attempts(), await statements()];
    const malformed = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;
    const post = { method: 'POST', ...bearer(key) };
    const check = async () => {
      expect(await status('/v1/me')).toBe(401);
      expect(await status('/v1/me', bearer(malformed))).toBe(401);
      expect(await status('/v1/nowhere', bearer(malformed))).toBe(401);
      expect(await status('/v1/me', post)).toBe(405);
      expect(await status('/v1/nowhere', post)).toBe(405);
      expect(await status('/graphql', { method: 'POST', body: '{}' })).toBe(401);
      expect(await status('/nowhere')).toBe(404);
      expect(await status('/healthz', { method: 'POST' })).toBe(200);
      expect(await status('/openapi.yaml', { method: 'POST' })).toBe(405);
    };
    await check();
    expect([await attempts(), await statements()]).toEqual(before);
    await proxy.set('refuse');
    await check();
    expect(await statements()).toBe(before[1]);
    await proxy.set('none');
    await service.untilReady();
  });

  it('causes only error responses under load after a kill, and the process survives', async () => {
    const machine = watchMachine();
    const load = new Load({ url: service.url, key, rate: RATE, paths: ['/v1/me?n=*', '/v1/quota?n=*'] });
    await sleep(500);
    killDatabase();
    await sleep(SECONDS * 1000);
    await startDatabase();
    const returned = performance.now();
    await machine.pass(returned, 2000);
    const { failures, slowest, answeredSince } = await load.stop();
    expect(failures).toEqual(['500 {"error":"Internal server error"}']);
    expect(slowest).toBeLessThan(machine.over(3000));
    expect(answeredSince(returned + machine.over(2000))).toEqual([200]);
    expect(service.child.exitCode).toBeNull();
    expect(await service.end()).toBe(0);
  });
});
