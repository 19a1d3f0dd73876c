import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser.ts';
import { hunt } from '../support/page-incidents.ts';
import { startService, type TestService } from '../support/service.ts';
import { IN_EARNEST } from './scale.ts';

const PLANTINGS = IN_EARNEST ? 20 : 2;
const INCIDENTS = 4;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the overview in a browser', { timeout: 1_800_000 }, () => {
  const browser = sharedBrowser();

  it.each([0, 5000])('names at least 95 of 100 planted incidents among %i forged reports', async noise => {
    const missed: string[] = [];
    for (let seed = 1; seed <= PLANTINGS; seed++)
      missed.push(...(await hunt({ service, browser: browser(), seed: 100 + seed, reports: 3000, noise })));
    const all = PLANTINGS * INCIDENTS;
    process.stderr.write(`${all - missed.length} of ${all} incidents found beside ${noise} forged reports\n`);
    expect(missed.length, missed.join('\n\n')).toBeLessThanOrEqual(0.05 * all);
  });
});
