import { describe, expect, it } from 'vitest';
import { judgeOf, parsePolicy } from '../src/index.ts';

/** The URL of the page on the server of the web platform tests. */
const PAGE = 'http://web-platform.test:8000/content-security-policy/page.html';
const SECURE_PAGE = 'https://web-platform.test:8443/content-security-policy/page.html';

function toOutcome(
  policy: string,
  directive: string,
  blockedUri: string,
  page = PAGE,
  sample?: string,
): string {
  return judgeOf(parsePolicy(policy))({ directive, blockedUri, page, sample }).outcome;
}

/**
 * Cases of https://github.com/web-platform-tests/wpt, in `content-security-policy/`: the file, policy, address,
 * outcome.
 */
describe('web platform tests', () => {
  const GREEN = '/images/green-100x100.png';
  it.each([
    [
      'wildcard-host-and-port-parts-001',
      `http://*:*${GREEN}`,
      `http://www1.web-platform.test:8000${GREEN}`,
      'allowed',
    ],
    [
      'wildcard-host-and-port-parts-001',
      `http://*:*${GREEN}`,
      `http://www2.web-platform.test:8001${GREEN}`,
      'allowed',
    ],
    [
      'wildcard-host-and-port-parts-001',
      `http://*:*${GREEN}`,
      'http://www1.web-platform.test:8000/images/red.png',
      'blocked',
    ],
    ['wildcard-host-part-003', `http://*${GREEN}`, `http://www1.web-platform.test${GREEN}`, 'allowed'],
    ['wildcard-host-part-003', `http://*${GREEN}`, `http://www1.web-platform.test:8000${GREEN}`, 'blocked'],
    ['wildcard-host-part-003', `http://*${GREEN}`, 'http://www2.web-platform.test/images/red.png', 'blocked'],
    ['wildcard-host-part-004', 'http://*', `http://www1.web-platform.test${GREEN}`, 'allowed'],
    ['wildcard-host-part-004', 'http://*', `http://www1.web-platform.test:8000${GREEN}`, 'blocked'],
    [
      'wildcard-host-part-004',
      'http://*',
      'http://www2.web-platform.test/images/green-256x256.png',
      'allowed',
    ],
    [
      'wildcard-port-part-001',
      `http://web-platform.test:*${GREEN}`,
      `http://web-platform.test:8000${GREEN}`,
      'allowed',
    ],
    [
      'wildcard-port-part-001',
      `http://web-platform.test:*${GREEN}`,
      `http://web-platform.test:8001${GREEN}`,
      'allowed',
    ],
    [
      'wildcard-port-part-001',
      `http://web-platform.test:*${GREEN}`,
      `http://www2.web-platform.test:8000${GREEN}`,
      'blocked',
    ],
    [
      'wildcard-port-part-001',
      `http://web-platform.test:*${GREEN}`,
      'http://web-platform.test:8000/images/red.png',
      'blocked',
    ],
    [
      'wildcard-port-part-002',
      'http://web-platform.test:*',
      `http://web-platform.test:8000${GREEN}`,
      'allowed',
    ],
    [
      'wildcard-port-part-002',
      'http://web-platform.test:*',
      `http://www2.web-platform.test:8000${GREEN}`,
      'blocked',
    ],
    [
      'wildcard-port-part-002',
      'http://web-platform.test:*',
      'http://web-platform.test:8000/images/green-256x256.png',
      'allowed',
    ],
  ])('generic/%s: connect-src %s for %s', (_file, source, address, outcome) => {
    expect(toOutcome(`connect-src ${source}`, 'connect-src', address)).toBe(outcome);
  });

  const SUPPORT = 'http://web-platform.test:8000/content-security-policy/script-src/support';
  it.each([
    [`${SUPPORT}/post-message.js`, 'allowed'],
    [`${SUPPORT}%2F..%2FsimpleSourcedScript.js`, 'blocked'],
    [`${SUPPORT}/..%2FsimpleSourcedScript.js`, 'allowed'],
    [`${SUPPORT}/%70ost-message.js`, 'allowed'],
    [SUPPORT, 'blocked'],
    ['http://web-platform.test:8000/content-security-policy/script%2Dsrc/support/a.js', 'allowed'],
  ])('script-src/script-src-path-normalization: for %s', (address, outcome) => {
    expect(toOutcome(`script-src 'unsafe-inline' ${SUPPORT}/`, 'script-src-elem', address)).toBe(outcome);
  });

  it.each([
    ['hosts', 'http://c.com', 'http://b.com/', 'blocked'],
    ['hosts', 'http://inner.b.com', 'http://b.com/', 'blocked'],
    ['hosts', 'http://b.com', 'http://inner.b.com/', 'blocked'],
    ['hosts', 'http://*.b.com', 'https://inner.b.com/', 'allowed'],
    ['paths', 'http://b.com/example.html', 'http://b.com/other.html', 'blocked'],
    ['paths', 'http://b.com', 'http://b.com/example.html', 'allowed'],
    ['paths', 'http://b.com/', 'http://b.com/example.html', 'allowed'],
    ['paths', 'http://b.com/page1.html http://b.com/page2.html', 'http://b.com/page2.html', 'allowed'],
    ['ports', 'http://b.com:80', 'http://b.com:36/', 'blocked'],
    ['ports', 'http://b.com:80', 'http://b.com/', 'allowed'],
    ['ports', 'http://b.com:80', 'https://b.com/', 'allowed'],
    ['ports', 'ws://b.com:80', 'wss://b.com/', 'allowed'],
    ['ports', 'http://b.com', 'https://b.com/', 'allowed'],
    ['ports', 'http://b.com', 'https://b.com:36/', 'blocked'],
    ['ports', 'ws://b.com:*', 'wss://b.com:36/', 'allowed'],
    ['ports', 'ws://b.com', 'ws://b.com:36/', 'blocked'],
    ['protocols', 'https://b.com', 'http://b.com/', 'blocked'],
    ['protocols', 'http://b.com', 'https://b.com/', 'allowed'],
    ['protocols', 'http:', 'https://b.com/', 'allowed'],
    ['protocols', 'http:', 'wss://b.com/', 'blocked'],
    ['protocols', 'http: wss:', 'ws://b.com/', 'blocked'],
  ])(
    'embedded-enforcement/subsumption_algorithm-host_sources-%s: %s for %s',
    (_file, sources, address, outcome) => {
      expect(toOutcome(`img-src ${sources}`, 'img-src', address)).toBe(outcome);
    },
  );

  it.each(['\t', '\f', '\n', '\r', ' '])('generic/only-valid-whitespaces-are-allowed: %j parts', space => {
    expect(toOutcome(`img-src${space}'none'`, 'img-src', 'http://a.example/')).toBe('blocked');
    expect(toOutcome(`img-src b.example${space}a.example`, 'img-src', 'http://a.example/')).toBe('allowed');
  });

  // That test expects the image to be blocked. The specification (2.2.1, step 2) and Chromium ignore such a
  // directive.
  it('ignores a directive that contains a no-break space, unlike the original', () => {
    expect(toOutcome('img-src b.example\u00a0c.example', 'img-src', 'http://a.example/')).toBe('allowed');
  });

  it.each([
    ["'self'", 'http://web-platform.test:8000/a.png', PAGE, 'allowed'],
    ["'self'", 'http://web-platform.test:8001/a.png', PAGE, 'blocked'],
    ["'self'", 'http://www1.web-platform.test:8000/a.png', PAGE, 'blocked'],
    ["'self'", 'http://web-platform.test:8443/a.png', SECURE_PAGE, 'blocked'],
    ['*', 'https://a.example/a.png', PAGE, 'allowed'],
    ['*', 'data', PAGE, 'blocked'],
  ])('generic/generic-0_*: img-src %s for %s on %s', (source, address, page, outcome) => {
    expect(toOutcome(`img-src ${source}`, 'img-src', address, page)).toBe(outcome);
  });

  it("script-src/script-src-strict_dynamic_discard_whitelist: 'strict-dynamic' disables 'self' for scripts", () => {
    const policy = "script-src 'self' 'strict-dynamic' 'nonce-dummy'";
    const address = 'http://web-platform.test:8000/simpleSourcedScript.js';
    expect(toOutcome(policy, 'script-src-elem', address)).not.toBe('allowed');
    expect(toOutcome(`img-src 'self' 'strict-dynamic'`, 'img-src', address)).toBe('allowed');
  });
});
