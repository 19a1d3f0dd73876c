import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBrowser, launch, visit } from '../support/browser.ts';
import { startService, type TestService } from '../support/service.ts';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

let service: TestService;
beforeAll(async () => {
  service = await startService({ graphiql: true });
});
afterAll(() => service.close());

describe('what is not there', () => {
  it('is a page with places to go for a browser, and JSON for others', async () => {
    const { status, headers, text } = await service.get('/nope', undefined, { accept: HTML });
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      404,
      'text/html; charset=utf-8',
      'no-store',
    ]);
    for (const [, place] of text.matchAll(/href="(\/[^"]*)"/g))
      expect((await service.get(place!)).status).toBe(200);
    expect(text).toContain('href="/app"');
    expect(text).not.toContain('nope');
    const plain = await service.get('/nope');
    expect([plain.status, plain.text]).toEqual([404, '{"error":"Not found"}']);
    expect((await service.request('/nope', { method: 'POST', headers: { accept: HTML } })).status).toBe(404);
  });

  it('leads to no page that is switched off', async () => {
    await using without = await startService({ appPage: false, databaseUrl: service.databaseUrl });
    const { text } = await without.get('/nope', undefined, { accept: HTML });
    expect(text).not.toContain('/app');
    expect(text).toContain('/docs');
  });
});

it('/llms.txt leads to what is there', async () => {
  const { status, headers, text } = await service.get('/llms.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const places = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, place]) => place!);
  expect(places.length).toBeGreaterThan(2);
  for (const place of places) expect((await service.get(place)).status).toBe(200);
});

const executable = findBrowser();
if (!executable) process.stderr.write('skipped: GraphiQL in a browser, since none is installed\n');

describe.skipIf(!executable)('GraphiQL in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launch(executable!);
  });
  afterAll(() => browser.close());

  it('says where the key goes and shows an example, on a phone and at the second visit too', async () => {
    await using visited = await visit(browser, { viewport: { width: 390, height: 800 } });
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
