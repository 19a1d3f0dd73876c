import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { computeDigest, DIGEST_FORMATS, type DigestFormat } from '../../packages/tools/src/alert/digest.ts';
import type { Insight } from '../../packages/tools/src/alert/insights.ts';
import { toLink } from '../../packages/tools/src/alert/link.ts';
import { FORMATS } from '../../packages/tools/src/alert/messages.ts';
import { toInsight } from '../../schema/insights/candidate.ts';
import type { InsightScope } from '../../schema/insights/scope.ts';
import type { AccountId } from '../../sql/account-id.ts';

/** Every message stays within its receiver's limits and is rendered safely, whatever an insight contains. */

const BASE = 'https://reports.example.com';

const insight: Insight = {
  id: 'newSender-2026-05-18-3f',
  kind: 'newSender',
  severity: 'incident',
  title: 'A title',
  detail: 'A detail',
  subject: 'a subject',
  firstSeen: '2026-05-18T00:00:00.000Z',
  lastSeen: '2026-05-18T00:00:00.000Z',
  count: 1,
  baseline: 0,
  link: '/app#/dmarc',
  query: null,
  verdict: null,
  state: 'new',
};

/** Including control characters, markup, unpaired surrogates, and very long words. */
const hostile = fc
  .tuple(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.constantFrom(
      '',
      '\r\n',
      '\u001b[31m\u0007',
      '\u202e',
      '\ud83d',
      '=====',
      '- # 1. ',
      '<b>&"\'',
      '\u{1f4a9}',
    ),
    fc.constantFrom(1, 30, 4000),
  )
  .map(([text, part, times]) => text + part.repeat(times) + text);
const anyInsight = fc
  .record({
    title: hostile,
    detail: hostile,
    subject: hostile,
    link: hostile.map(text => `/app#/csp?a=${text}`),
  })
  .map((texts): Insight => ({ ...insight, ...texts }));

describe('a message', () => {
  it('respects the limits of its receiver and contains no control characters', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(anyInsight, own => {
        const event = { id: `${own.id}:new`, event: 'new', insight: own } as const;
        const link = toLink(BASE, own);
        expect(link).toMatch(/^https:\/\/reports\.example\.com\/[!-~]*$/);
        expect(link.length).toBeLessThanOrEqual(700);
        const slack = JSON.parse(FORMATS.slack(event, link).body);
        for (const { text } of slack.blocks) {
          expect(text.text.length).toBeLessThanOrEqual(3000);
          expect(text.text).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}|\p{Cs}/u);
        }
        expect(Buffer.byteLength(FORMATS.teams(event, link).body)).toBeLessThanOrEqual(28_000);
        expect(Buffer.byteLength(FORMATS.json(event, link).body)).toBeLessThanOrEqual(60_000);
        const ntfy = FORMATS.ntfy(event, link);
        expect(Buffer.byteLength(ntfy.body)).toBeLessThanOrEqual(4096);
        expect(ntfy.body.split('\n')).toHaveLength(3);
        // Values that are valid headers for fetch.
        expect(() => new Headers(ntfy.headers)).not.toThrow();
      }),
      { numRuns: 150 },
    );
  });

  it('respects the line length of mail and adds no elements to the document', () => {
    fc.assert(
      fc.property(
        anyInsight,
        fc.constantFrom(...(Object.keys(DIGEST_FORMATS) as DigestFormat[])),
        (own, format) => {
          const [from, until] = [new Date('2026-05-11'), new Date('2026-05-18')];
          const text = computeDigest({ period: 'week', from, until, insights: [own], base: BASE }, format);
          for (const line of text.split('\n')) {
            expect(Buffer.byteLength(line)).toBeLessThanOrEqual(998);
            expect(line).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
            if (format === 'markdown') expect(line).not.toMatch(/^\s*(=+|\d+[.)]|>.*|```.*)\s*$/);
          }
          if (format === 'html') expect(text.match(/<\/?(\w+)/g)).toEqual(HTML);
        },
      ),
      { numRuns: 150 },
    );
  });
});

const HTML =
  '<html <meta <title </title <h1 </h1 <h2 </h2 <ul <li <a <bdi </bdi </a <br <bdi </bdi </li </ul <p </p </html'.split(
    ' ',
  );

describe('an insight', () => {
  const looked = {
    account: { id: 1 as unknown as AccountId },
    now: new Date('2026-05-18'),
    until: new Date('2026-05-18'),
  } as unknown as InsightScope;

  it('has texts and links of limited length, regardless of its subject', () => {
    fc.assert(
      fc.property(hostile, hostile, (host, path) => {
        const draft = {
          kind: 'spike',
          severity: 'change',
          title: host,
          detail: path,
          subject: host + path,
          first: 1_779_000_000,
          last: 1_779_000_060,
          count: 20,
          baseline: 0,
          reports: { type: 'csp', filters: { hostnames: host, paths: path } },
          hosts: [host],
          rank: 1,
        } as const;
        const { title, detail, subject, link, query } = toInsight(draft, looked);
        expect(title.length).toBeLessThanOrEqual(120);
        expect(detail.length).toBeLessThanOrEqual(1000);
        expect(subject.length).toBeLessThanOrEqual(500);
        expect(link.length).toBeLessThanOrEqual(500);
        expect(query?.length ?? 0).toBeLessThanOrEqual(2000);
        const given = new URLSearchParams(link.split('?')[1]);
        for (const [name, value] of [
          ['hostnames', host],
          ['paths', path],
        ] as const)
          if (given.has(name)) expect(given.get(name)).toBe(value.toWellFormed?.() ?? given.get(name));
      }),
      { numRuns: 150 },
    );
  });
});
