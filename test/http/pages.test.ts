import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startService, type TestService } from '../support/service.ts';

const HTML = 'text/html,application/xhtml+xml,*/*;q=0.8';

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.close());

describe('a missing page', () => {
  it('is an HTML page with working links for browsers and JSON for other clients', async () => {
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
    const [, style] = /<style>([^<]+)<\/style>/.exec(text)!;
    const digest = createHash('sha256').update(style!).digest('base64');
    expect(headers.get('content-security-policy')!.split('; ').sort()).toEqual([
      "base-uri 'none'",
      "default-src 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      'img-src data:',
      `style-src 'sha256-${digest}'`,
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const plain = await service.get('/nope');
    expect([plain.status, plain.text]).toEqual([404, '{"error":"Not found"}']);
    expect((await service.request('/nope', { method: 'POST', headers: { accept: HTML } })).status).toBe(404);
  });

  it('is an HTML page below /graphql as well', async () => {
    const { status, headers } = await service.get('/graphql/x', undefined, { accept: HTML });
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
  });

  it.each([
    ['TEXT/HTML', true],
    ['text/html;q=0.1, */*', true],
    ['text/html;q=0, */*', false],
    ['xtext/html', false],
    ['application/json;a="text/html"', false],
    ['*/*', false],
  ])('has the type that the Accept header prefers: %s', async (accept, isPage) => {
    const { headers } = await service.get('/nope', undefined, { accept });
    expect(headers.get('content-type')).toContain(isPage ? 'text/html' : 'application/json');
  });

  it('is sent whole to clients that have it or accept an encoding', async () => {
    const { text } = await service.get('/nope', undefined, { accept: HTML });
    const headers = { accept: HTML, 'if-none-match': '*', 'accept-encoding': 'gzip' };
    const again = await service.get('/nope', undefined, headers);
    expect([again.status, again.headers.get('content-encoding'), again.text]).toEqual([404, null, text]);
    expect(again.headers.get('vary')).toBe('Accept');
  });

  it('links only to enabled pages', async () => {
    await using without = await startService({ appPage: false, databaseUrl: service.databaseUrl });
    const { text } = await without.get('/nope', undefined, { accept: HTML });
    expect(text).not.toContain('/app');
    expect(text).toContain('/docs');
  });
});

it('/llms.txt contains only working links', async () => {
  const { status, headers, text } = await service.get('/llms.txt');
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
  const places = [...text.matchAll(/\]\((\/[^)]*)\)/g)].map(([, place]) => place!);
  expect(places.length).toBeGreaterThan(2);
  for (const place of places) expect((await service.get(place)).status).toBe(200);
});
