import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../sql/operator/migrate.ts';
import { type Citus, type CitusServer, hasCitus, startCitus } from '../support/citus.ts';
import { getFigures, play, startUsed, within } from '../support/isolation.ts';
import { Load } from '../support/load.ts';
import { type Neighbours, OTHER_PATHS, settle } from '../support/neighbours.ts';
import { connectOperator } from '../support/operator.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { sightline } from '../support/sightline.ts';
import { until } from '../support/until.ts';
import { LIMITS } from './scale.ts';

/** Accounts on the other workers of Citus, while one worker is unavailable. */

const isHere = hasCitus();
if (!isHere) process.stderr.write("skipped: Citus, which the system's PostgreSQL has not\n");

let citus: Citus;
let neighbours: Neighbours;
/** A second service for the control measurement, which only the account `calm` uses. */
let control: ServiceProcess;
/**
 * The worker that the test stops, on which the account `calm` is not stored, and keys of accounts that are stored
 * there.
 */
let lost: CitusServer;
let keys: string[];

beforeAll(async () => {
  if (!isHere) return;
  citus = await startCitus();
  const sql = connectOperator(citus.url);
  await migrate(sql);
  neighbours = await settle(citus.url, { others: 30 });
  const ids = ['calm-0', ...neighbours.others.map((_, n) => `other-${n}`)].join(' ');
  const rows = await sql<{ port: number }[]>`
    select nodeport as port from string_to_table(${ids}, ' ') with ordinality as account (id, n)
    join pg_dist_shard_placement on shardid = get_shard_id_for_distribution_column('report', id) order by n`;
  await sql.end();
  const [calm, ...others] = rows.map(({ port }) => port);
  lost = citus.workers.find(({ port }) => port !== calm)!;
  keys = neighbours.others.filter((_, n) => others[n] === lost.port);
  control = await start();
});

afterAll(async () => {
  await control?.[Symbol.asyncDispose]();
  await neighbours?.[Symbol.asyncDispose]();
  await citus?.[Symbol.asyncDispose]();
});

const environment = (poolSize = 4) => ({
  DATABASE_URL: citus.url,
  ...LIMITS,
  DATABASE_POOL_SIZE: String(poolSize),
});

const start = (poolSize?: number): Promise<ServiceProcess> => startUsed(neighbours, environment(poolSize));

/** Accounts on that worker get responses again within two seconds of its return. */
async function expectHealed(service: ServiceProcess): Promise<void> {
  const healed = performance.now();
  const load = new Load({ url: service.url, key: keys[0]!, rate: 10, paths: OTHER_PATHS });
  await sleep(4000);
  await load.stop();
  expect(getFigures(load.outcomes, healed + 2000)).toMatchObject({ failed: 0 });
}

type Fault = 'is killed' | 'stands still';

const strike = async (fault: Fault) => (fault === 'is killed' ? lost.kill() : lost.freeze());
const heal = async (fault: Fault) => (fault === 'is killed' ? lost.start() : lost.thaw());

const ASKED: [Fault, rate: number, count: number][] = [
  ['is killed', 5, 1],
  ['is killed', 40, 1],
  ['is killed', 60, 1],
  ['is killed', 10, 10],
  ['stands still', 2, 1],
  ['stands still', 10, 1],
  ['stands still', 10, 10],
];

describe.skipIf(!isHere).each([4, 16])('a failed Citus worker, with a pool of %i', poolSize => {
  it.each(ASKED)(
    'does not affect other accounts when it %s, with %i requests per second from each of %i keys',
    async (...parameters) => {
      const [fault, rate, count] = parameters;
      const stage = { neighbours, control, start: () => start(poolSize) };
      const before = await play(stage, { name: `Citus, pool ${poolSize}, calm`, keys: [], rate: 0 });
      const figures = await play(stage, {
        name: `Citus, pool ${poolSize}, a worker ${fault}, ${count} keys, ${rate}/s`,
        keys: keys.slice(0, count),
        rate,
        areKnown: true,
        async strike(service) {
          await strike(fault);
          return async () => {
            await heal(fault);
            await expectHealed(service);
          };
        },
      });
      expect(figures.calm).toMatchObject({ failed: 0 });
      expect(figures.calm.p50).toBeLessThanOrEqual(2 * Math.max(before.calm.p50, figures.control.p50));
      expect(figures.unready).toBe(0);
      expect(figures.others.failed).toBe(figures.others.requests);
      expect(figures.others.slowest).toBeLessThan(within(3200, figures));
    },
  );
});

describe.skipIf(!isHere)('a failed Citus worker', () => {
  it.each<[Fault, number]>([
    ['is killed', 0],
    ['stands still', 1],
  ])('does not prevent the revocation of a key when it %s', async (fault, n) => {
    await using service = await serve(citus.url, environment());
    const key = neighbours.others.filter(other => !keys.includes(other))[n]!;
    const id = await toId(key);
    const headers = { authorization: `Bearer ${key}` };
    const status = async () => (await fetch(`${service.url}/v1/me`, { headers })).status;
    expect(await status()).toBe(200);
    await strike(fault);
    const revoked = await sightline(['keys', 'revoke', id], { env: { DATABASE_URL: citus.url } });
    expect(revoked).toMatchObject({ code: 0 });
    await until(async () => (await status()) === 401);
    await heal(fault);
  });
});

it.skipIf(!isHere)('migrate succeeds without any work while a worker is unavailable', async () => {
  await lost.kill();
  const migrated = await sightline(['migrate'], { env: { DATABASE_URL: citus.url } });
  await lost.start();
  expect(migrated).toMatchObject({ code: 0, stderr: expect.stringContaining('Nothing to do') });
});

async function toId(key: string): Promise<string> {
  const sql = connectOperator(citus.url);
  const [row] = await sql<{ id: string }[]>`select id from api_key where digest = sha256(${key}::bytea)`;
  await sql.end();
  return row!.id;
}
