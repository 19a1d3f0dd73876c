import fc from 'fast-check';
import type { Route } from 'playwright-core';
import { expect, it } from 'vitest';
import { runs } from '../../../test/faults/scale.ts';
import { sharedBrowser, visit } from '../../../test/support/browser.ts';
import { judgeOf, parsePolicy, type Verdict } from '../src/index.ts';

/**
 * Compares the judge with a real Chromium for each address under each policy. No request leaves this machine: every
 * request is answered here. Two exceptions are documented below.
 */
const PAGES = ['http://shop.example/cart', 'https://shop.example/cart', 'http://shop.example:8080/cart'];
const HOSTS = [
  'shop.example',
  'www.shop.example',
  'a.cdn.shop.example',
  'evil.example',
  'notshop.example',
  '127.0.0.1',
];
const SCHEMES = ['http', 'https', 'ws', 'wss'];
const PORTS = ['', ':80', ':443', ':8080', ':8443'];
// The second exception: no encoded slash, since Chromium 156 decodes a path whole, and takes it for a slash.
const PATHS = [
  '/',
  '/js',
  '/js/',
  '/js/a.js',
  '/JS/a.js',
  '/js/a%2Ejs',
  '/%6As/a.js',
  '/js/a;b',
  '/js//a.js',
];

const KINDS = {
  'connect-src': ['connect-src', 'default-src'],
  'img-src': ['img-src', 'default-src'],
  'script-src-elem': ['script-src-elem', 'script-src', 'default-src'],
  'style-src-elem': ['style-src-elem', 'style-src', 'default-src'],
  'frame-src': ['frame-src', 'child-src', 'default-src'],
  'font-src': ['font-src', 'default-src'],
  'media-src': ['media-src', 'default-src'],
  'worker-src': ['worker-src', 'child-src', 'script-src', 'default-src'],
} as const;
type Kind = keyof typeof KINDS;

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: '' as never, freq: 2 });
const host = fc.oneof(
  fc.constantFrom(...HOSTS),
  fc.constantFrom('*.shop.example', '*.cdn.shop.example', '*', 'SHOP.example', '*.example', 'shop.example.'),
);
const hostSource = fc
  .tuple(
    maybe(fc.constantFrom('http://', 'https://', 'HTTPS://', 'ws://', 'wss://')),
    host,
    maybe(fc.constantFrom(...PORTS, ':*')),
    maybe(fc.constantFrom(...PATHS, '/js/a.js?x=1')),
  )
  .map(parts => parts.join(''));
const source = fc.oneof(
  { weight: 8, arbitrary: hostSource },
  { weight: 2, arbitrary: fc.constantFrom("'self'", "'SELF'") },
  { weight: 2, arbitrary: fc.constantFrom('http:', 'https:', 'ws:', 'wss:', 'data:', 'HTTPS:') },
  {
    weight: 1,
    arbitrary: fc.constantFrom('*', "'none'", "'unsafe-inline'", 'shop.example/js a', 'not a host!', '//x'),
  },
  { weight: 1, arbitrary: fc.constantFrom("'nonce-abc'", "'strict-dynamic'") },
);
const policy = (kind: Kind) =>
  fc
    .uniqueArray(
      fc.tuple(fc.constantFrom<string>(...KINDS[kind], 'object-src'), fc.array(source, { maxLength: 3 })),
      { minLength: 1, maxLength: 3, selector: ([name]) => name },
    )
    .map(directives => directives.map(([name, values]) => [name, ...values].join(' ')).join('; '));
const address = (kind: Kind) =>
  fc.oneof(
    {
      weight: 12,
      arbitrary: fc
        .tuple(
          fc.constantFrom(...(kind === 'connect-src' ? SCHEMES : ['http', 'https'])),
          fc.constantFrom(...HOSTS),
          fc.constantFrom(...PORTS),
          fc.constantFrom(...PATHS),
        )
        .map(([scheme, name, port, path]) => `${scheme}://${name}${port}${path}`),
    },
    ...(kind === 'worker-src' ? [] : [{ weight: 1, arbitrary: fc.constant('data:text/plain,x') }]),
  );

const ADDRESSES = 20;
const trial = fc.constantFrom(...(Object.keys(KINDS) as Kind[])).chain(kind =>
  fc.record({
    kind: fc.constant(kind),
    page: fc.constantFrom(...PAGES),
    policy: policy(kind),
    addresses: fc.uniqueArray(address(kind), { minLength: ADDRESSES, maxLength: ADDRESSES }),
  }),
);

// A socket is asked for beyond what the test answers: no name leads anywhere.
const browser = sharedBrowser(['--host-resolver-rules=MAP * ~NOTFOUND']);

