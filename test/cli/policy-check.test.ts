import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open, personal, plan, policyFinding, report, watch } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';
import { sightlineHere } from '../support/sightline.ts';

let service: TestService;
let key: string;
let folder: string;

const SITE = 'shop.example';
const PAGE = `https://${SITE}`;
/** The instant this many days ago, since the command uses the clock of the service. */
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const EVIL = 'https://evil.example';

const violation = (id: string, path: string, blockedUri: string, fields: Record<string, unknown> = {}) =>
  report('ada', 'csp', id, {
    uri: `${PAGE}${path}?visit=${id}`,
    date: daysAgo(9),
    directive: 'script-src-elem',
    blockedUri,
    browser: 'Chrome',
    ...fields,
  });

beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 30 }));
  await service.load(
    violation('a', '/cart', 'https://cdn.example/a.js', { count: 7 }),
    violation('b', '/pay/card', 'https://cdn.example/a.js', {
      date: daysAgo(8),
      browser: 'Firefox',
    }),
    violation('c', '/', `${EVIL}/x,y:z.js%0A::error::|<b>`, { directive: 'img-src' }),
    violation('d', '/', 'inline', { directive: 'style-src-elem' }),
    violation('e', '/', 'chrome-extension://abc/x.js'),
    violation('f', '/old', 'https://old.example/x.js', { date: daysAgo(40) }),
    violation('g', '/', 'https://fonts.example/f.woff', {
      directive: 'font-src',
      browser: 'X##[error]\r\n::error::100%0A|<b>',
    }),
  );
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-policy-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

interface Settings {
  url?: string;
  site?: string;
  env?: Record<string, string>;
}

const check = (args: readonly string[], { url = service.url, site = SITE, env }: Settings = {}) =>
  sightlineHere(['policy', 'check', ...args, '--url', url, '--site', site], env ?? { SIGHTLINE_KEY: key });

async function checkJson(args: readonly string[], settings?: Settings) {
  const { code, stdout, stderr } = await check([...args, '--format', 'json'], settings);
  return { code, stderr, report: stdout ? JSON.parse(stdout) : undefined };
}

const TIGHT = "default-src 'self'";
const WIDE =
  "default-src 'self'; script-src 'self' cdn.example; img-src 'self' evil.example; style-src 'self' 'unsafe-inline'; font-src 'self' *";
const header = (policy: string) => `Content-Security-Policy: ${policy}\n`;

