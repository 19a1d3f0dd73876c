import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedBrowser, visit } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ graphiql: true });
});
afterAll(() => service.close());

const browser = sharedBrowser();

describe('GraphiQL', () => {
  it('shows where to enter the key and an example query, on a phone and on a second visit', async () => {
    await using visited = await visit(browser(), { viewport: { width: 390, height: 800 } });
    const { page, said } = visited;
    for (const _visit of [1, 2]) {
      await page.goto(`${service.url}/graphql`);
      await page.locator('#hint').waitFor();
      await page.locator('.graphiql-editors').getByText('viewer').first().waitFor();
      await page.locator('.graphiql-response').getByText('errors').first().waitFor();
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
      const { y, height } = (await page.locator('#root .graphiql-container').first().boundingBox())!;
      expect(y + height).toBeLessThanOrEqual(800);
    }
    expect(said).toEqual([]);
  });
});
