import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Insight } from '../../schema/insight.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { plan, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { ordinary, stamp } from '../support/planted.ts';
import { startService, type TestService } from '../support/service.ts';

/** Checks that weeks of ordinary data, with growth, quiet weekends and busy days, cause no false alarms. */

const TODAY = '2026-05-20';
const WEEK = 7 * 24 * 3_600_000;
const [WEEKS, SEEDS] = IN_EARNEST ? [52, 5] : [6, 1];
/** Includes the month before the first week as a baseline. */
const DAYS = 7 * WEEKS + 31;
const REPORTS_A_DAY = IN_EARNEST ? 150 : 70;
const MOST_A_WEEK = 1.5;

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: `${TODAY}T01:00:00Z` });
});
afterAll(() => service?.close());

async function findInsights(seed: number): Promise<Insight[]> {
  const account = `quiet-${seed}`;
  const lines = ordinary(account, TODAY, seed, { days: DAYS, reports: DAYS * REPORTS_A_DAY, findings: true });
  const plans = plan(account, { dataRetentionDays: 800, reportQuota: 50_000 }, THREAT_INTELLIGENCE);
  await service.load(...lines.filter(({ kind }) => kind !== 'plan'), plans);
  const key = await service.key('personal', account);
  const found = new Map<string, Insight>();
  for (let week = 0; week < WEEKS; week++) {
    const until = stamp(Date.parse(TODAY) - week * WEEK);
    const query = `{ viewer { insights(until: "${until}") { id kind title firstSeen } } }`;
    const { viewer } = await data(service, key, query);
    for (const insight of viewer.insights as Insight[]) found.set(insight.id, insight);
  }
  return [...found.values()];
}

it('reports at most 1.5 insights per week on average', { tags: 'slow', timeout: 1_800_000 }, async () => {
  const found: Insight[] = [];
  for (let seed = 1; seed <= SEEDS; seed++) found.push(...(await findInsights(seed)));
  const kinds = [...new Set(found.map(({ kind }) => kind))];
  const counts = kinds.map(kind => `${kind} ${found.filter(insight => insight.kind === kind).length}`);
  const rate = found.length / (WEEKS * SEEDS);
  process.stderr.write(
    `${rate.toFixed(2)} insights a week in ${WEEKS * SEEDS} quiet weeks: ${counts.join(', ')}\n`,
  );
  expect(rate, found.map(({ firstSeen, title }) => `${firstSeen} ${title}`).join('\n')).toBeLessThanOrEqual(
    MOST_A_WEEK,
  );
});
