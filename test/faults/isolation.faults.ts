import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  getFigures,
  play,
  printFigures,
  readNothing,
  type Stage,
  startUsed,
  within,
} from '../support/isolation.ts';
import { Load } from '../support/load.ts';
import { CALM_DOORS, type Neighbours, OTHER_ENDPOINTS, OTHER_PATHS, settle } from '../support/neighbours.ts';
import { inTheClear, type Reach } from '../support/reach.ts';
import type { ServiceProcess } from '../support/served.ts';
import { until } from '../support/until.ts';
import { LIMITS } from './scale.ts';

/** Slow or hanging statements of one account must not affect another account, which sends 40 requests per second. */

let database: Reach;
let neighbours: Neighbours;
/** A second service for the control measurement, which only the account `calm` uses. */
let control: ServiceProcess;

beforeAll(async () => {
  database = await inTheClear();
  neighbours = await settle(database.url, { others: 40, computing: 3, large: 2 });
  control = await start(4);
});

afterAll(async () => {
  await control?.[Symbol.asyncDispose]();
  await neighbours?.[Symbol.asyncDispose]();
  await database?.[Symbol.asyncDispose]();
});

const start = (poolSize: number): Promise<ServiceProcess> =>
  startUsed(neighbours, { ...database.env, ...LIMITS, DATABASE_POOL_SIZE: String(poolSize) });

const stage = (poolSize: number): Stage => ({ neighbours, control, start: () => start(poolSize) });

const others = (count: number) => neighbours.others.slice(0, count);

const hang = () => neighbours.lock();

async function freeze() {
  const unlock = await neighbours.lock();
  const thaw = neighbours.freeze();
  return async () => {
    await thaw();
    await unlock();
  };
}

describe.each([4, 16])('a service with a pool of %i', poolSize => {
  it.each([2, 10, 40])(
    'confines failures to a key with hanging statements, at %i requests per second',
    async rate => {
      const figures = await play(stage(poolSize), {
        name: `pool ${poolSize}, one key hangs, ${rate}/s`,
        keys: others(1),
        rate,
        strike: hang,
      });
      expect(figures.calm).toMatchObject({ failed: 0 });
      expect(figures.calm.p99).toBeLessThanOrEqual(within(100, figures));
      expect(figures.unready).toBe(0);
      expect(figures.others.slowest).toBeLessThan(within(3200, figures));
    },
  );

  it.each([2, 10, 40])(
    'confines failures to a key with suspended backends, at %i requests per second',
    async rate => {
      const figures = await play(stage(poolSize), {
        name: `pool ${poolSize}, one key is frozen, ${rate}/s`,
        keys: others(1),
        rate,
        strike: freeze,
      });
      expect(figures.calm).toMatchObject({ failed: 0 });
      expect(figures.calm.p99).toBeLessThanOrEqual(within(100, figures));
      expect(figures.unready).toBe(0);
      expect(figures.others.slowest).toBeLessThan(within(3200, figures));
    },
  );

  it.each([3, 10, 40])('confines failures to the %i keys with hanging statements', async count => {
    const figures = await play(stage(poolSize), {
      name: `pool ${poolSize}, ${count} keys hang, 10/s`,
      keys: others(count),
      rate: 10,
      strike: hang,
    });
    expect(figures.later).toMatchObject({ failed: 0 });
    expect(figures.later.p99).toBeLessThanOrEqual(within(150, figures));
    expect(figures.unready).toBe(0);
  });

  it.each([3, 10])('confines failures to %i previously quick keys that hang simultaneously', async count => {
    const figures = await play(stage(poolSize), {
      name: `pool ${poolSize}, ${count} keys turn, 10/s`,
      keys: others(count),
      rate: 10,
      areKnown: true,
      strike: hang,
    });
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.later.p99).toBeLessThanOrEqual(within(150, figures));
    expect(figures.unready).toBe(0);
  });

  it('serves a key again within two seconds after its statements resume', async () => {
    await using service = await start(poolSize);
    const unlock = await neighbours.lock();
    const load = new Load({ url: service.url, key: neighbours.others[0]!, rate: 10, paths: OTHER_PATHS });
    await sleep(4000);
    await unlock();
    const healed = performance.now();
    await sleep(4000);
    await load.stop();
    printFigures(`pool ${poolSize}, healed`, getFigures(load.outcomes, healed));
    expect(getFigures(load.outcomes, healed + 2000)).toMatchObject({ failed: 0 });
  });

  it.each([1, 3])('keeps other keys responsive while statements of %i keys compute', async count => {
    const before = await play(stage(poolSize), { name: `pool ${poolSize}, calm`, keys: [], rate: 0 });
    const figures = await play(stage(poolSize), {
      name: `pool ${poolSize}, ${count} keys compute, 2/s`,
      keys: neighbours.computing.slice(0, count),
      rate: 2,
    });
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.calm.p99).toBeLessThanOrEqual(within(5 * before.calm.p99, figures));
  });
});

describe('each endpoint, with a pool of 4', () => {
  it.each(Object.entries(OTHER_ENDPOINTS))(
    'confines failures to the key that hangs at %s',
    async (endpoint, paths) => {
      const figures = await play(stage(4), {
        name: `pool 4, one key hangs at ${endpoint}, 10/s`,
        keys: others(1),
        rate: 10,
        paths,
        calmEndpoints: CALM_DOORS,
        strike: hang,
      });
      expect(figures.calm).toMatchObject({ failed: 0 });
      expect(figures.endpoints).toMatchObject({ failed: 0 });
      expect(figures.calm.p99).toBeLessThanOrEqual(within(100, figures));
      expect(figures.unready).toBe(0);
    },
  );

  it('keeps its database connections despite clients that leave streams unread while keys hang', async () => {
    const figures = await play(stage(4), {
      name: 'pool 4, slow readers, 10 keys turn, 10/s',
      keys: others(10),
      rate: 10,
      areKnown: true,
      calmEndpoints: CALM_DOORS,
      async strike(service) {
        const readers = neighbours.large.map(key => readNothing(service, key));
        await until(async () => (await neighbours.waitingStreams()) === readers.length);
        const unlock = await hang();
        return async () => {
          for (const reader of readers) reader.destroy();
          await unlock();
        };
      },
    });
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.endpoints).toMatchObject({ failed: 0 });
    expect(figures.later.p99).toBeLessThanOrEqual(within(150, figures));
    expect(figures.unready).toBe(0);
  });
});
