import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toEvidence } from '../../packages/tools/src/evidence/evidence.ts';
import { toHtml } from '../../packages/tools/src/evidence/html.ts';
import { Inventory, matches } from '../../packages/tools/src/evidence/inventory.ts';
import {
  NOW,
  open,
  personal,
  plan,
  policyFinding,
  report,
  scriptVerdict,
  watch,
} from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';
import { sightlineHere } from '../support/sightline.ts';

let service: TestService;
let key: string;
let folder: string;

const SITE = 'shop.example';
const [GOOD, CHANGED] = ['sha256-GOOD', 'sha256-CHANGED'];

const loaded = (id: string, uri: string, hash: string, date: string, path = '/checkout/pay') =>
  report('ada', 'csp_integrity', id, { uri: `https://${SITE}${path}?x=1`, subresourceUri: uri, hash, date });
const violation = (id: string, blockedUri: string, date: string, fields = {}) =>
  report('ada', 'csp', id, {
    uri: `https://${SITE}/checkout/pay`,
    directive: 'script-src-elem',
    blockedUri,
    date,
    ...fields,
  });

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-evidence-'));
  await service.load(
    scriptVerdict('ada', SITE, 'https://pay.example/*.js', { hashes: [GOOD] }),
    scriptVerdict('ada', SITE, 'https://stats.example/s.js', { owner: 'Marketing <b>' }),
    scriptVerdict('ada', SITE, 'https://old.example/*'),
    loaded('one', 'https://pay.example/v1/pay.js?v=1', GOOD, '2026-05-04T09:00:00Z'),
    loaded('two', 'https://stats.example/s.js', 'sha256-ANY', '2026-05-05T09:00:00Z'),
    loaded('three', 'https://pay.example/v1/other.js', CHANGED, '2026-05-19T09:00:00Z'),
    loaded('elsewhere', 'https://blog.example/b.js', GOOD, '2026-05-05T09:00:00Z', '/blog'),
    violation('skimmer', 'https://evil.example/<script>alert(1)</script>\u202e.js', '2026-05-19T10:00:00Z'),
    violation('inline', 'inline', '2026-05-19T10:00:00Z'),
    violation('extension', 'chrome-extension://abc/x.js', '2026-05-19T10:00:00Z'),
    violation('image', 'https://img.example/x.png', '2026-05-19T10:00:00Z', { directive: 'img-src' }),
    watch('ada', 'policy', SITE),
    policyFinding('ada', SITE, "script-src 'self'", {
      firstSeen: '2026-05-12T00:00:00Z',
      lastSeen: '2026-05-20T00:00:00Z',
    }),
    policyFinding('ada', SITE, 'script-src *', {
      firstSeen: '2026-01-12T00:00:00Z',
      lastSeen: '2026-02-20T00:00:00Z',
    }),
  );
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const PERIOD = ['--from', '2026-05-04', '--to', '2026-05-20'];
const run = (args: readonly string[], env: Record<string, string> = { SIGHTLINE_KEY: key }) =>
  sightlineHere(['evidence', '--url', service.url, '--site', SITE, ...args], env);

