import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { docsAssets } from '../src/docs/assets.ts';
import { documentFiles } from '../src/docs/document.ts';
import { plainPage } from '../src/docs/page.ts';
import type { Served } from '../src/http/static-files.ts';
import { findBrowser } from './support/browser.ts';

const pages = docsAssets();
const files = new Map<string, Served>([...pages, ...documentFiles()]);
const page = String(pages.get('/docs')?.read());
const headers = pages.get('/docs')?.headers ?? {};

/** The addresses that an HTML page loads or links to, as a browser resolves them at `/docs`. */
function addressesIn(html: string): URL[] {
  const found = html.matchAll(/\s(?:src|href)="([^"]*)"/g);
  return [...found].map(([, address = '']) => new URL(address, 'http://service.test/docs'));
}

describe('/docs', () => {
  test('loads nothing but files that are served beside it', () => {
    const addresses = addressesIn(page).filter(({ protocol }) => protocol !== 'data:');
    expect(addresses.length).toBeGreaterThan(0);
    for (const { origin, pathname } of addresses) {
      expect(origin).toBe('http://service.test');
      expect([...files.keys()]).toContain(pathname);
    }
  });

  test('allows no inline script but its own, no other host, and no frame around it', () => {
    const policy = headers['Content-Security-Policy'] ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
  });

  test('keeps the script for ever, under a name that changes with it, and asks for the page again', () => {
    const [path = '', script] = [...pages].find(([name]) => name.endsWith('.js')) ?? [];
    expect(path).toMatch(/^\/docs\/redoc\.[0-9a-f]{16}\.js$/);
    expect(script?.headers['Cache-Control']).toBe('public, max-age=31536000, immutable');
    expect(headers['Cache-Control']).toBe('no-cache');
  });

  test('shows no logo of a foreign host, and gives the licences of what it consists of', () => {
    const [, script] = [...pages].find(([name]) => name.endsWith('.js')) ?? [];
    expect(String(script?.read())).not.toContain('cdn.redoc.ly');
    expect(String(script?.read())).toContain('href:"docs/redoc.LICENSE.txt"');
    expect(pages.get('/docs/redoc.LICENSE.txt')?.read()).toContain('The MIT License');
  });

  test('leads to the description where the script was not installed', () => {
    const { html, policy } = plainPage();
    expect(addressesIn(html).map(({ pathname }) => pathname)).toEqual(
      expect.arrayContaining(['/openapi.yaml']),
    );
    expect(html).not.toContain('<script');
    expect(policy).not.toContain('script-src');
  });
});

interface Listening {
  port: number;
  /** What was asked for. */
  asked: string[];
  server: Server;
}

async function listen(): Promise<Listening> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    asked.push(request.url ?? '');
    const file = files.get(request.url ?? '');
    if (!file) return response.writeHead(404).end();
    const { status, headers, body } = await file.reply({ method: 'GET', headers: request.headers });
    return response.writeHead(status, headers).end(body);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  return { port: (server.address() as AddressInfo).port, asked, server };
}

const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Of its own accord it would ask its maker; the page itself is reached without a proxy.
  '--proxy-server=http://127.0.0.1:9',
  '--enable-logging=stderr',
  '--virtual-time-budget=5000',
  '--dump-dom',
];

const browser = findBrowser();
if (!browser) process.stderr.write('Skipped: /docs in a browser. No Chromium is installed.\n');

describe.skipIf(!browser)('/docs in a browser', () => {
  test('shows every operation, complains of nothing and asks no other host', async () => {
    const service = await listen();
    const profile = await mkdtemp(join(tmpdir(), 'sightline-docs-'));
    try {
      const { stdout, stderr } = await promisify(execFile)(
        browser!,
        [...FLAGS, `--user-data-dir=${profile}`, `http://127.0.0.1:${service.port}/docs`],
        { maxBuffer: 64 * 1024 * 1024 },
      );
      expect(stdout).toContain('/v1/reports/{type}');
      expect(stdout).toContain('/v1/audit-log');
      for (const sample of ['curl', 'JavaScript', 'Python']) expect(stdout).toContain(sample);
      // A request for another host would be against the policy, and that would be said here.
      expect(stderr.split('\n').filter(line => line.includes('CONSOLE'))).toEqual([]);
      expect(new Set(service.asked)).toEqual(new Set(['/docs', ...scripts(), '/docs/reference.json']));
    } finally {
      service.server.closeAllConnections();
      service.server.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 3 });
    }
  });
});

function scripts(): string[] {
  return [...files.keys()].filter(name => name.endsWith('.js'));
}

test('the reference has a request in three languages for every operation, and leaves the rest as it is', () => {
  const { paths } = JSON.parse(documentFiles().get('/docs/reference.json')!.read('a.example'));
  const described = JSON.parse(documentFiles().get('/openapi.json')!.read('a.example'));
  expect(Object.keys(paths)).toEqual(Object.keys(described.paths));
  for (const [path, { get }] of Object.entries<{ get: Record<string, unknown> }>(paths)) {
    const { 'x-codeSamples': samples, responses, ...rest } = get;
    const { responses: own, ...same } = described.paths[path].get;
    expect(rest).toEqual(same);
    expect(Object.keys(responses as object)).toEqual(Object.keys(own));
    const [curl, javaScript, python] = (samples as { source: string }[]).map(({ source }) => source);
    const [, target = ''] = /'http:\/\/a\.example(\/\S*)'$/.exec(curl!)!;
    expect(target).not.toMatch(/[{}]|undefined|=(&|$)/);
    expect(python).toContain(`"http://a.example${target}"`);
    expect(javaScript).toContain(`'${path}'`);
  }
  expect(described.paths['/v1/me'].get).not.toHaveProperty('x-codeSamples');
});
