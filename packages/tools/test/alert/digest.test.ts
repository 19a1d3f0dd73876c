import { describe, expect, it } from 'vitest';
import { computeDigest, type DigestFormat } from '../../src/alert/digest.ts';
import type { Insight } from '../../src/alert/insights.ts';

const insight = (more: Partial<Insight>): Insight => ({
  ...{ id: 'a', kind: 'newHost', severity: 'notice', state: 'new', title: 'A title', detail: 'A detail' },
  ...{ subject: 'c', firstSeen: '', lastSeen: '', count: 1, baseline: 0, link: '/app#/csp' },
  ...{ query: null, verdict: null },
  ...more,
});
const digest = (format: DigestFormat, ...insights: Insight[]) =>
  computeDigest(
    {
      period: 'week',
      from: new Date('2026-05-13T12:00:00Z'),
      until: new Date('2026-05-20T12:00:00Z'),
      insights,
      base: 'https://reports.example',
    },
    format,
  );
const ALL = [
  insight({}),
  insight({ severity: 'threat', title: 'It\'s "<b>" & more', detail: 'one\n two' }),
  insight({ severity: 'change', title: 'B' }),
  insight({ severity: 'incident', title: 'C' }),
  insight({ severity: 'threat', title: 'D', link: '/app#/nel?a=1&b=2' }),
];

describe('a digest', () => {
  it('as text lists insights by severity', () => {
    expect(digest('text', ...ALL)).toBe(`Insights of the week from 2026-05-13 to 2026-05-20
==================================================

Threats
-------
It's "<b>" & more
  one two
  https://reports.example/app#/csp

D
  A detail
  https://reports.example/app#/nel?a=1&b=2

Incidents
---------
C
  A detail
  https://reports.example/app#/csp

Changes
-------
B
  A detail
  https://reports.example/app#/csp

Good to know
------------
A title
  A detail
  https://reports.example/app#/csp

Names come from reports, which anyone can send.
`);
  });

  it('as Markdown escapes texts', () => {
    expect(digest('markdown', ALL[1]!, ALL[0]!)).toBe(`# Insights of the week from 2026-05-13 to 2026-05-20

## Threats

- **It's "\\<b\\>" \\& more**
  ([look](<https://reports.example/app#/csp>))${'  '}
  one two

## Good to know

- **A title**
  ([look](<https://reports.example/app#/csp>))${'  '}
  A detail

Names come from reports, which anyone can send.
`);
  });

  it('as HTML escapes texts and links', () => {
    expect(digest('html', ALL[1]!, ALL[4]!)).toBe(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Insights of the week from 2026-05-13 to 2026-05-20</title>
<h1>Insights of the week from 2026-05-13 to 2026-05-20</h1>
<h2>Threats</h2>
<ul>
<li><a href="https://reports.example/app#/csp"
><bdi>It&#39;s &#34;&#60;b&#62;&#34; &#38; more</bdi></a><br>
<bdi>one two</bdi></li>
<li><a href="https://reports.example/app#/nel?a=1&#38;b=2"
><bdi>D</bdi></a><br>
<bdi>A detail</bdi></li>
</ul>
<p>Names come from reports, which anyone can send.</p>
</html>
`);
  });

  it.each<[DigestFormat, string]>([
    ['text', `${'='.repeat(50)}\n\nA quiet week: nothing new began.\n`],
    ['markdown', '2026-05-20\n\nA quiet week: nothing new began.\n'],
    ['html', '</h1>\n<p>A quiet week: nothing new began.</p>\n</html>\n'],
  ])('as %s says that there were no insights', (format, end) => {
    expect(digest(format).endsWith(end)).toBe(true);
  });

  it('wraps details at 76 characters, splits long words and truncates texts', () => {
    const [, , , , , ...lines] = digest(
      'text',
      insight({
        title: 't'.repeat(151),
        detail: `${'a'.repeat(37)} ${'b'.repeat(38)} ${'c'.repeat(37)} ${'d'.repeat(39)} ${'e'.repeat(151)}`,
      }),
    ).split('\n');
    expect(lines.slice(0, 7)).toEqual([
      `${'t'.repeat(149)}…`,
      `  ${'a'.repeat(37)} ${'b'.repeat(38)}`,
      `  ${'c'.repeat(37)}`,
      `  ${'d'.repeat(39)}`,
      `  ${'e'.repeat(150)}`,
      '  e',
      '  https://reports.example/app#/csp',
    ]);
    const long = digest('text', insight({ detail: 'ä'.repeat(2001) }));
    expect(long.match(/ä/g)).toHaveLength(1999);
    expect(long).toContain('ä…\n  https:');
  });
});
