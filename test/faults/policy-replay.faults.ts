import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { measureFastest } from '../support/fastest.ts';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { maintainDatabase } from '../support/maintenance.ts';
import { connectOperator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';
import { sightline } from '../support/sightline.ts';
import { IN_EARNEST } from './scale.ts';

/** Replays a month of reports of a large site. Times are checked only on a quiet machine. */
const REPORTS = IN_EARNEST ? 250_000 : 5000;
const SITE = 'shop.example';

let service: TestService;
let key: string;

/** A typical site: thirty hosts, each with its directive and two files, and hosts that occur only once. */
function toLine(n: number) {
  const existing = Math.floor(Math.sqrt(n % 900));
  const host = n % 500 === 0 ? `once-${n}.example` : `host-${existing}.example`;
  return report('ada', 'csp', `r-${n}`, {
    date: `2026-05-${String(1 + (n % 19)).padStart(2, '0')}T${String(n % 24).padStart(2, '0')}:00:00Z`,
    uri: `https://${SITE}/${n % 12}?visit=${n}`,
    directive: ['script-src-elem', 'img-src', 'connect-src', 'style-src-elem'][existing % 4],
    blockedUri: `https://${host}/${n % 2}.js?${n}`,
    raw: '{}',
  });
}

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 365 }));
  for (let from = 0; from < REPORTS; from += 25_000)
    await service.load(
      ...Array.from({ length: Math.min(25_000, REPORTS - from) }, (_, at) => toLine(from + at)),
    );
  const sql = connectOperator(service.databaseUrl);
  await sql`analyze report`;
  await sql.end();
});
afterAll(() => service?.close());

const REPLAY = `query ($policy: PolicyText!) { viewer { policyReplay(site: "${SITE}", policy: $policy,
  from: "2026-05-01T00:00:00Z") { blocked { count pages } allowed { count } otherCount } } }`;

let requested = 0;

/**
 * Returns the fastest of several replays in milliseconds. The policies differ, as they do after each change on the
 * page.
 */
const least = (service: TestService) =>
  measureFastest(async () => {
    const policy = `default-src 'self' https://host-${requested++ % 30}.example`;
    const { viewer } = await data(service, key, REPLAY, { variables: { policy } });
    expect(viewer.policyReplay.blocked.count + viewer.policyReplay.allowed.count).toBeGreaterThan(0);
  });

/** Runs the check and returns its milliseconds. */
async function check(service: TestService, policy: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-test-check-'));
  await writeFile(join(folder, 'policy'), policy);
  const start = performance.now();
  const period = ['--since', '2026-05-01', '--format', 'json'];
  const args = ['policy', 'check', join(folder, 'policy'), '--url', service.url, '--site', SITE, ...period];
  const { code, stdout } = await sightline(args, { env: { SIGHTLINE_KEY: key } });
  const time = performance.now() - start;
  await rm(folder, { recursive: true });
  expect(code).toBe(1);
  const { viewer } = await data(service, key, REPLAY, { variables: { policy } });
  const { counts } = JSON.parse(stdout).policies[0];
  const { blocked, allowed, otherCount } = viewer.policyReplay;
  expect(counts).toMatchObject({ blocked: blocked.count, allowed: allowed.count, unexamined: otherCount });
  return time;
}

describe(`a policy replay over ${REPORTS} reports`, () => {
  it('takes at most 1.5 s from reports, 0.3 s from rollups, and 3 s as a command', async () => {
    const first = await startService({ now: NOW, databaseUrl: service.databaseUrl });
    const unprepared = await check(first, "default-src 'self' https://host-4.example");
    await first.close();
    const read = await least(service);
    await maintainDatabase(service.databaseUrl);
    const withRollups = await least(service);
    const remembering = await startService({ now: NOW, databaseUrl: service.databaseUrl });
    const remembered = await least(remembering);
    const checked = await check(remembering, "default-src 'self' https://host-3.example");
    await remembering.close();
    if (IN_EARNEST)
      process.stdout.write(
        `replay: ${read.toFixed()} ms read, ${withRollups.toFixed()} ms kept, ${remembered.toFixed()} ms in memory\n` +
          `policy check: ${unprepared.toFixed()} ms read, ${checked.toFixed()} ms kept\n`,
      );
    if (IN_EARNEST) expect([unprepared < 3000, checked < 3000]).toEqual([true, true]);
    if (IN_EARNEST) expect([read < 1500, withRollups < 300, remembered < 300]).toEqual([true, true, true]);
  });
});
