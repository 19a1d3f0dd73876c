import { describe, expect, it } from 'vitest';
import { bundle } from '../client/bundle.ts';
import { sharedBrowser, visit } from '../support/browser.ts';
import { NOW, team } from '../support/fixtures.ts';
import { belongings } from '../support/routes.ts';
import { startService } from '../support/service.ts';

describe('the package @sightline/client', () => {
  const browser = sharedBrowser();

  it('works in a browser', async () => {
    await using service = await startService({ now: NOW });
    await service.load(team('crew'), ...belongings('crew'));
    const key = await service.key('team', 'crew');
    await using visited = await visit(browser());
    const { page, said } = visited;
    const script = await bundle("import * as sightline from './index.ts'; globalThis.sightline = sightline;");
    await page.route('**/try', route => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
    await page.goto(`${service.url}/try`);
    await page.addScriptTag({ type: 'module', content: script });
    const read = await page.evaluate(async key => {
      // biome-ignore lint/suspicious/noExplicitAny: the script has just put it there
      const { createClient } = (globalThis as any).sightline;
      const client = createClient({ baseUrl: location.origin, key });
      const [me, again] = [await client.get('/v1/me'), await client.get('/v1/me')];
      const events = [];
      for await (const event of client.auditEvents({ pageSize: 1 })) events.push(event.event);
      const refused = await client
        .get('/v1/policies/csp/{id}', { id: 'none' })
        .catch((error: Error) => error);
      return { me, again, events, error: { status: refused.status, message: refused.message } };
    }, key);
    const { body: me } = await service.get('/v1/me', key);
    expect(read).toMatchObject({ me, again: me, error: { status: 404, message: 'Policy not found' } });
    expect(read.events.length).toBeGreaterThan(0);
    expect(said.filter(line => !line.includes('404'))).toEqual([]);
  });
});
