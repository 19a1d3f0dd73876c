import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser } from '../support/browser.ts';
import { hunt } from '../support/page-incidents.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('the overview in a browser', () => {
  const browser = sharedBrowser();

  it.each([
    [1, 0],
    [2, 600],
  ])(
    'names each of four incidents and links to its reports (seed %i, %i forged reports)',
    async (seed, noise) => {
      expect(await hunt({ service, browser: browser(), seed, reports: 1500, noise })).toEqual([]);
    },
  );
});
