import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { connectOperator } from '../support/operator.ts';
import { startService, type TestService } from '../support/service.ts';

const ROWS = 6000;

let service: TestService;
let key: string;

beforeAll(async () => {
  service = await startService({ now: NOW, answerCacheSize: 0 });
  key = await open(service, personal('ada'), plan('ada'));
  await service.load(
    ...Array.from({ length: ROWS }, (_, i) =>
      report('ada', 'csp', `r${i}`, {
        uri: `https://www${i % 500}.example.com/${'abcdefghij/'.repeat(10)}${i}`,
        date: new Date(Date.UTC(2026, 4, 1 + (i % 20), 0, 0, i % 3600)).toISOString(),
      }),
    ),
  );
  const sql = connectOperator(service.databaseUrl);
  await sql`analyze`;
  await sql.end();
});
afterAll(() => service.close());

/** Returns the cost relative to a search with a single wildcard: the minimum of several alternating runs. */
async function cost(query: string): Promise<number> {
  const times: number[] = [];
  const yardstick: number[] = [];
  for (let i = 0; i < 7; i++) {
    times.push(await time(`${query}&n=${i}`));
    yardstick.push(await time(`paths=${encodeURIComponent('*!')}&n=${i}`));
  }
  return Math.min(...times) / Math.min(...yardstick);
}

async function time(query: string): Promise<number> {
  const begun = performance.now();
  const { status } = await service.get(`/v1/reports/csp?unit=months&date=2026-05&${query}`, key);
  expect(status).toBe(200);
  return performance.now() - begun;
}

/** A backtracking search would be thousands of times slower. */
const MOST = 6;

/** None of these matches, so every row is compared to its end. */
const patterns = [
  ['wildcards only', `${'*'.repeat(200)}!`],
  ['a letter after each', `${'*a'.repeat(200)}!`],
  ['matching letters in order', `${'*abc'.repeat(200)}!`],
  ['a near match', `${'*abcdefghij/'.repeat(9)}${'*'.repeat(191)}!`],
] as const;

describe('a pattern with two hundred wildcards', () => {
  it.each(patterns)(
    'is cheap to match against the paths of a month with many reports: %s',
    async (_, pattern) => {
      expect(await cost(`paths=${encodeURIComponent(pattern)}`)).toBeLessThan(MOST);
    },
  );

  it('is cheap to match as the maximum number of host names', async () => {
    const hosts = Array(50)
      .fill(`${'*'.repeat(200)}!`)
      .join();
    expect(await cost(`hostnames=${encodeURIComponent(hosts)}`)).toBeLessThan(MOST);
  });
});

it('a pattern treats the special characters of regular expressions as ordinary ones', async () => {
  for (const pattern of ['.*', '/.*', '/[a-z]*', '(/a+)+$', '/abc|*', '^*', '\\w*']) {
    const { body } = await service.get(
      `/v1/reports/csp?unit=months&date=2026-05&paths=${encodeURIComponent(pattern)}`,
      key,
    );
    expect(body, pattern).toEqual({ reports: [], truncated: false });
  }
});
