import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open, personal, plan, report } from '../support/fixtures.ts';
import { startService, type TestService } from '../support/service.ts';
import { sightlineHere } from '../support/sightline.ts';

let service: TestService;
let key: string;
let folder: string;

const PUBLISHED = { p: 'none', sp: '', np: '', adkim: 'r', aspf: 'r', fo: '', pct: 100, testing: '' };
const OWN = { domain: 'example.com', selector: 's1', result: 'pass', humanResult: '' };
const HOSTILE = 'evil|<b>##[error]%.example';

/** A row of messages from one sender. They fail unless they are signed. */
const row = (id: string, organisation: string, count: number, fields: Record<string, unknown> = {}) =>
  report('ada', 'dmarc', id, {
    date: new Date(Date.now() - 5 * 86_400_000).toISOString(),
    ...{ domain: 'example.com', headerFrom: 'example.com', organisation, disposition: 'none', count },
    ...{ dkim: 'fail', spf: 'fail', aligned: false, dkimResults: [], spfResults: [], overrideReasons: [] },
    publishedPolicy: { ...PUBLISHED, discoveryMethod: '' },
    ...fields,
  });

const signed = { dkim: 'pass', aligned: true, dkimResults: [OWN] };

const OF_TAGS = { ...OWN, domain: 'tags.example' };
const ofTags = (headerFrom: string) => ({ domain: 'tags.example', headerFrom });

