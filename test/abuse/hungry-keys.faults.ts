import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { IN_EARNEST, LIMITS } from '../faults/scale.ts';
import { NOW, open, personal, plan } from '../support/fixtures.ts';
import { type HeavyDocument, heaviestDocuments } from '../support/heaviest-documents.ts';
import { getFigures, printFigures } from '../support/isolation.ts';
import { Load } from '../support/load.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import { startService, type TestService } from '../support/service.ts';
import { loadWorstAccounts } from '../support/worst-accounts.ts';

/** Four keys ask the most expensive questions without a pause, while another key asks for its account. */

const SECONDS = IN_EARNEST ? 60 : 3;
const WORST = {
  ...(IN_EARNEST
    ? { many: 20_000, policies: 2000, some: 300, few: 60 }
    : { many: 600, policies: 60, some: 60, few: 6 }),
  ...{ longest: 64 * 1024, raw: 64 * 1024, alphabets: ['controls and directions'] as const },
};

let loaded: TestService;
let service: ServiceProcess;
let hungry: string[];
let calm: string;

beforeAll(async () => {
  loaded = await startService({ now: NOW });
  calm = await open(loaded, personal('calm'), plan('calm'));
  const now = new Date().toISOString();
  const { many, longest } = await loadWorstAccounts(loaded, now, WORST);
  hungry = [many, longest, await loaded.key('personal', 'many'), await loaded.key('personal', 'longest')];
  service = await serve(loaded.databaseUrl, { ...LIMITS, KEY_LEASE: '250ms' });
}, 900_000);
afterAll(async () => {
  await service?.[Symbol.asyncDispose]();
  await loaded?.close();
});

/** Sends a document and reads the response without storing it. Returns the status. */
function send(key: string, { query, variables }: HeavyDocument): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    request(`${service.url}/graphql`, { method: 'POST', headers }, response => {
      response
        .resume()
        .on('end', () => resolve(response.statusCode!))
        .on('error', reject);
    })
      .on('error', reject)
      .end(JSON.stringify({ query, variables }));
  });
}

it('answers a key within 100 ms while four others ask the most expensive questions', async () => {
  const documents = [...heaviestDocuments(new Date().toISOString())];
  const load = new Load({ url: service.url, key: calm, rate: 40, paths: ['/v1/me'] });
  await sleep(1000);
  const begin = performance.now();
  const statuses = await Promise.all(
    hungry.map(async (key, place) => {
      const answered: number[] = [];
      for (let n = place * 97; performance.now() - begin < SECONDS * 1000; n += 7)
        answered.push(await send(key, documents[n % documents.length]!));
      return answered;
    }),
  );
  await load.stop();
  const figures = getFigures(load.outcomes, begin);
  printFigures(`${statuses.flat().length} expensive questions`, figures);
  expect(statuses.every(answered => answered.includes(200))).toBe(true);
  expect(figures.failed).toBe(0);
  if (IN_EARNEST) expect(figures.p99).toBeLessThan(100);
});
