import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { changeJson } from '../../../../test/support/changed-inputs.ts';
import { describeAsyncCall, describeCall, groupOutcomes } from '../../../../test/support/group-outcomes.ts';
import { cutBytes, onOneLine } from '../../src/alert/bounds.ts';
import { signature } from '../../src/alert/deliver.ts';
import { computeDigest, DIGEST_FORMATS, type DigestFormat } from '../../src/alert/digest.ts';
import { toEvents, withEvent, withoutExpired } from '../../src/alert/events.ts';
import { type Insight, isAtLeast, SEVERITIES } from '../../src/alert/insights.ts';
import { toLink } from '../../src/alert/link.ts';
import { FORMATS, type MessageFormat } from '../../src/alert/messages.ts';
import { isDue, pickOnly, withRefused } from '../../src/alert/queue.ts';
import { readState } from '../../src/alert/state.ts';
import { parseDuration } from '../../src/terminal/duration.ts';
import { onOneLine as onTerminalLine } from '../../src/terminal/one-line.ts';
import { parsePort, parseTime, parseUrl, wholeNumber } from '../../src/terminal/values.ts';

const BASE = 'https://reports.example.com/x';
const NOW = new Date('2026-05-20T10:00:00Z');
const insight: Insight = {
  ...{
    id: 'spike-1',
    kind: 'spike',
    severity: 'change',
    state: 'new',
    title: 'One & <two>',
    detail: 'A *b*\n_c_ `d`',
  },
  ...{ subject: 'shop', firstSeen: '2026-05-18T00:00:00.000Z', lastSeen: '2026-05-19T00:00:00.000Z' },
  ...{ count: 3, baseline: 1, link: '/app#/csp?a=1&b=2', query: '{ a }', verdict: null },
};
const shorten = (text: string) => text.replace(/(.)\1{40,}/gs, (run, one) => `${one}{${run.length}}`);

it('each insight leads to the messages recorded', async () => {
  const events = [
    ...SEVERITIES.flatMap(severity =>
      (['new', 'resolved'] as const).map(
        event =>
          [`${event} ${severity}`, { id: `i:${event}`, event, insight: { ...insight, severity } }] as const,
      ),
    ),
    ...[300, 301, 2000, 2001, 2946, 2947, 3001].map(length => {
      const text = 'x'.repeat(length);
      const long = { ...insight, title: text, detail: text, subject: text, link: `/${text}`, query: text };
      return [`texts of ${length}`, { id: 'i', event: 'new', insight: long }] as const;
    }),
    [
      'wide characters',
      {
        id: 'i',
        event: 'new',
        insight: { ...insight, detail: '😀'.repeat(1000), title: '\u202eevil\u0000\u2028' },
      },
    ] as const,
  ];
  // The receivers' formats are the same for all severities.
  const isShort = (name: string) =>
    name.includes('change') ||
    name.includes('notice') ||
    name === 'new incident' ||
    name === 'resolved threat';
  const outcomes = events.flatMap(([name, event]) =>
    (Object.keys(FORMATS) as MessageFormat[])
      .filter(format => format === 'ntfy' || !isShort(name))
      .map(format => {
        const { headers, body } = FORMATS[format](event, `${BASE}/link`);
        return [
          `${name} ${format}`,
          `${JSON.stringify(headers)} ${shorten(body).replaceAll('😀'.repeat(10), '10')}`,
        ] as const;
      }),
  );
  const signatures = [NOW, new Date(999)].map(
    at => [`signed at ${at.getTime()}`, signature('secret', 'body', at)] as const,
  );
  await expect(groupOutcomes([...outcomes, ...signatures])).toMatchFileSnapshot('./recorded/messages.txt');
});

it('each digest has the text recorded', async () => {
  const base = { period: 'week', from: new Date('2026-05-13T00:00:00Z'), until: NOW, base: BASE };
  const words = 'word '.repeat(40);
  const sets: [string, Insight[]][] = [
    ['nothing', []],
    [
      'all severities',
      SEVERITIES.toReversed().flatMap(severity => [
        { ...insight, severity },
        { ...insight, severity, title: `"'=#` },
      ]),
    ],
    ['long texts', [{ ...insight, title: 'x'.repeat(151), detail: `${words}${'y'.repeat(320)} ${words}` }]],
    ['longest detail', [{ ...insight, detail: 'z'.repeat(2001), link: 'evil' }]],
    [
      'lines of 75 to 77',
      [{ ...insight, detail: `${'a'.repeat(70)} bbbb ${'c'.repeat(70)} ddddd ${'e'.repeat(70)} ffffff` }],
    ],
  ];
  const texts = sets.flatMap(([name, insights]) =>
    (Object.keys(DIGEST_FORMATS) as DigestFormat[]).map(
      format => `== ${name}, ${format}\n${shorten(computeDigest({ ...base, insights }, format))}`,
    ),
  );
  await expect(texts.join('\n')).toMatchFileSnapshot('./recorded/digests.txt');
});

