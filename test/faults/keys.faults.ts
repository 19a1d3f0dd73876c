import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { issueKey } from '../../src/keys/issue.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { sightlineHere } from '../support/sightline.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { SECONDS } from './scale.ts';

let database: TestDatabase;
let stock: Stock;
let instances: ServiceProcess[];

beforeAll(async () => {
  database = await createDatabase();
  stock = openStock(database.url);
  await stock.account('a-1');
  const leased = { KEY_LEASE: '250ms' };
  instances = await Promise.all([serve(database.url, leased), serve(database.url, leased)]);
});

afterAll(async () => {
  await Promise.all((instances ?? []).map(instance => instance[Symbol.asyncDispose]()));
  await stock?.close();
  await database?.drop();
});

const HOLDER = { accountId: 'a-1', name: null, expiresAt: null };

async function status({ url }: ServiceProcess, key: string): Promise<number> {
  const response = await fetch(`${url}/v1/me`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Returns the milliseconds after which every instance rejects the key. */
async function untilDead(key: string): Promise<number> {
  const begin = performance.now();
  for (const instance of instances) while ((await status(instance, key)) !== 401) await sleep(5);
  return performance.now() - begin;
}

const keys = (...args: string[]) => sightlineHere(['keys', ...args], { DATABASE_URL: database.url });

describe('a key', () => {
  it('can be rotated ten times a second under load without a rejected request', async () => {
    let { id, key } = await issueKey(stock.sql, 'personal', HOLDER);
    let isOver = false;
    const statuses = new Map<number, number>();
    const client = async (instance: ServiceProcess) => {
      while (!isOver) {
        const answer = await status(instance, key);
        statuses.set(answer, (statuses.get(answer) ?? 0) + 1);
      }
    };
    const clients = [...instances, ...instances, ...instances].map(client);
    for (let rotations = 0; rotations < SECONDS * 10; rotations++) {
      const begin = performance.now();
      const { stdout, stderr } = await keys('rotate', id, '--grace', '5s');
      key = stdout.trim();
      id = /Created key (\S+)/.exec(stderr)![1]!;
      await sleep(Math.max(0, begin + 100 - performance.now()));
    }
    isOver = true;
    await Promise.all(clients);
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(50);
  }, 60_000);

  it('is rejected by every instance within five seconds of its revocation', async () => {
    const { id, key } = await issueKey(stock.sql, 'personal', HOLDER);
    for (const instance of instances) expect(await status(instance, key)).toBe(200);
    await keys('revoke', id);
    expect(await untilDead(key)).toBeLessThan(5000);
  });

  it('is rejected by every instance within five seconds of its expiry', async () => {
    const expiresAt = new Date(Date.now() + 500);
    const { key } = await issueKey(stock.sql, 'personal', { ...HOLDER, expiresAt });
    for (const instance of instances) expect(await status(instance, key)).toBe(200);
    expect(await untilDead(key)).toBeLessThan(5500);
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAt.getTime());
  });
});
