import { createHash, X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch } from '../support/browser.ts';
import { freePort } from '../support/network.ts';
import { type OwnReports, startOwnReports } from '../support/own-reports.ts';
import { selfSigned } from '../support/self-signed.ts';
import { sightlineHere } from '../support/sightline.ts';
import { until } from '../support/until.ts';

const SITES = ['shop.example', 'blog.example'];
/** The fault of each site's page, as `/v1` calls it. */
const TYPES = ['csp', 'csp_integrity', 'deprecation', 'nel'];

const { certificate, key } = selfSigned('reports.example');
/** Chromium takes no network errors of a site whose certificate it would warn of: it is told that this one is good. */
const publicKey = new X509Certificate(certificate).publicKey.export({ format: 'der', type: 'spki' });
const FLAGS = [
  '--short-reporting-delay',
  `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`,
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];

/** Two sites, and the proxy that ends TLS before the collector. */
const server = createServer({ cert: certificate, key }, (incoming, response) => {
  if (incoming.headers.host?.startsWith('reports.')) handOn(incoming, response);
  else answerSite(incoming, response);
});
let port: number;
let collectorPort: number;
/** As `sightline collect headers` prints them. */
let headers: string[][] = [];
let own: OwnReports;
let browser: Browser;

function handOn(incoming: IncomingMessage, response: ServerResponse): void {
  const { method, url, socket } = incoming;
  const from = { ...incoming.headers, 'x-forwarded-for': socket.remoteAddress };
  const to = { host: '127.0.0.1', port: collectorPort, method, path: url, headers: from };
  const outgoing = request(to, answer => {
    response.writeHead(answer.statusCode!, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  incoming.pipe(outgoing);
}

function answerSite({ url = '', socket }: IncomingMessage, response: ServerResponse): void {
  if (url === '/broken') return void socket.destroy();
  if (url.endsWith('.js')) return void response.setHeader('Content-Type', 'text/javascript').end('1;');
  for (const [name, value] of headers) response.setHeader(name!, value!);
  const image = `<img src="https://cdn.example:${port}/blocked.png">`;
  const page = `<!doctype html><title>Site</title><script src="/own.js"></script>${image}`;
  response.setHeader('Content-Type', 'text/html').end(page);
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  collectorPort = await freePort();
  own = await startOwnReports(collectorPort, { COLLECT_URL: `https://reports.example:${port}` });
  browser = await launch(FLAGS, true);
});
afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
  await own?.close();
});

/** Everything that a page of a site can do wrong. */
async function misbehave(host: string): Promise<void> {
  const page = await browser.newPage();
  await page.goto(`https://${host}:${port}/`);
  await page.evaluate(async () => {
    const synchronous = new XMLHttpRequest();
    synchronous.open('GET', '/own.js', false);
    synchronous.send();
    await fetch('/broken').catch(() => {});
  });
}

it('brings what two sites do wrong in Chromium to /v1, by the printed headers alone', async () => {
  const { service, address } = own;
  const tokens = join(own.folder, 'collect-tokens.ndjson');
  const printed = await sightlineHere(
    ['collect', 'headers', '--account', 'own', '--url', address, '--tokens', tokens],
    {},
  );
  headers = printed.stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split(/: (.*)/s).slice(0, 2));
  expect(headers.map(([name]) => name)).toContain('NEL');

  const seen = new Map<string, number>();
  const begun = performance.now();
  for (const host of SITES) await misbehave(host);
  const authorization = { Authorization: `Bearer ${own.key}` };
  const missing = () =>
    TYPES.flatMap(type => SITES.map(host => `${type} of ${host}`)).filter(name => !seen.has(name));
  await until(async () => {
    const today = new Date().toISOString().slice(0, 10);
    for (const type of TYPES) {
      const answer = await fetch(`${service}/v1/reports/${type}?unit=days&date=${today}`, {
        headers: authorization,
      });
      const { reports } = (await answer.json()) as { reports: { uri: string; browser: string }[] };
      for (const { uri, browser } of reports) {
        expect(browser).toBe('Chrome');
        const name = `${type} of ${new URL(uri).hostname}`;
        if (!seen.has(name)) seen.set(name, performance.now() - begun);
      }
    }
    expect(missing()).toEqual([]);
  }, 200);
  const latest = Math.max(...seen.values());
  process.stderr.write(`the last of ${seen.size} was in /v1 after ${(latest / 1000).toFixed(1)} s\n`);
});
