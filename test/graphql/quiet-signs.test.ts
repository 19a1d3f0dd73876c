import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Sign } from '../../schema/sign.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { plan, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { ordinary, stamp } from '../support/planted.ts';
import { startService, type TestService } from '../support/service.ts';

/** Weeks of ordinary data, with growth, quiet weekends and busy days: who is told too much no longer looks. */

const TODAY = '2026-05-20';
const WEEK = 7 * 24 * 3_600_000;
const [WEEKS, SEEDS] = IN_EARNEST ? [52, 5] : [6, 1];
/** A month, so that there is something to compare with. */
const DAYS = 7 * WEEKS + 31;
const REPORTS_A_DAY = IN_EARNEST ? 150 : 70;
const MOST_A_WEEK = 2;

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: `${TODAY}T01:00:00Z` });
});
afterAll(() => service?.close());

async function signsOf(seed: number): Promise<Sign[]> {
  const account = `quiet-${seed}`;
  const lines = ordinary(account, TODAY, seed, { days: DAYS, reports: DAYS * REPORTS_A_DAY, findings: true });
  const kept = plan(account, { dataRetentionDays: 800, reportQuota: 50_000 }, THREAT_INTELLIGENCE);
  await service.load(...lines.filter(({ kind }) => kind !== 'plan'), kept);
  const key = await service.key('personal', account);
  const found = new Map<string, Sign>();
  for (let week = 0; week < WEEKS; week++) {
    const until = stamp(Date.parse(TODAY) - week * WEEK);
    const query = `{ viewer { signs(until: "${until}") { id kind title firstSeen } } }`;
    const { viewer } = await data(service, key, query);
    for (const sign of viewer.signs as Sign[]) found.set(sign.id, sign);
  }
  return [...found.values()];
}

it('has at most two signs a week on average', async () => {
  const found: Sign[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) found.push(...(await signsOf(seed)));
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const counts = kinds.map(kind => `${kind} ${found.filter(sign => sign.kind === kind).length}`);
  const rate = found.length / (WEEKS * SEEDS);
  process.stderr.write(
    `${rate.toFixed(2)} signs a week in ${WEEKS * SEEDS} quiet weeks: ${counts.join(', ')}\n`,
  );
  expect(rate, found.map(({ firstSeen, title }) => `${firstSeen} ${title}`).join('\n')).toBeLessThanOrEqual(
    MOST_A_WEEK,
  );
});
