import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_PERSONAL } from '../../src/demo/options.ts';
import { sharedBrowser, visit } from '../support/browser.ts';
import { signIn, smallDemo } from '../support/page.ts';
import { walk } from '../support/page-walk.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService();
  await service.load(...smallDemo());
  key = await service.key('personal', DEMO_PERSONAL);
});
afterAll(() => service.close());

describe('in a browser, the page', () => {
  const browser = sharedBrowser();

  it('shows a view after any step, and no number but those of its address', async () => {
    await using visitor = await visit(browser());
    await signIn(visitor.page, service.url, key);
    const seed = Math.floor(Math.random() * 1e6);
    const wrong = await walk(visitor, { service, key, seed, steps: 80 });
    expect(wrong, `the walk of seed ${seed}`).toEqual([]);
  });
});
