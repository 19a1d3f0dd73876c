import { readFileSync } from 'node:fs';
import { execute } from 'graphql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { directLoaders } from '../../schema/loaders.ts';
import { callersByDigest } from '../../sql/keys.ts';
import { computeDigest } from '../../src/keys/format.ts';
import { BUILT_DOCUMENTS } from '../../src/rest/operations.ts';
import { collectDocuments, createSofa } from '../../src/rest/sofa.ts';
import { builtAt } from '../support/built.ts';
import { NOW, team } from '../support/fixtures.ts';
import { randomReports } from '../support/random-reports.ts';
import { belongings, routesOfV1 } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

/**
 * The service collects SOFA's operations and serves them with its own router, argument reader and executor. The
 * reference is SOFA's handler with plain graphql-js.
 */
let service: TestService;
let key: string;
let reference: ReturnType<typeof createSofa>;

beforeAll(async () => {
  service = await startService({ now: NOW });
  await service.load(team('crew'), ...belongings('crew'), ...randomReports('crew', 40, 1));
  key = await service.key('team', 'crew');
  const digest = computeDigest(key).toString('hex');
  const caller = (await callersByDigest(service.database, [digest], new Date(NOW), 60_000)).get(digest)!;
  const { database } = service;
  const load = directLoaders(database);
  const context = { account: caller.account, database, load, now: new Date(NOW), reportsResultCap: 1000 };
  reference = createSofa(call => execute(call as never), context);
});
afterAll(() => service.close());

const day = 'unit=days&date=2026-05-20';
const FURTHER = [
  '/reports/csp?unit=hours&date=2026-05-20T14&ioc=true&action=enforced',
  '/reports/csp?unit=months&date=2026-05&domainReputationScore=50',
  `/reports/nel?${day}&browser=Firefox&unknown=1`,
  `/reports/coep?${day}&hostnames=a.example&hostnames=*`,
  `/reports/certificate_transparency?${day}&issuer=a%20b%26c`,
  '/graphs/tls_rpt/weeks/4',
  '/graphs/csp/months/12',
  '/audit-log?limit=1',
  '/audit-log?limit=abc',
];
const targets = [
  ...(await routesOfV1()).map(({ target }) => target),
  ...FURTHER.map(target => `/v1${target}`),
];

it.each(targets)('returns the same bytes as SOFA for %s', async target => {
  const ours = await service.get(target, key);
  const sofas = await reference.fetch(`http://localhost${target}`);
  expect([sofas.status, ours.status]).toEqual([200, 200]);
  expect(ours.text).toBe(await sofas.text());
});

it('collects the same documents at build time and in a checkout', async () => {
  const built = readFileSync(builtAt('dist/src/rest', BUILT_DOCUMENTS), 'utf8');
  expect(JSON.parse(built)).toEqual(await collectDocuments());
});