it('the policy evaluation agrees with Chromium on whether a policy allows an address', async () => {
  await using visitor = await visit(browser(), { ignoreHTTPSErrors: true });
  const { page } = visitor;
  let current = '';
  await page.route(/^(http|ws)/, route => answer(route, current));
  const seen = { pairs: 0, unknown: 0 };
  const property = fc.asyncProperty(trial, async ({ kind, page: at, policy, addresses }) => {
    current = policy;
    await page.goto(at);
    const requested = addresses.filter(one => wasRequested(at, one, kind));
    const blocked = await page.evaluate(askAll, { kind, addresses: requested });
    const judge = judgeOf(parsePolicy(policy));
    const answers = requested.map((blockedUri, index) => {
      const verdict = judge({ directive: kind, blockedUri, page: at });
      seen.pairs++;
      if (verdict.outcome === 'unknown') seen.unknown++;
      return { blockedUri, verdict, chromium: blocked.includes(index) ? 'blocked' : 'allowed' };
    });
    const wrong = answers.filter(({ verdict, chromium }) => !agrees(verdict, chromium));
    expect(wrong, `${at} with ${policy}`).toEqual([]);
  });
  await fc.assert(property, { ...runs(12, 100), seed: 4711, endOnFailure: true });
  expect(seen.unknown / seen.pairs).toBeLessThan(0.25);
});

/** The verdict `unknown` agrees with either outcome. */
const agrees = ({ outcome }: Verdict, chromium: string) => outcome === 'unknown' || outcome === chromium;

/** Workers must have the origin of the page. Browsers block or upgrade mixed content before they check the policy. */
function wasRequested(page: string, address: string, kind: Kind): boolean {
  if (kind === 'worker-src') return new URL(address).origin === new URL(page).origin;
  // The first exception: for frames, Chromium does not take a secure scheme for the page's own at the same port.
  if (kind === 'frame-src' && page.startsWith('http:') && address.startsWith('https:')) return false;
  return !(page.startsWith('https:') && /^(http|ws):/.test(address));
}

function answer(route: Route, policy: string): Promise<void> {
  const headers = { 'access-control-allow-origin': '*' };
  if (!route.request().isNavigationRequest() || route.request().frame().parentFrame()) {
    return route.fulfill({ status: 200, contentType: 'text/javascript', headers, body: '' });
  }
  const html = '<!doctype html><title>A page</title><script src="data:,"></script>';
  return route.fulfill({
    status: 200,
    contentType: 'text/html',
    headers: { ...headers, 'content-security-policy': policy },
    body: html,
  });
}

/** Runs in the page. @returns the places of the addresses that were blocked */
async function askAll({ kind, addresses }: { kind: string; addresses: string[] }): Promise<number[]> {
  const violations = new Set<string>();
  const note = (event: SecurityPolicyViolationEvent) => violations.add(event.blockedURI);
  document.addEventListener('securitypolicyviolation', note);
  const blocked: number[] = [];
  for (const [index, address] of addresses.entries()) {
    await ask(kind, address);
    // Chromium reports only the origin of a frame, so each waits for its own event.
    if (kind !== 'frame-src') continue;
    await new Promise(resolve => setTimeout(resolve, 5));
    if (violations.size > 0) blocked.push(index);
    violations.clear();
  }
  // An event is a separate task, some time after the failure.
  await new Promise(resolve => setTimeout(resolve, 50));
  document.removeEventListener('securitypolicyviolation', note);
  if (kind === 'frame-src') return blocked;
  return [...addresses.keys()].filter(index => {
    const { href, protocol } = new URL(addresses[index]!);
    return violations.has(href) || violations.has(protocol.slice(0, -1));
  });

  function ask(kind: string, address: string): Promise<void> {
    if (kind === 'connect-src') return connect(address);
    if (kind === 'font-src') {
      return new FontFace('x', `url("${address}")`).load().then(
        () => {},
        () => {},
      );
    }
    if (kind === 'worker-src') return work(address);
    const tags: Record<string, string> = {
      'img-src': 'img',
      'script-src-elem': 'script',
      'style-src-elem': 'link',
      'frame-src': 'iframe',
      'media-src': 'video',
    };
    const element = document.createElement(tags[kind]!) as HTMLElement & { rel?: string };
    if (kind === 'style-src-elem') element.setAttribute('rel', 'stylesheet');
    element.setAttribute(kind === 'style-src-elem' ? 'href' : 'src', address);
    return new Promise(resolve => {
      const done = () => {
        element.remove();
        resolve();
      };
      for (const name of ['load', 'error']) element.addEventListener(name, done);
      document.body.append(element);
    });
  }

  function connect(address: string): Promise<void> {
    if (!address.startsWith('ws')) {
      return fetch(address, { mode: 'no-cors' }).then(
        () => {},
        () => {},
      );
    }
    return new Promise(resolve => {
      try {
        const socket = new WebSocket(address);
        socket.onopen = () => socket.close();
        socket.onerror = () => resolve();
        socket.onclose = () => resolve();
      } catch {
        resolve();
      }
    });
  }

  function work(address: string): Promise<void> {
    return new Promise(resolve => {
      const worker = new Worker(address);
      worker.onerror = () => resolve();
      setTimeout(resolve, 20);
    });
  }
}
