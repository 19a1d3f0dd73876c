import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFilters } from '../packages/web/src/app/browser/filters.ts';
import { REPORT_TYPES } from '../packages/web/src/app/browser/report-types.ts';
import { headerLines, SERVER_FORMS } from '../packages/web/src/app/browser/views/server-forms.ts';
import { dailySet, KEPT_TYPES } from '../sql/report/daily-sets.ts';
import { listFilters as knownFilters } from '../sql/report/filters.ts';
import { NOWHERE } from '../src/http/static-files.ts';
import { appFiles } from '../src/pages/app.ts';
import { docsFiles } from '../src/pages/docs.ts';
import { ServedDocument } from '../src/pages/document.ts';
import { filesBelow, type PageName, pageFiles } from '../src/pages/files.ts';
import { createPage } from '../src/pages/page.ts';
import { servedFiles } from '../src/pages/served.ts';
import { OneTimeKey } from '../src/pages/sign-in.ts';
import { builtFiles, builtPage } from './support/built.ts';
import { open, personal, plan } from './support/fixtures.ts';
import { makeFolder } from './support/folder.ts';
import { startService, type TestService } from './support/service.ts';

let service: TestService;
let key: string;
beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('a'), plan('a'));
});
afterAll(() => service.close());

describe('/app', () => {
  it('is a single page that can load only its own files', async () => {
    const { status, headers, text } = await service.get('/app');
    expect(status).toBe(200);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual([
      ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:"],
      ...["connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
      "require-trusted-types-for 'script'",
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    const loaded = [...text.matchAll(/(?:src|href)="(app\/[^"]+)"/g)].map(([, path]) => path);
    expect(loaded).toHaveLength(2);
    for (const path of loaded) {
      const file = await service.get(`/${path}`);
      expect([path, file.status]).toEqual([path, 200]);
      expect(file.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  it('is where the root address redirects', async () => {
    const { status, headers } = await service.get('/');
    expect([status, headers.get('location'), headers.get('cache-control')]).toEqual([
      302,
      '/app',
      'no-cache',
    ]);
  });

  it.each([
    [true, '/own', '/own/app', ['/own/app', '/own/docs']],
    [false, '/own', '/own/docs', ['/own/docs']],
    [false, '', '/docs', ['/docs']],
  ])('is linked below the public path: %j %s', async (hasPage, publicPath, location, links) => {
    const files = servedFiles(hasPage, undefined, publicPath);
    const ask = (path: string) => files.get(path)!.reply({ method: 'GET', headers: {} });
    expect((await ask('/')).headers.Location).toBe(location);
    const { body } = await ask(NOWHERE);
    expect(Array.from(String(body).matchAll(/<a href="([^"]+)"/g), ([, link]) => link)).toEqual(links);
  });

  it('is at most 70 kB with its styles when compressed with gzip', () => {
    const sizes = builtFiles('app').map(({ content }) => gzipSync(content).length);
    expect(sizes).toHaveLength(3);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(70_000);
  });

  it('has the same files in the compiled service as in a checkout', async () => {
    const bundled = [...(await appFiles()()).keys()];
    // The file names contain hashes of the content.
    const built = builtFiles('app').map(({ name }) => (name === 'app.html' ? '/app' : `/app/${name}`));
    expect(built.sort()).toEqual(bundled.sort());
  });

  it('returns 404 if it is disabled', async () => {
    await using without = await startService({ appPage: false, databaseUrl: service.databaseUrl });
    for (const path of ['/app', '/app/sign-in', '/app/page.js'])
      expect((await without.get(path)).status, path).toBe(404);
    expect((await without.get('/')).headers.get('location')).toBe('/docs');
  });
});

describe('a served page', () => {
  it('states whether people sign in through a proxy', async () => {
    const htmlOf = async (isProxied?: boolean) => {
      const files = await appFiles(builtPage('app'), isProxied)();
      return String((await files.get('/app')!.reply({ method: 'GET', headers: {} })).body);
    };
    expect(await htmlOf()).not.toContain('data-login');
    expect(await htmlOf(true)).toBe((await htmlOf()).replace('<html ', '<html data-login="proxy" '));
  });

  it('contains the public address of the service, escaped', async () => {
    const htmlOf = async (url?: string) => {
      const files = await docsFiles(url, builtPage('docs'))();
      return String((await files.get('/docs')!.reply({ method: 'GET', headers: {} })).body);
    };
    const usual = await htmlOf();
    expect(usual).not.toContain('data-base');
    const escaped = 'https://a.example/&amp;&quot;%27';
    const own = await htmlOf(`https://a.example/&"'`);
    expect(own.match(/<html [^>]*/)![0]).toContain(`data-base="${escaped}"`);
    expect(own.split(escaped)).toHaveLength(usual.split('http://localhost:4000').length + 1);
    expect(own).not.toContain('http://localhost:4000');
  });

  it('is complete only with an HTML file', () => {
    expect(() => filesBelow('/app', [{ name: 'a.js', content: Buffer.from('') }])).toThrow(
      'The page at /app has no HTML.',
    );
  });

  it('is bundled once in a checkout, and again after a failure', async () => {
    let bundles = 0;
    const bundle = async () => {
      if (++bundles === 1) throw new Error('no');
      return [{ name: 'a.html', content: Buffer.from('a') }];
    };
    const find = () => pageFiles('page of this test' as PageName, bundle, '/no/such/folder')();
    await expect(find()).rejects.toThrow('no');
    expect([await find(), await find(), bundles]).toEqual([await find(), await find(), 2]);
    expect(await find()).toEqual([{ name: 'a.html', content: Buffer.from('a') }]);
  });

  it('has the built files of the start, even when an upgrade has replaced them', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'a.html'), 'old');
    const find = pageFiles('app', () => expect.unreachable(), folder);
    rmSync(folder, { recursive: true });
    expect(await find()).toEqual([{ name: 'a.html', content: Buffer.from('old') }]);
  });

  it('is found again after a failure', async () => {
    let finds = 0;
    const page = createPage(async () => {
      if (++finds === 1) throw new Error('no');
      return new Map([['/a', { reply: async () => ({ status: 200, headers: {}, body: 'found' }) }]]);
    });
    const ask = () => page({ method: 'GET', path: '/a', headers: {} } as never);
    await expect(ask()).rejects.toThrow('no');
    expect([(await ask()).body, (await ask()).body, finds]).toEqual(['found', 'found', 2]);
  });
});

describe('the description of /v1', () => {
  it('contains the address of the request up to the longest host name with a port', async () => {
    const document = new ServedDocument('text/plain', undefined, url => url);
    const [longest, tooLong] = [260, 261].map(length => 'a'.repeat(length));
    expect(document.read(longest)).toBe(`http://${longest}`);
    expect([document.read(tooLong), document.read(''), document.read()]).toEqual(['/', '/', '/']);
    const ask = async (host: string | string[] | undefined) =>
      (await document.reply({ method: 'GET', headers: { host } })).body;
    expect([await ask('a:1'), await ask('b'), await ask(undefined), await ask(['a', 'b'])]).toEqual([
      'http://a:1',
      'http://b',
      '/',
      '/',
    ]);
    expect(new ServedDocument('text/plain', 'https://c', url => url).read('a')).toBe('https://c');
  });

  it('is kept for the four hosts of the latest requests', async () => {
    const read: string[] = [];
    const document = new ServedDocument('text/plain', undefined, url => {
      read.push(url.slice('http://'.length));
      return url;
    });
    const ask = async (...hosts: string[]) => {
      for (const host of hosts)
        await document.reply({ method: 'GET', headers: { host, 'if-none-match': '*' } });
      return read.splice(0).join('');
    };
    expect([await ask('a', 'b', 'c', 'd'), await ask('a', 'b', 'c', 'd')]).toEqual(['abcd', '']);
    expect([await ask('e'), await ask('e', 'd', 'c', 'b'), await ask('a')]).toEqual(['e', '', 'a']);
  });
});

describe('the filters offered by the page', () => {
  it.each(REPORT_TYPES)('are those of reports of type $type', view => {
    const existing = knownFilters(view.type).map(({ name }) => name);
    expect(listFilters(view).sort()).toEqual(existing.sort());
  });
});

describe('the groups shown by the page', () => {
  it('of the most common report types are covered by daily rollups', () => {
    const requested = REPORT_TYPES.filter(({ type }) => KEPT_TYPES.includes(type)).flatMap(
      ({ type, groupings, splits }) => [...groupings, ...splits].map(grouping => ({ type, by: grouping.by })),
    );
    expect(requested.length).toBeGreaterThan(10);
    expect(requested.filter(({ type, by }) => !dailySet(type, by))).toEqual([]);
  });
});

describe('the headers offered by the page', () => {
  it('are quoted for each server', () => {
    const header = [['NEL', '{"report_to":"a","f":"50%"}']] as [string, string][];
    expect(SERVER_FORMS.map(form => headerLines(header, form))).toEqual([
      'NEL: {"report_to":"a","f":"50%"}',
      'add_header NEL "{\\"report_to\\":\\"a\\",\\"f\\":\\"50%\\"}" always;',
      'Header always set NEL "{\\"report_to\\":\\"a\\",\\"f\\":\\"50%%\\"}"',
      'header NEL "{\\"report_to\\":\\"a\\",\\"f\\":\\"50%\\"}"',
    ]);
  });
});

describe('a one-time code', () => {
  it('can be redeemed for its key only once', async () => {
    const oneTimeKey = new OneTimeKey(key);
    await using linked = await startService({ oneTimeKey, databaseUrl: service.databaseUrl });
    const redeem = (body: string) => linked.request('/app/sign-in', { method: 'POST', body });
    expect((await redeem('{"code":"nonsense"}')).status).toBe(404);
    expect((await redeem('{"code":7}')).status).toBe(404);
    expect((await redeem('null')).status).toBe(404);
    const anyCode = 'a'.repeat(oneTimeKey.code.length);
    expect((await redeem(JSON.stringify({ code: anyCode }))).status).toBe(404);
    expect((await redeem('{')).status).toBe(400);
    const read = await linked.get('/app/sign-in');
    expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
    const { status, headers, body } = await redeem(JSON.stringify({ code: oneTimeKey.code }));
    expect([status, body]).toEqual([200, { key: key }]);
    expect(headers.get('cache-control')).toBe('no-store');
    expect((await redeem(JSON.stringify({ code: oneTimeKey.code }))).status).toBe(404);
  });
});
