import { get } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IN_EARNEST } from '../faults/scale.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { keepAliveAgent } from '../support/keep-alive.ts';
import { HAS_REDIS, startRedis, type TestRedis } from '../support/redis.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { until } from '../support/until.ts';

const PROCESSES = IN_EARNEST ? 4 : 2;
const REQUESTS = 600;
const MAX = 120;
const RUNS = IN_EARNEST ? 20 : 1;

/** An existing Redis for integration runs. Only new keys are used. */
const SYSTEM_REDIS = process.env.TEST_REDIS_URL;

describe.skipIf(!HAS_REDIS && !SYSTEM_REDIS)(
  `the rate limit of ${PROCESSES} processes with one Redis`,
  () => {
    let database: TestDatabase;
    let redis: TestRedis | undefined;
    let stock: Stock;
    let instances: ServiceProcess[];
    const agent = keepAliveAgent({ maxSockets: 100 });

    beforeAll(async () => {
      database = await createDatabase();
      stock = openStock(database.url);
      await stock.account('ada');
      redis = SYSTEM_REDIS ? undefined : await startRedis();
      const limit = { RATE_LIMIT_MAX: String(MAX), RATE_LIMIT_WINDOW: '1h' };
      const env = { REDIS_URL: redis?.url ?? SYSTEM_REDIS!, ...limit };
      instances = await Promise.all(Array.from({ length: PROCESSES }, () => serve(database.url, env)));
      for (const instance of instances)
        await until(async () => (await instance.metric('sightline_redis_up')) === 1);
    });
    afterAll(async () => {
      agent.destroy();
      await Promise.all((instances ?? []).map(instance => instance[Symbol.asyncDispose]()));
      await redis?.[Symbol.asyncDispose]();
      await stock?.close();
      await database?.drop();
    });

    it.each(Array.from({ length: RUNS }, (_, run) => run + 1))(
      `accepts exactly ${MAX} of ${REQUESTS} concurrent requests: run %i`,
      { tags: 'slow' },
      async () => {
        const key = await stock.key('personal', 'ada');
        const statuses = await Promise.all(
          Array.from({ length: REQUESTS }, (_, i) => status(instances[i % PROCESSES]!, key)),
        );
        expect(statuses.filter(found => found === 200)).toHaveLength(MAX);
        expect(statuses.filter(found => found === 429)).toHaveLength(REQUESTS - MAX);
        for (const instance of instances)
          expect(await instance.metric('sightline_rate_limit_local_total')).toBe(0);
      },
    );

    function status({ url }: ServiceProcess, key: string): Promise<number | undefined> {
      return new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${key}` };
        get(`${url}/v1/me`, { agent, headers }, response => {
          response.resume().on('end', () => resolve(response.statusCode));
        }).on('error', reject);
      });
    }
  },
);
