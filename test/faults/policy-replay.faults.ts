import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { IN_EARNEST } from './scale.ts';

/** A replay over a month of a large site. Times are held on a quiet machine alone. */
const REPORTS = IN_EARNEST ? 250_000 : 5000;
const SITE = 'shop.example';

let service: TestService;
let key: string;
let sql: Operator;
let lock: Operator;

/** As ordinary sites have them: thirty hosts, each with its directive and two files, and hosts that come once. */
function lineOf(n: number) {
  const known = Math.floor(Math.sqrt(n % 900));
  const host = n % 500 === 0 ? `once-${n}.example` : `host-${known}.example`;
  return report('ada', 'csp', `r-${n}`, {
    date: `2026-05-${String(1 + (n % 19)).padStart(2, '0')}T${String(n % 24).padStart(2, '0')}:00:00Z`,
    uri: `https://${SITE}/${n % 12}?visit=${n}`,
    directive: ['script-src-elem', 'img-src', 'connect-src', 'style-src-elem'][known % 4],
    blockedUri: `https://${host}/${n % 2}.js?${n}`,
    raw: '{}',
  });
}

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  sql = connectOperator(service.databaseUrl);
  lock = connectOperator(service.databaseUrl);
  key = await open(service, personal('ada'), plan('ada'));
  for (let from = 0; from < REPORTS; from += 25_000)
    await service.load(
      ...Array.from({ length: Math.min(25_000, REPORTS - from) }, (_, at) => lineOf(from + at)),
    );
  await sql`analyze report`;
});
afterAll(async () => {
  await Promise.all([sql?.end(), lock?.end()]);
  await service?.close();
});

const REPLAY = `query ($policy: PolicyText!) { viewer { policyReplay(site: "${SITE}", policy: $policy,
  from: "2026-05-01T00:00:00Z") { blocked { count pages } allowed { count } otherCount } } }`;

let asked = 0;

/** Milliseconds of a replay, the least of several. Each policy is another one, as with each tick on the page. */
async function least(service: TestService): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < 5; round++) {
    const start = performance.now();
    const policy = `default-src 'self' https://host-${asked++ % 30}.example`;
    const { viewer } = await data(service, key, REPLAY, { variables: { policy } });
    expect(viewer.policyReplay.blocked.count + viewer.policyReplay.allowed.count).toBeGreaterThan(0);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

describe(`a replay over ${REPORTS} reports`, () => {
  it('reads them within 1.5 s, and their kept groups within 0.3 s, in memory or not', async () => {
    const read = await least(service);
    await maintain(sql, lock, { announcer: new Announcer(lock, 0), today: NOW.slice(0, 10), tell: () => {} });
    const kept = await least(service);
    const remembering = await startService({ now: NOW, databaseUrl: service.databaseUrl });
    const remembered = await least(remembering);
    await remembering.close();
    if (IN_EARNEST)
      process.stdout.write(
        `replay: ${read.toFixed()} ms read, ${kept.toFixed()} ms kept, ${remembered.toFixed()} ms in memory\n`,
      );
    if (IN_EARNEST) expect([read < 1500, kept < 300, remembered < 300]).toEqual([true, true, true]);
  });
});
