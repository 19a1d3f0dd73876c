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
import { go, signIn } from '../support/page.ts';
import { selfSigned } from '../support/self-signed.ts';
import { sightlineHere } from '../support/sightline.ts';
import { until } from '../support/until.ts';

const SITES = ['shop.example', 'blog.example'];
/** The report types that each site's page causes, by their names in `/v1`. */
const TYPES = ['csp', 'csp_integrity', 'deprecation', 'nel'];

const { certificate, key } = selfSigned('reports.example');
/** Chromium sends no network error reports for sites with untrusted certificates, so this certificate is trusted. */
const publicKey = new X509Certificate(certificate).publicKey.export({ format: 'der', type: 'spki' });
const FLAGS = [
  '--short-reporting-delay',
  `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`,
  '--host-resolver-rules=MAP *.example 127.0.0.1',
];

/** Serves two sites and is also the TLS-terminating proxy of the collector. */
const server = createServer({ cert: certificate, key }, (incoming, response) => {
  if (incoming.headers.host?.startsWith('reports.')) handOn(incoming, response);
  else answerSite(incoming, response);
});
let port: number;
let collectorPort: number;
/** The headers printed by `sightline collect headers`. */
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
  if (url === '/listed') return void answerListed(response);
  if (url.endsWith('.js')) return void response.setHeader('Content-Type', 'text/javascript').end('1;');
  for (const [name, value] of headers) response.setHeader(name!, value!);
  const image = `<img src="https://cdn.example:${port}/blocked.png">`;
  const page = `<!doctype html><title>Site</title><script src="/own.js"></script>${image}`;
  response.setHeader('Content-Type', 'text/html').end(page);
}

/** Serves a page with a connection allowlist as its only policy. */
function answerListed(response: ServerResponse): void {
  response.setHeader('Reporting-Endpoints', `listed="${own.address}"`);
  response.setHeader('Connection-Allowlist-Report-Only', '(response-origin); report-to=listed');
  response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Listed</title>');
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

/** Opens a site that causes a report of each type. */
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

it('delivers the reports of two sites from Chromium to /v1 with only the printed headers', async () => {
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

/** Queries `/graphql` with a key of the account. */
async function ask(fields: string) {
  const response = await fetch(`${own.service}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${own.key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: `{ viewer { ${fields} } }` }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
  return ((await response.json()) as { data: { viewer: any } }).data.viewer;
}

it('keeps a report of an invented type unchanged from Chromium to /graphql, /export and the web app', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const page = await browser.newPage();
  await page.goto(`https://shop.example:${port}/listed`);
  const report = {
    age: 7,
    body: { rule: 'soft-lint: "é" <b>', deep: { list: [1, null, true] } },
    type: 'soft-lint',
    url: 'https://shop.example/listed?a=1',
    user_agent: await page.evaluate(() => navigator.userAgent),
  };
  const status = await page.evaluate(
    async ([address, body]) => {
      const headers = { 'Content-Type': 'application/reports+json' };
      return (await fetch(address!, { method: 'POST', headers, body: body! })).status;
    },
    [own.address, JSON.stringify([report])],
  );
  expect(status).toBe(204);
  const list = `reports(type: other, unit: days, date: "${today}") { reports {
    raw ... on OtherReport { uri wireType browser } } }`;
  const [stored] = await until(async () => {
    const { reports } = (await ask(list)).reports;
    return reports.length > 0 && reports;
  }, 200);
  expect(stored).toEqual({
    raw: JSON.stringify(report),
    uri: report.url,
    wireType: 'soft-lint',
    browser: 'Chrome',
  });
  const groups = `reportGroups(type: other, unit: days, date: "${today}", by: [WIRE_TYPE]) { groups { keys { value } count } }`;
  expect((await ask(groups)).reportGroups.groups).toEqual([{ keys: [{ value: 'soft-lint' }], count: 1 }]);

  const headers = { Authorization: `Bearer ${own.key}` };
  const exported = await fetch(`${own.service}/export/reports/other?wireType=soft-lint`, { headers });
  expect(JSON.parse(await exported.text())).toMatchObject({
    wireType: 'soft-lint',
    raw: JSON.stringify(report),
  });

  const app = await browser.newPage();
  await signIn(app, own.service, own.key, '#/other');
  await app.getByRole('cell', { name: 'soft-lint' }).first().waitFor();
  await go(app, '#/other/reports');
  await app.getByRole('heading', { name: 'Other reports' }).waitFor();
  await app.getByText('soft-lint').first().waitFor();
  await app.close();
});

it('delivers connection allowlist violations from Chromium to /graphql', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const page = await browser.newPage();
  await page.goto(`https://blog.example:${port}/listed`);
  const connection = `https://cdn.example:${port}/pixel`;
  await page.evaluate(address => fetch(address, { mode: 'no-cors' }).catch(() => {}), connection);
  const list = `reports(type: connection_allowlist, unit: days, date: "${today}") { reports {
    ... on ConnectionAllowlistReport { uri connection disposition allowlist browser } } }`;
  const found = await until(async () => {
    const { reports } = (await ask(list)).reports;
    return reports.find((one: { uri: string }) => one.uri.startsWith('https://blog.example')) ?? false;
  }, 200);
  expect(found).toMatchObject({ connection, disposition: 'report', browser: 'Chrome' });
  // Chromium 156 omits the patterns, which the draft requires.
  expect(found.allowlist).toBeInstanceOf(Array);
});
