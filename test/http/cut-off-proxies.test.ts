import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CuttingServer, RECORDS, startCuttingServer } from '../support/cutting-server.ts';
import { hasProgram } from '../support/programs.ts';
import { Proxies, proxyRecipe } from '../support/proxies.ts';

const SIZE = RECORDS * 64 * 1024;

let cutting: CuttingServer;
let proxies: Proxies;

beforeAll(async () => {
  cutting = await startCuttingServer();
  proxies = await Proxies.before(cutting.port);
});
afterAll(async () => {
  await proxies[Symbol.asyncDispose]();
  await cutting[Symbol.asyncDispose]();
});

const run = promisify(execFile);

/** The outcome of curl: its exit code, and the number of bytes received. */
async function download(url: string, ...options: string[]): Promise<{ code: number; bytes: number }> {
  const format = ['-s', '-o', '/dev/null', '-w', '%{size_download}'];
  const done = await run('curl', [...format, ...options, url]).catch(error => error);
  return { code: done.code ?? 0, bytes: Number(done.stdout) };
}

async function expectCut(url: string, ...options: string[]): Promise<void> {
  const { code, bytes } = await download(url, ...options);
  expect(code).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(SIZE);
}

const UNTOUCHED = 'server { listen 80; location / { proxy_pass http://127.0.0.1:4000; } }\n';

/** The first version of Caddy that lets clients detect a truncated response. */
const CADDY = hasProgram('caddy') ? (await run('caddy', ['version'])).stdout : '';
const [, minor] = /^v?2\.(\d+)/.exec(CADDY) ?? [];
const isGoodCaddy = Number(minor) >= 8;

const PROXIES = [
  ['nginx with its default configuration', hasProgram('nginx'), () => proxies.nginx(UNTOUCHED)],
  ['nginx with the recipe', hasProgram('nginx'), () => proxies.nginx(proxyRecipe('nginx'))],
  ['HAProxy with the recipe', hasProgram('haproxy'), () => proxies.haproxy(proxyRecipe('haproxy'))],
  ['Caddy with the recipe', CADDY !== '', () => proxies.caddy(proxyRecipe('caddyfile'))],
] as const;

describe.skipIf(!hasProgram('curl'))('an export', () => {
  for (const [name, isThere, startProxy] of PROXIES)
    describe.skipIf(!isThere)(`through ${name}`, { tags: 'slow' }, () => {
      let url: string;
      beforeAll(async () => {
        url = await startProxy();
      });

      it('arrives completely', async () => {
        expect(await download(`${url}/whole`)).toEqual({ code: 0, bytes: SIZE });
      });

      it.skipIf(name.startsWith('Caddy') && !isGoodCaddy)(
        'is reported as truncated if it fails, every time',
        async () => {
          for (let times = 0; times < 2; times++) await expectCut(`${url}/fails`);
        },
      );

      it('is reported as truncated if a page with a length fails, in any HTTP version', async () => {
        for (const version of ['--http1.0', '--http1.1']) await expectCut(`${url}/sized-fails`, version);
      });
    });

  describe.skipIf(!hasProgram('nginx'))('for an HTTP/1.0 client', () => {
    const status = async (url: string) =>
      (await run('curl', ['-s', '--http1.0', '-o', '/dev/null', '-w', '%{http_code}', url])).stdout;

    it('is refused by the nginx recipe unless it is paginated', { tags: 'slow' }, async () => {
      const url = await proxies.nginx(proxyRecipe('nginx'));
      expect(await status(`${url}/export/reports/csp`)).toBe('505');
      expect(await status(`${url}/export/reports/csp?format=csv&from=after=`)).toBe('505');
      expect(await status(`${url}/export/reports/csp?after=`)).toBe('200');
      expect(await status(`${url}/export/reports/csp?limit=9&after=now`)).toBe('200');
      expect(await status(`${url}/whole`)).toBe('200');
      expect(await download(`${url}/export/reports/csp`)).toEqual({ code: 0, bytes: SIZE });
    });
  });

  it.each([
    ['--http1.0', 56],
    ['--http1.1', 18],
  ])('is reported as truncated without a proxy: %s', async (option, code) => {
    expect(await download(`http://127.0.0.1:${cutting.port}/fails`, option)).toMatchObject({ code });
  });
});