describe('a check of a policy', () => {
  it('accepts a file of one mebibyte and refuses a longer one', { tags: 'slow' }, async () => {
    const policy = (length: number) => write('large', header(TIGHT).padEnd(length, '\n'));
    expect(await check([await policy(1024 * 1024)])).toMatchObject({
      stdout: expect.stringContaining(':1: '),
    });
    const path = await policy(1024 * 1024 + 1);
    expect(await check([path])).toEqual({
      code: 2,
      stdout: '',
      stderr: `${path} is larger than 1048576 bytes.\n`,
    });
  });

  it('passes if nothing is blocked', async () => {
    const { code, stdout } = await check([await write('wide', header(WIDE))]);
    expect(stdout).toContain('Passed: 1 policy against');
    expect(stdout).toContain('What reports cannot tell:');
    expect(code).toBe(0);
  });

  it('lists blocked sources with the change that would allow them', async () => {
    const { code, report, stderr } = await checkJson([await write('tight', header(TIGHT))]);
    expect(code).toBe(1);
    expect(stderr).toContain('did not pass');
    const [policy] = report.policies;
    expect(policy.effects[0]).toMatchObject({
      violated: 'script-src-elem',
      blocked: 'https://cdn.example',
      count: 8,
      pages: 2,
      days: 2,
      browsers: ['Chrome', 'Firefox'],
      repair: { directive: 'script-src', source: 'https://cdn.example', opens: null },
    });
    const inline = policy.effects.find(({ blocked }: { blocked: string }) => blocked === 'inline');
    expect(inline.repair).toMatchObject({
      source: "'unsafe-inline'",
      opens: expect.stringContaining('attacker'),
    });
    expect(inline.browsers).toEqual(['Chrome']);
    expect(policy.repaired).toContain("script-src 'self' https://cdn.example");
    expect(policy.repaired).not.toContain('unsafe');
  });

  it('names the browsers of a blocked source beside more than a thousand other sources', {
    tags: 'slow',
  }, async () => {
    const many = 'many.example';
    await service.load(
      violation('many', '/', `${EVIL}/x.js`, { uri: `https://${many}/`, browser: 'Edge' }),
      ...Array.from({ length: 1100 }, (_, index) =>
        violation(`many-${index}`, '/', `https://x${index}.test/a.js`, {
          ...{ uri: `https://${many}/`, count: 2 },
        }),
      ),
    );
    const allowed = "default-src 'self' *.test";
    const { report } = await checkJson([await write('many', header(allowed))], { site: many });
    expect(report.policies[0].effects).toMatchObject([{ blocked: EVIL, browsers: ['Edge'] }]);
  });

  it('names up to eight browsers, the most frequent first', async () => {
    const site = 'browsers.example';
    const browsers = Array.from({ length: 10 }, (_, n) => `Browser ${n}`);
    await service.load(
      ...browsers.map((browser, n) =>
        violation(`browser-${n}`, '/', `${EVIL}/x.js`, { uri: `https://${site}/`, browser, count: 20 - n }),
      ),
    );
    const { report } = await checkJson([await write('browsers', header(TIGHT))], { site });
    expect(report.policies[0].effects[0].browsers).toEqual(browsers.slice(0, 8));
  });

  it('returns the same counts as the policy replay of the page', async () => {
    const [one, two] = [await write('tight', header(TIGHT)), await write('wide', header(WIDE))];
    const { report } = await checkJson([one, two]);
    for (const { text, counts } of report.policies) {
      const { viewer } = await data(
        service,
        key,
        `query ($policy: PolicyText!) { viewer { policyReplay(site: "${SITE}", policy: $policy, from: "${daysAgo(29).slice(0, 10)}") {
          blocked { count } allowed { count } unknown { count } noise { count } otherCount } } }`,
        { variables: { policy: text } },
      );
      const { blocked, allowed, unknown, noise, otherCount } = viewer.policyReplay;
      expect(report.from).toBe(`${daysAgo(29).slice(0, 10)}T00:00:00Z`);
      expect(counts).toEqual({
        blocked: blocked.count,
        newlyBlocked: blocked.count,
        allowed: allowed.count,
        unknown: unknown.count,
        noise: noise.count,
        unexamined: otherCount,
      });
    }
  });

  it('ignores sources that the baseline already blocks', async () => {
    const [tight, wide] = [await write('tight', header(TIGHT)), await write('wide', header(WIDE))];
    const [same, less, more] = [
      await checkJson([tight, '--baseline', tight]),
      await checkJson([wide, '--baseline', tight]),
      await checkJson([tight, '--baseline', wide]),
    ];
    expect([same.code, less.code, more.code]).toEqual([0, 0, 1]);
    expect(same.report.policies[0].counts).toMatchObject({ blocked: 11, newlyBlocked: 0 });
    expect(more.report.policies[0].notes).toContainEqual(
      expect.stringContaining('drops sources of the baseline'),
    );
    expect(less.report.policies[0].notes).toEqual([]);
    const reported = await write('reported', `Content-Security-Policy-Report-Only: ${TIGHT}`);
    expect((await checkJson([tight, '--baseline', reported])).code).toBe(1);
  });

  it('passes if no more reports are blocked than --allow permits', async () => {
    const tight = await write('tight', header(TIGHT));
    const codes = [];
    for (const allow of ['10', '11', '12']) codes.push((await check([tight, '--allow', allow])).code);
    expect(codes).toEqual([1, 0, 0]);
  });

  it('checks each policy in a file against its own pages', async () => {
    const file = await write(
      '_headers',
      `/*\n  Content-Security-Policy: ${WIDE}\n/pay/*\n  Content-Security-Policy: ${TIGHT}\n` +
        `  Content-Security-Policy-Report-Only: ${TIGHT}\nhttps://blog.example/*\n  Content-Security-Policy: ${TIGHT}\n`,
    );
    const { code, report } = await checkJson([file]);
    expect(code).toBe(1);
    expect(
      report.policies.map((one: Record<string, unknown>) => [one.line, one.isEnforced, one.result]),
    ).toEqual([
      [2, true, 'passed'],
      [4, true, 'failed'],
      [5, false, 'warned'],
    ]);
    expect(report.policies[1].effects).toHaveLength(1);
    expect(report.skipped).toMatchObject([{ line: 7, reason: 'It is for blog.example.' }]);
  });

  it('fails for a Report-Only policy only with --as-enforced', async () => {
    const file = await write('reported', `Content-Security-Policy-Report-Only: ${TIGHT}`);
    expect((await check([file])).code).toBe(0);
    expect((await check([file, '--as-enforced'])).code).toBe(1);
  });

  it('prefers --path to the paths in the file', async () => {
    const file = await write('tight', header(TIGHT));
    const { report } = await checkJson([file, '--path', '/pay/*']);
    expect(report.policies[0].counts.blocked).toBe(1);
  });

  it('names the parts that browsers ignore, and whether the policy has been tried', async () => {
    await service.load(
      watch('ada', 'policy', SITE),
      policyFinding('ada', SITE, "default-src 'self' a.example", {
        firstSeen: daysAgo(35),
        lastSeen: daysAgo(1),
      }),
    );
    const file = await write('odd', header(`${WIDE}; scirpt-src 'self'; connect-src htp:/x`));
    const { report } = await checkJson([file]);
    expect(report.policies[0].notes).toEqual(
      expect.arrayContaining([
        'Browsers ignore scirpt-src: it is not a directive.',
        'Browsers ignore htp:/x in connect-src.',
        expect.stringContaining('No equally strict policy has been sent'),
      ]),
    );
    expect((await check([file, '--require-trial'])).code).toBe(2);
    const tried = await write('tried', header("default-src 'self' a.example"));
    expect((await check([tried, '--require-trial', '--allow', '99'])).code).toBe(0);
  });
});