it('each link, text and value is accepted or replaced as recorded', async () => {
  const links = [
    '/app#/csp',
    '',
    'app',
    '//evil.example/',
    '/\\evil.example',
    '/a b',
    '/ä',
    '/\n/x',
    'https://evil.example/',
    '@evil.example/',
  ];
  const lengths = [670, 671, 672, 673].map(length => `/${'a'.repeat(length - 1)}`);
  const values = [
    '0',
    '1',
    '65535',
    '65536',
    '-1',
    '1.5',
    ' 5',
    '',
    '60s',
    '500ms',
    '5m',
    '1h',
    '30d',
    '1w',
    '12345678',
    '0s',
    '9999999d',
  ];
  const urls = [
    'https://a.example',
    'http://a.example/x',
    'https://k@a.example',
    'https://:k@a.example',
    'https://a.example?x',
    'https://a.example#x',
    'ftp://a',
    'a',
    '',
  ];
  const cuts = ['abc', 'aäb', 'a€', '😀'].flatMap(text =>
    [3, 4, 5].map(bytes => [`${text} in ${bytes}`, cutBytes(text, bytes)] as const),
  );
  const controls = ['a\nb', 'a\tb', 'a\u0000b', '\u202eb', '\u2028', ' a  b ', 'a\ud800', '\u00adx'];
  const name = (text: string) =>
    JSON.stringify(text).replace(/[^ -~]/g, one => `\\u${one.charCodeAt(0).toString(16)}`);
  const all = [
    ...[...links, ...lengths].map(link => [name(shorten(link)), shorten(toLink(BASE, { link }))] as const),
    ...values.flatMap(text => [
      [`port ${text}`, describeCall(() => parsePort(text))] as const,
      [`1 to 5 ${text}`, describeCall(() => wholeNumber(1, 5)(text))] as const,
      [`duration ${text}`, describeCall(() => parseDuration(text))] as const,
      [`time ${text}`, describeCall(() => parseTime(text))] as const,
    ]),
    ...urls.map(text => [`url ${text}`, describeCall(() => parseUrl(text).href)] as const),
    ...cuts,
    ...controls.map(text => [name(text), `${name(onOneLine(text))} ${name(onTerminalLine(text))}`] as const),
    ...SEVERITIES.map(
      severity =>
        [severity, SEVERITIES.filter(least => isAtLeast({ ...insight, severity }, least)).join(' ')] as const,
    ),
  ];
  await expect(groupOutcomes(all)).toMatchFileSnapshot('./recorded/values.txt');
});

it('each state leads to the events and delays recorded', async () => {
  const one = { ...insight, id: 'a' };
  const reported = {
    a: { event: 'new' as const, insight: one, at: '2026-05-01T00:00:00Z' },
    b: { event: 'resolved' as const, insight, at: '2026-05-01T00:00:00Z' },
  };
  const present = [
    [],
    [one],
    [{ ...one, state: 'resolved' as const }],
    [{ ...one, state: 'ongoing' as Insight['state'] }],
    [{ ...one, id: 'b' }],
    [{ ...one, id: 'toString' }],
  ];
  const lines = present.map(insights =>
    JSON.stringify(toEvents(reported, insights).map(({ id, event, insight }) => [id, event, insight.state])),
  );
  const event = { id: 'a:new', event: 'new' as const, insight: one };
  lines.push(
    JSON.stringify(
      Object.entries(withEvent(reported, event, NOW)).map(([id, { event, at }]) => [id, event, at]),
    ),
  );
  for (const days of [91, 92, 93]) {
    const now = new Date(Date.parse('2026-05-01T00:00:00Z') + days * 86_400_000);
    lines.push(
      `${days} days: ${Object.keys(withoutExpired(reported, now))} ${Object.keys(withoutExpired(reported, new Date(now.getTime() - 1)))}`,
    );
  }
  let aside = {};
  for (let tries = 1; tries <= 10; tries++) {
    aside = withRefused(aside, event, NOW);
    const { due } = (aside as Record<string, { due: string }>)['a:new']!;
    const at = Date.parse(due);
    lines.push(
      `${JSON.stringify(aside)} ${[at - 1, at, at + 1].map(time => isDue(aside, event, new Date(time)))}`,
    );
  }
  lines.push(
    JSON.stringify([
      pickOnly(aside, []),
      pickOnly(aside, [event]),
      isDue({}, event, NOW),
      isDue(aside, { ...event, id: 'toString' }, NOW),
    ]),
  );
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('./recorded/events.txt');
});

it('each change of a state file is read or refused as recorded', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'states-'));
  const path = join(folder, 'state');
  const state = {
    reported: { a: { event: 'new', insight: { id: 'a' }, at: '2026-05-20' } },
    setAside: { b: { tries: 1, due: '2026-05-20' } },
  };
  const outcomes: [string, string][] = [['no file', await describeAsyncCall(() => readState(path))]];
  for (const { change, input } of [
    ...changeJson(state, [null, 0, '', []]),
    { change: 'unchanged', input: state },
  ]) {
    await writeFile(path, JSON.stringify(input));
    outcomes.push([change, (await describeAsyncCall(() => readState(path))).replace(path, 'FILE')]);
  }
  await rm(folder, { recursive: true });
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/states.txt');
});
