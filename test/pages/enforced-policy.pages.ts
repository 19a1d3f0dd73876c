import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { launch } from '../support/browser.ts';
import { type OwnReports, startOwnReports } from '../support/own-reports.ts';
import { until } from '../support/until.ts';

/** Follows the steps of docs/policies.md on a typical site. */
const FIRST = "default-src 'self'";
const PATHS = ['/', '/cart', '/checkout'];

const server = createServer(answerSite);
let port: number;
/** The header that every page sends. */
let header: [name: string, value: string];
let own: OwnReports;
let browser: Browser;

const origin = (host: string) => `http://${host}.example:${port}`;

/**
 * A page with its own script, stylesheet and image, a third-party script, an inline image, and data from another host.
 */
function answerSite({ url = '', headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('Access-Control-Allow-Origin', '*');
  if (url === '/api') return void response.setHeader('Content-Type', 'application/json').end('{}');
  if (url === '/style.css')
    return void response.setHeader('Content-Type', 'text/css').end('body { color: navy }');
  if (url.endsWith('.js')) {
    const name = headers.host!.startsWith('cdn') ? 'others' : 'own';
    const ask = `fetch('${origin('api')}/api').then(() => { document.body.dataset.data = 'there' }, () => {});`;
    const text = `document.body.dataset.${name} = 'there'; ${name === 'own' ? ask : ''}`;
    return void response.setHeader('Content-Type', 'text/javascript').end(text);
  }
  const picture = `<img id="picture" src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==">`;
  const scripts = `<script src="/own.js"></script><script src="${origin('cdn')}/others.js"></script>`;
  response.setHeader(...header);
  response.setHeader('Content-Type', 'text/html');
  response.end(
    `<!doctype html><title>A shop</title><link rel="stylesheet" href="/style.css"><body>${picture}${scripts}`,
  );
}

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
  own = await startOwnReports();
  browser = await launch(['--host-resolver-rules=MAP *.example 127.0.0.1'], true);
});
afterAll(async () => {
  await browser?.close();
  server.closeAllConnections();
  server.close();
  await own?.close();
});

/**
 * Visits every page.
 * @returns what is missing on the pages, and what was blocked
 */
async function visitAll(): Promise<string[]> {
  const page = await browser.newPage();
  await page.addInitScript(() => {
    (window as unknown as { blocked: string[] }).blocked = [];
    addEventListener('securitypolicyviolation', ({ disposition, blockedURI }) => {
      if (disposition === 'enforce') (window as unknown as { blocked: string[] }).blocked.push(blockedURI);
    });
  });
  const wrong: string[] = [];
  for (const path of PATHS) {
    await page.goto(origin('shop') + path, { waitUntil: 'networkidle' });
    wrong.push(
      ...(await page.evaluate(() => {
        const { own, others, data } = document.body.dataset;
        const isPictured = document.querySelector<HTMLImageElement>('#picture')!.naturalWidth === 1;
        const isStyled = getComputedStyle(document.body).color === 'rgb(0, 0, 128)';
        const works = { own, others, data, isPictured, isStyled };
        const missing = Object.entries(works).flatMap(([name, value]) =>
          value ? [] : [`${name} is missing`],
        );
        return [...missing, ...(window as unknown as { blocked: string[] }).blocked];
      })),
    );
  }
  await page.close();
  return wrong;
}

it('the documented steps lead to an enforced policy that does not break the site', async () => {
  const { service, address, key } = own;
  const from = new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString();
  // biome-ignore lint/suspicious/noExplicitAny: two shapes of answers
  const ask = async (query: string, variables: object): Promise<any> => {
    const answer = await fetch(`${service}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables: { site: 'shop.example', from, ...variables } }),
    });
    const { data, errors } = (await answer.json()) as { data: { viewer: unknown }; errors?: unknown };
    expect(errors).toBeUndefined();
    return data.viewer;
  };
  const suggest = async () => {
    const { policySuggestion } = await ask(
      `query ($site: HostName!, $from: Instant!) { viewer { policySuggestion(site: $site, from: $from,
        baseline: "${FIRST}", allow: [DATA]) { policy suggestions { directive source pages } } } }`,
      {},
    );
    return policySuggestion;
  };

  // 1. Make browsers send reports.
  header = ['Content-Security-Policy-Report-Only', `${FIRST}; report-uri ${address}/report`];
  expect(await visitAll()).toEqual([]);

  // 1. Make browsers send reports.
  const wanted = [`connect-src ${origin('api')}`, 'img-src data:', `script-src ${origin('cdn')}`];
  type PolicySuggestion = { directive: string; source: string; pages: number };
  let found: PolicySuggestion[] = [];
  await until(async () => {
    const { suggestions } = await suggest();
    found = suggestions.filter(({ pages }: PolicySuggestion) => pages === PATHS.length);
    expect(found.map(({ directive, source }: PolicySuggestion) => `${directive} ${source}`).sort()).toEqual(
      wanted,
    );
  }, 200);
  // 2. See what the pages load.
  const { policy: unasked } = await suggest();
  expect(unasked).not.toContain('example');
  const add = found.map(({ directive, source }) => ({ directive, source }));

  // 3. Try the policy on the collected reports.
  const { policyReplay } = await ask(
    `query ($site: HostName!, $from: Instant!, $add: [AddedSource!]) { viewer { policyReplay(site: $site, from: $from,
      policy: "${FIRST}", add: $add) { policy blocked { count } unknown { count } allowed { pages } } } }`,
    { add },
  );
  const { policy } = policyReplay;
  expect(policyReplay).toEqual({
    policy: expect.stringContaining('data:'),
    blocked: { count: 0 },
    unknown: { count: 0 },
    allowed: { pages: PATHS.length },
  });

  // 4. and 5. Enforce it. The first policy, enforced, would have broken the site.
  header = ['Content-Security-Policy', FIRST];
  expect(await visitAll()).not.toEqual([]);
  header = ['Content-Security-Policy', policy];
  expect(await visitAll()).toEqual([]);
});