describe('an incomplete check', () => {
  it.each([
    ['an unsupported policy', 'add_header Content-Security-Policy $csp;', [], 'variable $csp'],
    ['a plan with a shorter retention', header(WIDE), ['--since', '90d'], 'Use --since 30d'],
    [
      'a policy for another host',
      `https://other.example/*\n  ${header(WIDE)}`,
      [],
      'No policy of these files',
    ],
  ])('exits with 2 for %s', async (_, text, args, reason) => {
    const { code, stdout, stderr } = await check([await write('part', text), ...args]);
    expect(code).toBe(2);
    expect(stdout).toContain(reason);
    expect(stderr).toContain('incomplete');
  });

  it('exits with 2 for a site without reports, unless that is allowed', async () => {
    const file = await write('wide', header(WIDE));
    const { code, stdout } = await check([file], { site: 'shpo.example' });
    expect(code).toBe(2);
    expect(stdout).toContain('Check --site');
    expect((await check([file, '--allow-empty'], { site: 'shpo.example' })).code).toBe(0);
  });

  it.each([
    ['a missing file', ['/nowhere/file'], 'cannot be read: ENOENT'],
    ['a folder', [tmpdir()], 'cannot be read: EISDIR'],
    ['an invalid time', ['--since', 'ever'], 'Give 30d'],
    ['a date that does not exist', ['--since', '2026-02-29'], 'Give 30d'],
    ['an invalid number', ['--allow', '-1'], 'whole number'],
    ['an invalid format', ['--format', 'xml'], 'Allowed choices'],
    ['a domain', ['--domain', 'example.com'], '--domain is for DMARC records'],
  ])('exits with 2 for incorrect usage: %s', async (_, args, message) => {
    const { code, stdout } = await check([await write('wide', header(WIDE)), ...args]).then(outcome => ({
      ...outcome,
      stdout: outcome.stdout + outcome.stderr,
    }));
    expect([code, stdout]).toEqual([2, expect.stringContaining(message)]);
  });

  it.each([
    [1024 * 1024, 'is in an unknown format'],
    [1024 * 1024 + 1, 'is larger than 1048576 bytes.\n'],
  ])('exits with 2 for a file of %i bytes, which %s', async (length, reason) => {
    const path = await write('odd', 'x'.repeat(length));
    const { code, stderr } = await check([path]);
    const said = `${path} ${reason}`;
    expect([code, stderr.slice(0, said.length)]).toEqual([2, said]);
  });

  it('exits with 2 without a key, with a wrong key, and without a connection', async () => {
    const file = await write('wide', header(WIDE));
    const codes = [
      await check([file], { env: {} }),
      await check([file], { env: { SIGHTLINE_KEY: `svc_d_${'0'.repeat(32)}` } }),
      await check([file], { url: 'http://127.0.0.1:1' }),
    ];
    expect(codes.map(({ code, stdout }) => [code, stdout])).toEqual([
      [2, ''],
      [2, ''],
      [2, ''],
    ]);
  });

  it('exits with 2 if a response is cut off', async () => {
    let requested = 0;
    const proxy = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (++requested > 1) return void response.destroy();
      const { authorization = '' } = request.headers;
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers,
        body: Buffer.concat(chunks),
      });
      response.end(await answer.text());
    });
    await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { code, stderr } = await check([await write('wide', header(WIDE))], { url });
    proxy.close();
    expect([code, stderr]).toEqual([2, expect.stringContaining('The check was not completed')]);
  });
});

describe('reported text', () => {
  it('cannot break out of an annotation', async () => {
    const { stdout } = await check([await write('tight', header(TIGHT)), '--format', 'github']);
    for (const line of stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::[^\r]*$/);
    expect(stdout).not.toContain('##[');
    expect(stdout).toContain(',line=1,title=Policy blocks::script-src-elem https://cdn.example: 8 reports');
    expect(stdout).toContain('%25');
  });

  it('is escaped in annotations together with the file name', async () => {
    const { stdout } = await check([await write('a,b:c%0A', header(TIGHT)), '--format', 'github']);
    expect(stdout).toContain('a%2Cb%3Ac%250A,line=1');
  });

  it('is escaped in Markdown', async () => {
    const { stdout } = await check([await write('tight', header(TIGHT)), '--format', 'markdown']);
    const rows = stdout.split('\n').filter(line => line.startsWith('|'));
    expect(rows.length).toBeGreaterThan(4);
    for (const row of rows) expect(row.match(/\|/g)).toHaveLength(8);
    expect(stdout).not.toMatch(/<b>|https:\/\//);
  });

  it('cannot add lines to the text output', async () => {
    const { code, stdout } = await check([await write('tight', header(TIGHT))]);
    expect(code).toBe(1);
    expect(stdout).toContain('::error::100%0A');
    expect(stdout).not.toMatch(/^::|\r/m);
  });
});