beforeAll(async () => {
  service = await startService();
  key = await open(service, personal('ada'), plan('ada', { dataRetentionDays: 30 }));
  await service.load(
    row('good', 'Good Mail', 200, signed),
    row('half-a', 'Half Mail', 60, signed),
    row('half-b', 'Half Mail', 40),
    row('hostile-a', HOSTILE, 9, signed),
    row('hostile-b', HOSTILE, 2),
    row('stranger', 'Stranger', 500),
    row('strict', 'Half Mail', 7, {
      domain: 'strict.example',
      headerFrom: 'strict.example',
      publishedPolicy: { ...PUBLISHED, p: 'reject', discoveryMethod: '' },
    }),
    row('strict-signed', 'Half Mail', 7, {
      ...signed,
      domain: 'strict.example',
      headerFrom: 'strict.example',
      dkimResults: [{ ...OWN, domain: 'strict.example' }],
      publishedPolicy: { ...PUBLISHED, p: 'reject', discoveryMethod: '' },
    }),
    row('tags-signed', 'Tag Mail', 50, { ...ofTags('tags.example'), ...signed, dkimResults: [OF_TAGS] }),
    row('tags-domain', 'Tag Mail', 5, ofTags('tags.example')),
    row('tags-sub', 'Tag Mail', 8, ofTags('news.tags.example')),
  );
  folder = await mkdtemp(join(tmpdir(), 'sightline-test-dmarc-'));
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function check(text: string, args: readonly string[] = ['--domain', 'example.com']) {
  const file = join(folder, 'record');
  await writeFile(file, text);
  return sightlineHere(['policy', 'check', file, ...args, '--url', service.url], { SIGHTLINE_KEY: key });
}

const REJECT = 'v=DMARC1; p=reject';

describe('a check of a DMARC record', () => {
  it('passes if the record loses no messages', async () => {
    const { code, stdout } = await check('v=DMARC1; p=none');
    expect(stdout).toContain('Passed: 1 DMARC record against 811 messages');
    expect(stdout).toContain('What reports cannot tell:');
    expect(code).toBe(0);
  });

  it('lists own senders that would lose mail, with the reason and the remedy', async () => {
    const { code, stdout } = await check(REJECT, ['--domain', 'Example.com.', '--format', 'json']);
    const { result, records } = JSON.parse(stdout);
    expect([code, result]).toEqual([1, 'failed']);
    expect(records[0]).toMatchObject({
      domain: 'example.com',
      published: 'v=DMARC1; p=none',
      counts: { messages: 811, delivered: 269, rejected: 542, lost: 42 },
    });
    expect(records[0].senders.map(({ lost }: { lost: number }) => lost)).toEqual([40, 2]);
    expect(records[0].senders[0]).toMatchObject({
      sender: expect.stringMatching(/half mail/i),
      messages: 100,
      reasons: [
        { cause: 'noDkim', messages: 40 },
        { cause: 'spfFails', messages: 40 },
      ],
      repair: expect.stringContaining('Turn on DKIM'),
    });
  });

  it('passes if no more messages are lost than allowed', async () => {
    expect((await check(REJECT, ['--domain', 'example.com', '--allow', '42'])).code).toBe(0);
    expect((await check(REJECT, ['--domain', 'example.com', '--allow', '41'])).code).toBe(1);
  });

  it('ignores messages that the published policy already loses', async () => {
    const { code, stdout } = await check('_dmarc.strict.example. 3600 IN TXT "v=DMARC1; p=reject"', []);
    expect(stdout).toContain('strict.example passed: 0 messages of your senders newly lost');
    expect(code).toBe(0);
  });

  it.each([
    ['p=reject', 13, 13],
    ['p=reject; sp=none', 5, 5],
    ['p=none; sp=reject', 8, 8],
    ['p=none; sp=none; np=reject', 0, 0],
    ['p=quarantine; t=y', 0, 0],
    ['p=reject; t=y', 13, 0],
    ['p=reject; pct=0', 13, 13],
  ])('applies the tags of v=DMARC1; %s', async (tags, lost, rejected) => {
    const { stdout } = await check(`v=DMARC1; ${tags}`, ['--domain', 'tags.example', '--format', 'json']);
    expect(JSON.parse(stdout).records[0].counts).toMatchObject({ messages: 63, lost, rejected });
  });

  it('notes that receivers ignore pct, and that reports do not show whether a domain exists', async () => {
    const { stdout } = await check('v=DMARC1; p=none; np=reject; pct=10', ['--domain', 'tags.example']);
    expect(stdout).toContain('pct');
    expect(stdout).toContain('np');
  });

  it.each([
    ['quoted', '"v=DMARC1; p=reject"'],
    ['split into several strings', '"v=DMARC1; p=re" "ject"'],
    ['in parentheses', '; the record\n_dmarc IN TXT ( "v=DMARC1; "\n  "p=reject" ) ; end\n'],
    ['with decimal escapes', '_dmarc TXT "v=DMARC1\\059 p\\061\\114eject"'],
    ['with a lifetime', '_dmarc.example.com. 1h TXT "v=DMARC1; p=reject"'],
    ['with a lifetime before the class', '_dmarc.example.com. 3600 IN TXT "v=DMARC1; p=reject"'],
    ['with a lifetime behind the class', '_dmarc.example.com. in 3600 txt "v=DMARC1; p=reject"'],
    ['with a name', '_dmarc.example.com. IN TXT "v=DMARC1\\; p=reject"'],
  ])('accepts a record %s', async (_, text) => {
    const { code, stdout } = await check(text, ['--domain', 'example.com', '--format', 'json']);
    expect([code, JSON.parse(stdout).records[0].text]).toEqual([1, REJECT]);
  });

  it('prints a table that sender names cannot break', async () => {
    const { stdout } = await check(REJECT, ['--domain', 'example.com', '--format', 'markdown']);
    expect(stdout).toContain('| Sender | Lost | Messages | Why | Repair |');
    expect(stdout).not.toContain('<b>');
    for (const line of stdout.split('\n').filter(text => text.startsWith('|')))
      expect(line.match(/\|/g)).toHaveLength(6);
  });

  it('prints annotations that sender names cannot break out of', async () => {
    const { stdout } = await check(REJECT, ['--domain', 'example.com', '--format', 'github']);
    for (const line of stdout.trimEnd().split('\n'))
      expect(line).toMatch(/^::(?:error|warning|notice) [^:]*::[^\r]*$/);
    expect(stdout).toContain('line=1,title=DMARC record loses mail::');
    expect(stdout).not.toContain('##[');
  });

  it.each([
    ['an invalid action', 'v=DMARC1; p=drop', [], 'p: The tag p must be none, quarantine, reject'],
    ['a repeated tag', 'v=DMARC1; p=none; p=reject', [], 'p: The tag p occurs twice'],
    ['an invalid version', 'v=DMARC2; p=none', [], 'v: A record begins with v=DMARC1'],
    ['a record without a version', '_dmarc.example.com. TXT "p=none"', [], 'v: A record begins with'],
    ['a zone file without quotes', '_dmarc.example.com. TXT v=DMARC1; p=none', [], 'without quotes'],
    ['an unclosed quote', '"v=DMARC1; p=none', [], 'not closed'],
    ['two records', '"v=DMARC1; p=none"\n_dmarc IN TXT "v=DMARC1"', [], 'more than the quoted strings'],
    ['another record name', 'mail.example.com. TXT "v=DMARC1; p=none"', [], 'must begin with _dmarc'],
    ['a long record', `v=DMARC1; p=none; rua=${'x'.repeat(5000)}`, [], 'more than 4096 characters'],
    ['a missing domain', REJECT, [], 'give --domain'],
    ['a relative name', '_dmarc IN TXT "v=DMARC1; p=none"', [], 'give --domain'],
    ['two domains', '_dmarc.a.example. TXT "v=DMARC1"', ['--domain', 'b.example'], 'of a.example'],
    ['an invalid domain', REJECT, ['--domain', 'a b'], 'omain'],
    ['an option for CSP', REJECT, ['--domain', 'example.com', '--as-enforced'], 'other options are for'],
    ['no reports', REJECT, ['--domain', 'none.example'], 'Check --domain'],
    [
      'a plan with a shorter retention',
      REJECT,
      ['--domain', 'example.com', '--since', '90d'],
      'Use --since 30d',
    ],
    ['a policy without a site', "Content-Security-Policy: default-src 'self'", [], 'needs --site'],
  ])('exits with 2 for %s', async (_, text, args, reason) => {
    const { code, stdout, stderr } = await check(text, args);
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(reason)]);
  });

  it('passes without reports if that is allowed', async () => {
    expect((await check(REJECT, ['--domain', 'none.example', '--allow-empty'])).code).toBe(0);
  });
});
