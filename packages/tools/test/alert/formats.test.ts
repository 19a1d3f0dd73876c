import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cutBytes, onOneLine } from '../../src/alert/bounds.ts';
import { isPrivate, toCommand, toStream } from '../../src/alert/deliver.ts';
import { computeDigest } from '../../src/alert/digest.ts';
import type { Insight } from '../../src/alert/insights.ts';
import { toLink } from '../../src/alert/link.ts';
import { FORMATS } from '../../src/alert/messages.ts';
import { readState, writeState } from '../../src/alert/state.ts';

const BASE = 'https://reports.example.com';
const LINK = `${BASE}/app#/csp?a=1&b=2`;
const insight: Insight = {
  ...{ id: 'spike-1', kind: 'spike', severity: 'change', state: 'new', title: 'One & two', detail: 'A <b>' },
  ...{ subject: 'shop', firstSeen: '2026-05-18T00:00:00.000Z', lastSeen: '2026-05-19T00:00:00.000Z' },
  ...{ count: 3, baseline: 1, link: '/app#/csp?a=1&b=2', query: '{ a }', verdict: null },
};
const event = { id: 'spike-1:new', event: 'new', insight } as const;
const CAUTION = 'Names in it come from reports, which anyone can send.';

describe('a message', () => {
  it('for a webhook contains the event with its link', () => {
    const { headers, body } = FORMATS.json(event, LINK);
    expect(headers).toEqual({ 'content-type': 'application/json' });
    const { verdict: _, ...sent } = insight;
    expect(JSON.parse(body)).toMatchObject({ id: 'spike-1:new', event: 'new', link: LINK, insight: sent });
  });

  it('for Slack has the title, the detail with a caution, and the link', () => {
    const { headers, body } = FORMATS.slack(event, LINK);
    expect(headers).toEqual({ 'content-type': 'application/json' });
    const { text, blocks } = JSON.parse(body);
    expect([text, ...blocks.map((block: { text: { text: string } }) => block.text.text)]).toEqual([
      'New change',
      'New change: One & two',
      `A <b>\n${CAUTION}`,
      LINK,
    ]);
    expect(blocks[0].text).toMatchObject({ type: 'plain_text', emoji: false });
  });

  it('for Teams has a bold title, the detail, a caution and a button', () => {
    const { headers, body } = FORMATS.teams({ ...event, event: 'resolved' }, LINK);
    expect(headers).toEqual({ 'content-type': 'application/json' });
    const { type, attachments } = JSON.parse(body);
    const [{ contentType, content }] = attachments;
    expect([type, contentType, content.type, content.version]).toEqual([
      'message',
      'application/vnd.microsoft.card.adaptive',
      'AdaptiveCard',
      '1.4',
    ]);
    expect(content.body.flatMap(({ inlines }: { inlines: object[] }) => inlines)).toEqual([
      { type: 'TextRun', text: 'Over, a change: One & two', weight: 'Bolder' },
      { type: 'TextRun', text: 'A <b>', weight: 'Default' },
      { type: 'TextRun', text: CAUTION, weight: 'Default' },
    ]);
    expect(content.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Look at it', url: LINK }]);
  });

  it('for ntfy has the title, the detail and a caution, one per line', () => {
    const { headers, body } = FORMATS.ntfy(event, LINK);
    expect(headers).toMatchObject({ 'content-type': 'text/plain; charset=utf-8', click: LINK });
    expect(body).toBe(`One & two\nA <b>\n${CAUTION}`);
  });

  it.each([
    ['threat', '5'],
    ['incident', '4'],
    ['change', '3'],
    ['notice', '2'],
  ] as const)('of the severity %s has the priority %s in ntfy', (severity, priority) => {
    const { headers } = FORMATS.ntfy({ ...event, insight: { ...insight, severity } }, LINK);
    expect(headers).toMatchObject({ priority, title: `Sightline: New ${severity}` });
  });

  it.each([
    ['a\r\n\tb', 'a b'],
    [' a\u2028b\u00a0c ', 'a b c'],
    ['a\u202eb\u200bc', 'a b c'],
    ['a\ud83db', 'a b'],
    ['a😀b', 'a😀b'],
  ])('has the text %j on one line as %j', (given, line) => {
    expect(onOneLine(given)).toBe(line);
  });

  it.each([
    ['äöü', 6, 'äöü'],
    ['äöü', 5, 'ä…'],
    ['abcdef', 6, 'abcdef'],
    ['abcdefg', 6, 'abc…'],
    ['a😀bcd', 7, 'a…'],
    ['a😀bcde', 8, 'a😀…'],
  ])('has the text %s in %i bytes as %s', (given, bytes, cut) => {
    expect(cutBytes(given, bytes)).toBe(cut);
  });
});

describe('the connection to a receiver', () => {
  it.each([
    ['https://hooks.example.com/', true],
    ['http://hooks.example.com/', false],
    ['http://localhost:8080/', true],
    ['http://127.0.0.1/', true],
    ['http://127.9.8.7/', true],
    ['http://128.0.0.1/', false],
    ['http://[::1]/', true],
    ['http://[::2]/', false],
    ['http://localhost.example.com/', false],
    ['http://my-localhost/', false],
  ])('to %s is private: %s', (url, expected) => {
    expect(isPrivate(new URL(url))).toBe(expected);
  });
});

describe('a link', () => {
  const linkOf = (link: string, base = BASE) => toLink(base, { link });

  it.each([
    ['/app#/csp?a=1', `${BASE}/app#/csp?a=1`],
    ['/app#/é x', `${BASE}/app#/%C3%A9%20x`],
    ['app#/csp', `${BASE}/app`],
    ['', `${BASE}/app`],
    ['.evil.example/', `${BASE}/app`],
    ['//evil.example/', `${BASE}//evil.example/`],
    ['@evil.example/', `${BASE}/app`],
  ])('to %j stays on the service: %s', (link, expected) => {
    expect(linkOf(link)).toBe(expected);
  });

  it('keeps the path at which the service is', () => {
    expect(linkOf('/app#/csp', `${BASE}/sightline`)).toBe(`${BASE}/sightline/app#/csp`);
    expect(linkOf('x', `${BASE}/sightline`)).toBe(`${BASE}/sightline/app`);
  });

  it('has at most 700 characters, also when it is escaped', () => {
    const room = 700 - BASE.length - 2;
    expect(linkOf(`/#${'a'.repeat(room)}`)).toHaveLength(700);
    expect(linkOf(`/#${'a'.repeat(room + 1)}`)).toBe(`${BASE}/app`);
    expect(linkOf(`/#${'a'.repeat(room - 1)}é`)).toBe(`${BASE}/app`);
  });
});

describe('a digest', () => {
  const incident: Insight = { ...insight, severity: 'incident', title: 'Down', detail: 'x '.repeat(50) };
  const digest = (insights: readonly Insight[], format: 'text' | 'markdown' | 'html') =>
    computeDigest(
      {
        ...{ period: 'week', insights, base: BASE },
        ...{ from: new Date('2026-05-11T23:59:59Z'), until: new Date('2026-05-18T23:59:59Z') },
      },
      format,
    );
  const HEADING = 'Insights of the week from 2026-05-11 to 2026-05-18';
  const NAMES = 'Names come from reports, which anyone can send.';
  // At most 76 characters a line.
  const [FIRST, SECOND] = [Array(38).fill('x').join(' '), Array(12).fill('x').join(' ')];

  it('as text has the most severe insights first and wrapped details', () => {
    expect(digest([insight, incident], 'text').split('\n')).toEqual([
      ...[HEADING, '='.repeat(HEADING.length), ''],
      ...['Incidents', '---------', 'Down', `  ${FIRST}`, `  ${SECOND}`, `  ${LINK}`, ''],
      ...['Changes', '-------', 'One & two', '  A <b>', `  ${LINK}`, ''],
      ...[NAMES, ''],
    ]);
  });

  it('as Markdown has escaped texts', () => {
    expect(digest([{ ...insight, severity: 'notice' }], 'markdown').split('\n')).toEqual([
      ...[`# ${HEADING}`, '', '## Good to know', ''],
      ...['- **One \\& two**', `  ([look](<${LINK}>))  `, '  A \\<b\\>', ''],
      ...[NAMES, ''],
    ]);
    const signs = '\\`*_{}[]()#+-.!|<>~&:@/=';
    const escaped = [...signs].map(sign => `\\${sign}`).join('');
    expect(digest([{ ...insight, title: signs }], 'markdown')).toContain(`- **${escaped}**\n`);
  });

  it('as HTML has escaped texts and links', () => {
    const title = `"One" & 'two' <3>`;
    const escaped = '&#34;One&#34; &#38; &#39;two&#39; &#60;3&#62;';
    expect(digest([{ ...insight, severity: 'threat', title }], 'html').split('\n')).toEqual([
      ...['<!doctype html>', '<html lang="en">', '<meta charset="utf-8">', `<title>${HEADING}</title>`],
      ...[`<h1>${HEADING}</h1>`, '<h2>Threats</h2>', '<ul>'],
      ...[`<li><a href="${LINK.replace('&', '&#38;')}"`, `><bdi>${escaped}</bdi></a><br>`],
      ...['<bdi>A &#60;b&#62;</bdi></li>', '</ul>', `<p>${NAMES}</p>`, '</html>', ''],
    ]);
  });

  it('without insights says so and has no caution', () => {
    expect(digest([], 'text').split('\n').slice(3)).toEqual(['A quiet week: nothing new began.', '']);
  });

  it('has titles of at most 150 and details of at most 2000 characters', () => {
    const text = digest([{ ...insight, title: 'a'.repeat(151), detail: 'b'.repeat(2001) }], 'text');
    expect(text.match(/a+…/)?.[0]).toBe(`${'a'.repeat(149)}…`);
    // Words are split after 150 characters.
    expect(text.match(/b+…?/g)!.map(({ length }) => length)).toEqual([...Array(13).fill(150), 50, 1]);
  });
});

describe('a delivery', () => {
  const { signal } = new AbortController();

  it.each([
    ['exit 0', undefined],
    ['exit 4', { problem: 'the command ended with 4', isLasting: false }],
    ['kill -9 $$', { problem: 'the command ended with a signal', isLasting: false }],
  ])('to the command %j results in %j', async (command, expected) => {
    expect(await toCommand(command)(event, LINK, signal)).toEqual(expected);
  });

  it('to a stream is a line of JSON, and fails for good if it cannot be written', async () => {
    const written: string[] = [];
    const stream = (error?: Error) =>
      new Writable({
        write(chunk, _, done) {
          written.push(String(chunk));
          done(error);
        },
      }).on('error', () => {});
    expect(await toStream(stream())(event, LINK, signal)).toBeUndefined();
    expect(await toStream(stream(new Error('full')))(event, LINK, signal)).toEqual({
      problem: 'standard output cannot be written: full',
      isLasting: true,
    });
    expect(written).toEqual(Array(2).fill(`${FORMATS.json(event, LINK).body}\n`));
  });
});

describe('a state file', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'alert-state-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  const reported = { a: { event: 'new', insight, at: '2026-05-20T00:00:00.000Z' } } as const;
  const setAside = { b: { tries: 1, due: '2026-05-20T00:00:00.000Z' } };

  it('is empty before it exists, and is read as it was written', async () => {
    const path = join(folder, 'written');
    expect(await readState(path)).toEqual({ reported: {}, setAside: {} });
    await writeState(path, { reported, setAside });
    expect(await readState(path)).toEqual({ reported, setAside });
    // Older versions set no events aside.
    await writeFile(path, JSON.stringify({ reported }));
    expect(await readState(path)).toEqual({ reported, setAside: {} });
  });

  it.each([
    '',
    'null',
    '{}',
    '{"reported":null}',
    '{"reported":{"a":{}}}',
    '{"reported":{"a":{"insight":{}}}}',
    '{"reported":{},"setAside":null}',
    '{"reported":[]}',
    '{"reported":{"a":{"insight":{"id":"a"},"at":"2026-05-20"}}}',
    '{"reported":{"a":{"event":"old","insight":{"id":"a"},"at":"2026-05-20"}}}',
    '{"reported":{"a":{"event":"new","insight":{"id":"a"},"at":"soon"}}}',
    '{"reported":{},"setAside":{"b":{"tries":0,"due":"2026-05-20"}}}',
    '{"reported":{},"setAside":{"b":{"tries":1,"due":"soon"}}}',
  ])('is rejected if its content is %j', async content => {
    const path = join(folder, 'wrong');
    await writeFile(path, content);
    await expect(readState(path)).rejects.toThrow(
      `${path} is not a state file of alerts: remove it to start again`,
    );
  });
});