async function written(format: 'html' | 'json', args: readonly string[] = []): Promise<string> {
  const output = join(folder, `evidence.${format}`);
  const { code, stderr } = await run([...PERIOD, '--format', format, '--output', output, ...args]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return readFile(output, 'utf8');
}

describe('sightline evidence', () => {
  it('lists the scripts of the paths with their approvals, starting with those that need review', async () => {
    const { scripts, gone, isCut } = JSON.parse(await written('json', ['--path', '/checkout*']));
    const states = scripts.map(
      ({ address, status }: { address: string; status: string }) => `${status} ${address}`,
    );
    expect(states).toEqual([
      'unauthorised https://evil.example/<script>alert(1)</script>\u202e.js',
      'unauthorised inline',
      'changed https://pay.example/v1/other.js',
      'authorised https://pay.example/v1/pay.js',
      'authorised https://stats.example/s.js',
    ]);
    expect(scripts[2]).toMatchObject({
      hashes: [CHANGED],
      foreignHashes: [CHANGED],
      isViolation: false,
      reports: 1,
    });
    expect(scripts[3].pages).toEqual([`https://${SITE}/checkout/pay`]);
    expect(gone.map(({ subject }: { subject: string }) => subject)).toEqual(['https://old.example/*']);
    expect(isCut).toBe(false);
  });

  it('covers all paths by default', async () => {
    const { scripts } = JSON.parse(await written('json'));
    expect(scripts.map(({ address }: { address: string }) => address)).toContain('https://blog.example/b.js');
  });

  it('lists every week, including weeks without changes', async () => {
    const { weeks, policies } = JSON.parse(await written('json', ['--path', '/checkout*']));
    expect(weeks).toEqual([
      {
        from: '2026-05-04',
        reports: 2,
        isAhead: false,
        newScripts: ['https://pay.example/v1/pay.js', 'https://stats.example/s.js'],
        unauthorised: [],
        newPolicies: 0,
      },
      { from: '2026-05-11', reports: 0, isAhead: false, newScripts: [], unauthorised: [], newPolicies: 1 },
      expect.objectContaining({ from: '2026-05-18', unauthorised: expect.arrayContaining(['inline']) }),
    ]);
    expect(policies.map(({ policy }: { policy: string }) => policy)).toEqual(["script-src 'self'"]);
  });

  it('distinguishes weeks without changes from weeks without reports and from future weeks', () => {
    const groups = (...days: string[]) => ({
      groups: days.map(day => ({
        keys: [{ by: 'DAY' as const, value: day }],
        count: 2,
        firstSeen: day,
        lastSeen: day,
      })),
      truncated: false,
    });
    const none = groups();
    const answer = {
      ...{ loaded: none, element: none, attribute: none, script: none, verdicts: [], watches: [] },
      loadedDays: groups('2026-05-10'),
      violationDays: groups('2026-05-04', '2026-05-18'),
    };
    const scope = { site: SITE, paths: [], from: '2026-05-04T00:00:00Z', to: '2026-06-01T00:00:00Z' };
    const html = toHtml(toEvidence(scope, answer, new Date('2026-05-20T00:00:00Z')));
    const rows = [
      ...html.matchAll(/<tr><td>(2026-\d\d-\d\d)<\/td><td>(\d*)<\/td><td>(?:<span[^>]*>)?([^<]*)/g),
    ];
    expect(rows.map(([, ...cells]) => cells)).toEqual([
      ['2026-05-04', '4', 'no change'],
      ['2026-05-11', '0', 'nothing received'],
      ['2026-05-18', '2', 'no change'],
      ['2026-05-25', '', 'not yet'],
    ]);
  });

  it.each([
    ['at the end of a past period', '2026-05-11T00:00:00Z', '2026-05-11T00:00:00Z', 'authorised'],
    ['before the end of a past period', '2026-05-11T00:00:00Z', '2026-05-10T23:59:59Z', 'unauthorised'],
    ['later in the present period', '2026-06-01T00:00:00Z', '2026-05-21T00:00:00Z', 'authorised'],
    ['earlier in the present period', '2026-06-01T00:00:00Z', '2026-05-19T23:59:59Z', 'unauthorised'],
    ['never', '2026-06-01T00:00:00Z', null, 'authorised'],
  ])('judges a script by an approval that expires %s', (_, to, expiresAt, status) => {
    const none = { groups: [], truncated: false };
    const address = 'https://pay.example/pay.js';
    const keys = [{ by: 'SUBRESOURCE' as const, value: address }];
    const seen = { keys, count: 1, firstSeen: '2026-05-04T00:00:00Z', lastSeen: '2026-05-04T00:00:00Z' };
    const approval = { verdict: 'mine' as const, subject: address, owner: null, reason: 'Payment' };
    const decision = { decidedBy: 'ann@shop.example', decidedAt: '2026-05-01T00:00:00Z', hashes: [] };
    const answer = {
      ...{ loaded: { groups: [seen], truncated: false }, element: none, attribute: none, script: none },
      ...{ loadedDays: none, violationDays: none, watches: [] },
      verdicts: [{ ...approval, ...decision, expiresAt }],
    };
    const scope = { site: SITE, paths: [], from: '2026-05-04T00:00:00Z', to };
    const { scripts } = toEvidence(scope, answer, new Date('2026-05-20T00:00:00Z'));
    expect(scripts.map(one => [one.address, one.status])).toEqual([[address, status]]);
  });

  it('adds up the reports of a script from all pages, and lists the first ten pages', () => {
    const address = 'https://pay.example/pay.js';
    const seen = (page: number, day: string) => ({
      keys: [
        { by: 'BLOCKED_URI' as const, value: address },
        { by: 'PAGE' as const, value: `https://${SITE}/${10 + page}` },
      ],
      ...{ count: 2, firstSeen: `2026-05-${day}T00:00:00Z`, lastSeen: `2026-05-${day}T12:00:00Z` },
    });
    const days = ['12', '14', '09', ...Array.from({ length: 9 }, () => '13')];
    const groups = { groups: days.map((day, page) => seen(page, day)), truncated: false };
    const inventory = new Inventory();
    inventory.add(groups, true);
    const [script] = inventory.scripts([]);
    expect(script).toMatchObject({
      ...{ address, reports: 24, isViolation: true, status: 'unauthorised' },
      ...{ firstSeen: '2026-05-09T00:00:00Z', lastSeen: '2026-05-14T12:00:00Z' },
    });
    const none = { groups: [], truncated: false };
    const answer = {
      ...{ loaded: none, element: groups, attribute: none, script: none, verdicts: [], watches: [] },
      ...{ loadedDays: none, violationDays: none },
    };
    const scope = { site: SITE, paths: [], from: '2026-05-04T00:00:00Z', to: '2026-06-01T00:00:00Z' };
    const html = toHtml(toEvidence(scope, answer, new Date('2026-05-20T00:00:00Z')));
    expect(html).toContain(`https://${SITE}/19<br>and 2 more</td>`);
    expect(html).not.toContain(`https://${SITE}/20`);
  });

  it('escapes reported text in the HTML page', async () => {
    const html = await written('html');
    expect(html).toContain('https://evil.example/&lt;script&gt;alert(1)&lt;/script&gt;⟨U+202E⟩.js');
    expect(html).toContain('Marketing &lt;b&gt;');
    expect(html).not.toMatch(/<script|<b>|\u202e/);
    expect(html).toContain("default-src 'none'");
  });

  it.each([
    ['an invalid date', ['--from', '2026-02-30', '--to', '2026-03-01'], 2, '--from'],
    ['an end before the start', ['--from', '2026-05-02', '--to', '2026-05-01'], 2, '--from is after --to'],
  ])('rejects %s', async (_, args, code, message) => {
    const failed = await run(args);
    expect(failed).toMatchObject({ code, stderr: expect.stringContaining(message) });
  });

  it('covers a single day', async () => {
    const day = ['--from', '2026-05-06', '--to', '2026-05-06'];
    const { scope, weeks } = JSON.parse(await written('json', day));
    expect(scope).toMatchObject({ from: '2026-05-06T00:00:00Z', to: '2026-05-07T00:00:00.000Z' });
    expect(weeks.map(({ from }: { from: string }) => from)).toEqual(['2026-05-04']);
  });

  it('reports a missing key and a rejected key, without printing the key', async () => {
    expect(await run(PERIOD, {})).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SIGHTLINE_KEY'),
    });
    const refused = await run(PERIOD, { SIGHTLINE_KEY: `${key.slice(0, -4)}AAAA` });
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).not.toContain(key.slice(0, -4));
  });
});

describe('a script pattern', () => {
  it.each([
    ['https://a.example/*.js', 'https://a.example/x/y.js', true],
    ['https://a.example/*.js', 'https://a.example/.js', true],
    ['https://a.example/*.js', 'https://a.example.evil/x.js', false],
    ['https://a.example/a.js', 'https://a.example/a.js', true],
    ['https://a.example/a.js', 'https://a.example/a.jsx', false],
    ['*ab*ab', 'xabab', true],
    ['*ab*ab', 'xab', false],
    ['a*a', 'a', false],
    ['*', '', true],
  ])('%s against %s: %s', (pattern, address, isMatch) => {
    expect(matches(pattern, address)).toBe(isMatch);
  });

  it('is matched in linear time', () => {
    expect(matches(`${'*a'.repeat(127)}*b`, 'a'.repeat(100_000))).toBe(false);
  });
});
