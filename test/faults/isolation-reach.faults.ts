import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type NeighbourFigures,
  play,
  readNothing,
  type Scenario,
  startUsed,
  within,
} from '../support/isolation.ts';
import { type Neighbours, settle } from '../support/neighbours.ts';
import { byPooler, byReplica, byTls, type Reach } from '../support/reach.ts';
import type { ServiceProcess } from '../support/served.ts';
import { until } from '../support/until.ts';
import { LIMITS } from './scale.ts';

/** Repeats the worst cases of `isolation.faults.ts` with every kind of database connection. */

const hasPooler = spawnSync('pgbouncer', ['--version']).status === 0;
if (!hasPooler) process.stderr.write('skipped: isolation by PgBouncer, which is not installed here\n');

describe.each([
  ['TLS', byTls],
  ['PgBouncer', byPooler],
  ['a replica', byReplica],
] as const)('a connection through %s, with a pool of 4', (how, make) => {
  const isHere = hasPooler || make !== byPooler;
  let database: Reach;
  let neighbours: Neighbours;
  let control: ServiceProcess;

  beforeAll(async () => {
    if (!isHere) return;
    database = await make();
    neighbours = await settle(database.url, { others: 10, large: 2 }, database.readUrl);
    control = await start();
  });

  afterAll(async () => {
    await control?.[Symbol.asyncDispose]();
    await neighbours?.[Symbol.asyncDispose]();
    await database?.[Symbol.asyncDispose]();
  });

  async function start(): Promise<ServiceProcess> {
    const service = await startUsed(neighbours, { ...database.env, ...LIMITS, DATABASE_POOL_SIZE: '4' });
    if (database.env.DATABASE_READ_URL) await until(async () => (await service.server()) === 'replica-1');
    return service;
  }

  const playHere = ({ name, ...scenario }: Scenario): Promise<NeighbourFigures> =>
    play({ neighbours, control, start }, { name: `by ${how}, pool 4, ${name}`, ...scenario });

  it.skipIf(!isHere)('confines failures to a key with hanging statements', async () => {
    const figures = await playHere({
      name: 'one key hangs, 40/s',
      keys: neighbours.others.slice(0, 1),
      rate: 40,
      strike: () => neighbours.lock(),
    });
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.calm.p99).toBeLessThanOrEqual(within(100, figures));
    expect(figures.unready).toBe(0);
  });

  it.skipIf(!isHere)('confines failures to a key with suspended backends', async () => {
    const figures = await playHere({
      name: 'one key is frozen, 10/s',
      keys: neighbours.others.slice(0, 1),
      rate: 10,
      async strike() {
        const unlock = await neighbours.lock();
        const thaw = neighbours.freeze();
        return async () => {
          await thaw();
          await unlock();
        };
      },
    });
    expect(figures.calm).toMatchObject({ failed: 0 });
    expect(figures.calm.p99).toBeLessThanOrEqual(within(100, figures));
    expect(figures.unready).toBe(0);
  });

  it.skipIf(!isHere)(
    'confines failures to previously quick keys that hang simultaneously, despite unread streams',
    async () => {
      const figures = await playHere({
        name: '10 keys turn, 10/s, beside slow readers',
        keys: neighbours.others,
        rate: 10,
        areKnown: true,
        async strike(service) {
          const readers = neighbours.large.map(key => readNothing(service, key));
          await until(async () => (await neighbours.waitingStreams()) === readers.length);
          const unlock = await neighbours.lock();
          return async () => {
            for (const reader of readers) reader.destroy();
            await unlock();
          };
        },
      });
      expect(figures.calm).toMatchObject({ failed: 0 });
      expect(figures.later.p99).toBeLessThanOrEqual(within(150, figures));
      expect(figures.unready).toBe(0);
    },
  );
});
