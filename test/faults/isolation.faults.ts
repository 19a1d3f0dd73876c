import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../sql/operator/migrate.ts';
import { type EmbeddedDatabase, startEmbedded } from '../../src/embedded/start.ts';
import { makeFolder } from '../support/folder.ts';
import { Load } from '../support/load.ts';
import { CALM_PATHS, figuresOf, type Neighbours, OTHER_PATHS, settle } from '../support/neighbours.ts';
import { type Served, serve } from '../support/served.ts';
import { openStock } from '../support/stock.ts';
import { LIMITS } from './scale.ts';

/** What one account's slow or stuck statements do to another one, which asks 40 times a second. */

const directory = makeFolder();
let database: EmbeddedDatabase;
let neighbours: Neighbours;

beforeAll(async () => {
  database = await startEmbedded({ directory, settings: { fsync: 'off', max_connections: '100' } });
  const stock = openStock(database.url);
  await migrate(stock.sql);
  await stock.close();
  neighbours = await settle(database.url, { others: 10, computing: 3 });
});

afterAll(async () => {
  await neighbours?.[Symbol.asyncDispose]();
  await database?.stop();
  rmSync(directory, { recursive: true, force: true });
});

const CALM_RATE = 40;
const SECONDS = 6;

/** A service that is used: the calm account's first statements are answered. */
async function start(poolSize: number): Promise<Served> {
  const service = await serve(database.url, { ...LIMITS, DATABASE_POOL_SIZE: String(poolSize) });
  const warm = new Load({ url: service.url, key: neighbours.calm, rate: CALM_RATE, paths: CALM_PATHS });
  await sleep(1000);
  await warm.stop();
  return service;
}

/** Of the calm account, and of the others, while they ask so often, each. */
async function beside(service: Served, keys: readonly string[], rate: number) {
  const begun = performance.now();
  const calm = new Load({ url: service.url, key: neighbours.calm, rate: CALM_RATE, paths: CALM_PATHS });
  const others = keys.map(
    key => new Load({ url: service.url, key, rate, paths: OTHER_PATHS, patience: 5000 }),
  );
  let unready = 0;
  for (const until = begun + SECONDS * 1000; performance.now() < until; ) {
    if (!(await service.isReady())) unready++;
    await sleep(200);
  }
  await Promise.all([calm, ...others].map(load => load.stop()));
  const figures = {
    calm: figuresOf(calm.outcomes),
    later: figuresOf(calm.outcomes, begun + 3000),
    others: figuresOf(others.flatMap(({ outcomes }) => outcomes)),
    unready,
  };
  return figures;
}

function tell(name: string, figures: object): void {
  process.stderr.write(`${name}: ${JSON.stringify(figures)}\n`);
}

describe.each([4, 16])('with a pool of %i', poolSize => {
  it.each([2, 10, 40])('a key whose statements hang, at %i a second, fails alone', async rate => {
    await using service = await start(poolSize);
    const unlock = await neighbours.lock();
    const figures = await beside(service, neighbours.others.slice(0, 1), rate);
    await unlock();
    tell(`pool ${poolSize}, one key hangs, ${rate}/s`, figures);
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.calm.p99).toBeLessThanOrEqual(100);
    expect(figures.unready).toBe(0);
    expect(figures.others.slowest).toBeLessThan(3200);
  });

  it.each([2, 10, 40])(
    'a key whose server processes stand still, at %i a second, fails alone',
    async rate => {
      await using service = await start(poolSize);
      const unlock = await neighbours.lock();
      const thaw = neighbours.freeze();
      const figures = await beside(service, neighbours.others.slice(0, 1), rate);
      await thaw();
      await unlock();
      tell(`pool ${poolSize}, one key is frozen, ${rate}/s`, figures);
      expect(figures.calm).toMatchObject({ failed: 0 });
      expect(figures.calm.p99).toBeLessThanOrEqual(100);
      expect(figures.unready).toBe(0);
      expect(figures.others.slowest).toBeLessThan(3200);
    },
  );

  it.each([3, 10])('%i keys whose statements hang fail alone', async count => {
    await using service = await start(poolSize);
    const unlock = await neighbours.lock();
    const figures = await beside(service, neighbours.others.slice(0, count), 10);
    await unlock();
    tell(`pool ${poolSize}, ${count} keys hang, 10/s`, figures);
    expect(figures.later).toMatchObject({ failed: 0 });
    expect(figures.later.p99).toBeLessThanOrEqual(150);
    expect(figures.unready).toBe(0);
  });

  it.each([3, 10])('%i keys that were quick, and all hang at once, fail alone', async count => {
    await using service = await start(poolSize);
    const turning = neighbours.others.slice(0, count);
    // Other addresses than later, or their answers would be kept.
    const paths = [...CALM_PATHS, ...OTHER_PATHS].map(path => path.replace('n=*', 'n=warm*'));
    const warm = turning.map(key => new Load({ url: service.url, key, rate: 10, paths }));
    await sleep(1000);
    await Promise.all(warm.map(load => load.stop()));
    const unlock = await neighbours.lock();
    const figures = await beside(service, turning, 10);
    await unlock();
    tell(`pool ${poolSize}, ${count} keys turn, 10/s`, figures);
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.later.p99).toBeLessThanOrEqual(150);
    expect(figures.unready).toBe(0);
  });

  it('a key is well again within two seconds', async () => {
    await using service = await start(poolSize);
    const unlock = await neighbours.lock();
    const load = new Load({ url: service.url, key: neighbours.others[0]!, rate: 10, paths: OTHER_PATHS });
    await sleep(4000);
    await unlock();
    const healed = performance.now();
    await sleep(4000);
    await load.stop();
    tell(`pool ${poolSize}, healed`, figuresOf(load.outcomes, healed));
    expect(figuresOf(load.outcomes, healed + 2000)).toMatchObject({ failed: 0 });
  });

  it.each([1, 3])('%i keys whose statements compute leave the others their time', async count => {
    await using service = await start(poolSize);
    const { calm } = await beside(service, [], 0);
    const figures = await beside(service, neighbours.computing.slice(0, count), 2);
    tell(`pool ${poolSize}, ${count} keys compute, 2/s`, { before: calm, ...figures });
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.calm.p99).toBeLessThanOrEqual(5 * calm.p99);
  });
});
