import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PERSONAL } from '../../src/demo/options.ts';
import { sharedBrowser, visit } from '../support/browser.ts';
import { signIn, smallDemo } from '../support/page.ts';
import { walk } from '../support/page-walk.ts';
import { startService, type TestService } from '../support/service.ts';
import { IN_EARNEST } from './scale.ts';

const STEPS = IN_EARNEST ? 1000 : 200;

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService();
  await service.load(...smallDemo());
  key = await service.key('personal', DEMO_PERSONAL);
});
afterAll(() => service.close());

describe('in a browser, the page', { timeout: 1_200_000 }, () => {
  const browser = sharedBrowser();

  it.each([1, 2, 3])(
    'shows a view after any of many steps, and no number but its own (walk %i)',
    async seed => {
      await using visitor = await visit(browser(), {
        viewport: { width: seed === 2 ? 390 : 1280, height: 900 },
      });
      await signIn(visitor.page, service.url, key);
      expect(await walk(visitor, { service, key, seed, steps: STEPS })).toEqual([]);
    },
  );
});
