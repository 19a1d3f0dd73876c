import { expect, it } from 'vitest';
import { toEvidence } from '../../src/evidence/evidence.ts';
import { toHtml } from '../../src/evidence/html.ts';
import type { EvidenceAnswer } from '../../src/evidence/question.ts';

const NOW = new Date('2026-05-19T00:00:00Z');
const scope = {
  site: 'shop.example',
  paths: ['/a&b', '/c*'],
  from: '2026-04-20T00:00:00Z',
  to: '2026-05-30T00:00:00Z',
};

const group = (keys: Record<string, string>, day: string, count = 1) => ({
  keys: Object.entries(keys).map(([by, value]) => ({ by, value })),
  ...{ count, firstSeen: `${day}T01:02:03Z`, lastSeen: `${day}T23:59:59Z` },
});
const verdict = (subject: string, fields: object = {}) => ({
  ...{
    subject,
    verdict: 'mine',
    owner: 'Team <a>',
    reason: 'Because "x"',
    decidedBy: 'o’b',
    decidedAt: '2026-01-01T23:59:59Z',
  },
  ...{ hashes: [], expiresAt: null, ...fields },
});
const seen = (groups: object[], truncated = false) => ({ groups, truncated });

const answer = (fields: object = {}) =>
  ({
    loaded: seen([
      ...Array.from({ length: 11 }, (_, at) =>
        group({ SUBRESOURCE: 'https://a.example/', PAGE: `/p${at}`, HASH: `h${at % 3}` }, '2026-04-21', 2),
      ),
      ...Array.from({ length: 10 }, (_, at) =>
        group({ SUBRESOURCE: 'https://b.example/', PAGE: `/p${at}` }, '2026-05-04'),
      ),
      group({ SUBRESOURCE: '\'&<>\u202e\u0000"' }, '2026-05-10'),
    ]),
    element: seen([group({ BLOCKED_URI: 'inline' }, '2026-05-03')]),
    attribute: seen([]),
    script: null,
    loadedDays: seen([
      group({ DAY: '2026-04-21' }, '2026-04-21', 7),
      group({ DAY: '2026-04-27' }, '2026-04-27', 5),
    ]),
    violationDays: seen([group({ DAY: '2026-05-10' }, '2026-05-10', 3)]),
    verdicts: [
      verdict('https://a*', { hashes: ['h0'] }),
      verdict('https://b.example/', { owner: null }),
      verdict('gone'),
    ],
    watches: [
      {
        site: 'SHOP.example',
        findings: [
          {
            policy: "script-src 'self'",
            enforced: true,
            firstSeen: '2026-05-12T00:00:00Z',
            lastSeen: '2026-05-13T00:00:00Z',
          },
          {
            policy: 'img-src *',
            enforced: false,
            firstSeen: '2026-04-01T00:00:00Z',
            lastSeen: '2026-04-20T00:00:00Z',
          },
        ],
      },
    ],
    ...fields,
  }) as unknown as EvidenceAnswer;

it('the page of some evidence is the one recorded', async () => {
  await expect(toHtml(toEvidence(scope, answer(), NOW))).toMatchFileSnapshot('./recorded/evidence.txt');
});

it('the page of no evidence, and of a part of it, is the one recorded', async () => {
  const none = seen([]);
  const empty = {
    loaded: seen([], true),
    element: none,
    loadedDays: none,
    violationDays: none,
    verdicts: [],
    watches: [],
  };
  const page = toHtml(toEvidence({ ...scope, paths: [], to: '2026-04-28T00:00:00Z' }, answer(empty), NOW));
  await expect(page.slice(page.indexOf('</style>'))).toMatchFileSnapshot('./recorded/nothing.txt');
});
