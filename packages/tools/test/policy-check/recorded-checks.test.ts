import { expect, it } from 'vitest';
import { describeAsyncCall, groupOutcomes } from '../../../../test/support/group-outcomes.ts';
import { checkPolicies } from '../../src/policy-check/check.ts';
import { checkDmarc } from '../../src/policy-check/dmarc/check.ts';
import { formatDmarcReport } from '../../src/policy-check/dmarc/formats.ts';
import { FORMATS, formatReport } from '../../src/policy-check/formats.ts';
import type { ServiceConnection } from '../../src/service/service.ts';

const NOW = new Date('2026-06-01T12:00:00Z');
const FROM = '2026-05-01T00:00:00Z';

type Fields = Record<string, unknown>;

const effect = (violated: string, blockedUri: string, fields: Fields = {}) => ({
  ...{ violated, directive: 'default-src', blocked: blockedUri, count: 3, reports: 2, pages: 1, days: 1 },
  ...{ firstSeen: '2026-05-02T00:00:00Z', lastSeen: '2026-05-03T00:00:00Z' },
  ...{ examples: [{ page: 'https://shop.example/a|b', blockedUri }], ...fields },
});
const outcome = (count: number, effects: object[] = [], otherEffects = 0) => ({
  count,
  pages: 1,
  effects,
  otherEffects,
});
const replayed = (fields: Fields = {}) => ({
  ...{ otherCount: 0, blocked: outcome(0), newlyBlocked: null, allowed: { count: 4 }, unknown: { count: 0 } },
  ...{
    noise: { count: 1 },
    unused: [],
    ignored: [],
    trial: { isWatched: true, since: '2026-04-01T00:00:00Z' },
    ...fields,
  },
});

function fakeService(policyReplay: object, plan: object = { dataRetentionDays: 90 }) {
  const keys = (...values: string[]) => ({ keys: values.map(value => ({ value })) });
  const groups = [
    keys('img-src', 'a.example', 'Firefox'),
    keys('img-src', 'a.example', 'Chrome'),
    keys('script-src', 'inline', 'Safari'),
  ];
  const service = { ask: async () => ({ policyReplay, plan, reportGroups: { groups } }), now: () => NOW };
  return service as unknown as ServiceConnection;
}

const enforced = { isEnforced: true, text: "default-src 'self'", line: 3 };
const options = {
  ...{ site: 'shop.example', from: () => FROM, baseline: undefined, paths: undefined, allow: 0 },
  ...{ asEnforced: false, requireTrial: false, allowEmpty: false },
};
const EFFECTS = [
  effect('img-src', 'https://a.example'),
  effect('script-src', 'inline', { count: 1, pages: 2, days: 5, lastSeen: null }),
  effect('style-src', 'x@<b>\n::error::%##[a]##[b]', { examples: [] }),
];

const CASES: [string, Fields, Fields, Fields[]?][] = [
  ['nothing blocked', {}, {}],
  ['blocked', { blocked: outcome(3, EFFECTS, 2) }, {}],
  [
    'blocked, report-only',
    { blocked: outcome(3, EFFECTS.slice(0, 1)) },
    {},
    [{ ...enforced, isEnforced: false }],
  ],
  [
    'report-only as enforced',
    { blocked: outcome(3) },
    { asEnforced: true },
    [{ ...enforced, isEnforced: false }],
  ],
  ['3 allowed', { blocked: outcome(3) }, { allow: 3 }],
  ['2 allowed', { blocked: outcome(3) }, { allow: 2 }],
  ['1 unexamined', { otherCount: 1 }, {}],
  ['1 unexamined of 1 allowed', { otherCount: 1 }, { allow: 1 }],
  ['1 blocked and 1 unexamined of 1 allowed', { blocked: outcome(1), otherCount: 1 }, { allow: 1 }],
  ['1 unexamined, report-only', { otherCount: 1 }, {}, [{ ...enforced, isEnforced: false }]],
  [
    'newly blocked',
    { blocked: outcome(5), newlyBlocked: outcome(1, EFFECTS.slice(0, 1)) },
    { baseline: [enforced] },
  ],
  ['baseline of another location', {}, { baseline: [{ ...enforced, location: '/x', paths: ['/x'] }] }],
  ['report-only baseline', {}, { baseline: [{ ...enforced, isEnforced: false }] }],
  ...[
    { isWatched: false, since: null },
    { isWatched: true, since: null },
    { isWatched: true, since: '2026-05-01T00:00:01Z' },
    { isWatched: true, since: FROM },
  ].flatMap((trial): [string, Fields, Fields][] => [
    [`tried ${Object.values(trial)}`, { trial }, {}],
    [`tried ${Object.values(trial)}, required`, { trial }, { requireTrial: true }],
    [
      `tried ${Object.values(trial)}, looser baseline`,
      { trial },
      { baseline: [{ ...enforced, text: 'default-src *' }] },
    ],
    [
      `tried ${Object.values(trial)}, stricter baseline`,
      { trial },
      { baseline: [{ ...enforced, text: "default-src 'none'" }] },
    ],
    [`tried ${Object.values(trial)}, same baseline`, { trial }, { baseline: [enforced] }],
  ]),
  ['no reports', { allowed: { count: 0 }, noise: { count: 0 } }, {}],
  ['no reports allowed', { allowed: { count: 0 }, noise: { count: 0 } }, { allowEmpty: true }],
  ['no reports of pages', { allowed: { count: 0 } }, {}, [{ ...enforced, location: '/x', paths: ['/x*'] }]],
  ['unknown outcomes', { unknown: { count: 2 } }, {}],
  [
    'ignored parts',
    { ignored: [{ directive: 'img-src', source: 'x!' }] },
    {},
    [{ ...enforced, text: 'img-src x!; foo; sandbox; report-to x; plugin-types' }],
  ],
  ['other host', {}, {}, [{ ...enforced, hosts: ['b.example', 'c.example'] }]],
  ...['SHOP.example', '*.example', '*.shop.example', '*'].map((host): [string, Fields, Fields, Fields[]] => [
    `host ${host}`,
    {},
    {},
    [{ ...enforced, hosts: [host] }],
  ]),
  ['all sites', {}, { site: '*.shop.example' }, [{ ...enforced, hosts: ['x.example'] }]],
  ['sites with a dot', {}, { site: 'Shop.example.' }, [{ ...enforced, hosts: ['shop.example'] }]],
  ['too long', {}, { from: () => '2026-03-01T00:00:00Z' }],
];

it('each check of a policy has the report recorded', async () => {
  const outcomes: [string, string][] = [];
  for (const [name, replay, own, policies = [enforced]] of CASES) {
    const files = [
      { file: 'f', policies, refusals: name === 'blocked' ? [{ line: 9, reason: 'Bad | reason.' }] : [] },
    ];
    const text = await describeAsyncCall(async () => {
      const report = await checkPolicies(fakeService(replayed(replay)), {
        ...options,
        ...own,
        files,
      } as never);
      const formats = name === 'blocked' ? FORMATS : (['text'] as const);
      return formats
        .map(format => formatReport(format, report).replace(/What reports cannot tell:[\s\S]*/, ''))
        .join('--\n');
    });
    outcomes.push([name, text.trim()]);
  }
  for (const count of [8, 9, 10]) {
    const effects = Array.from({ length: count }, (_, at) => effect('img-src', `https://h${at}.example`));
    const files = [{ file: 'a:b,c:d,e%', policies: [enforced], refusals: [] }];
    const service = fakeService(replayed({ blocked: outcome(count, effects, 1) }));
    const report = await checkPolicies(service, { ...options, files } as never);
    outcomes.push([`${count} effects`, formatReport('github', report).split('\n').slice(7).join('\n')]);
  }
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/checks.txt');
});

const sender = (name: string, fields: Fields = {}) => ({
  ...{
    sender: name,
    kind: 'mine',
    messages: 10,
    delivered: 4,
    reasons: [{ cause: 'noDkim', messages: 6, domain: 'a.example' }],
  },
  ...fields,
});
const dmarc = (fields: Fields = {}) => ({
  ...{
    messages: 100,
    delivered: 90,
    quarantined: 3,
    rejected: 7,
    published: 'v=DMARC1; p=none',
    record: 'v=DMARC1; p=reject',
  },
  ...{
    readiness: { state: 'ready' },
    otherCount: 0,
    senders: [],
    notes: [],
    limits: ['A limit.'],
    days: 20,
    uncertain: 0,
  },
  ...{ otherSenders: 0, otherRecords: 0, ...fields },
});
const CAUSES = ['noDkim', 'dkimFails', 'dkimUnaligned', 'returnPathUnaligned', 'spfFails', 'forwarded'];

it('each check of a DMARC record has the report recorded', async () => {
  const cases: [string, Fields, Fields?, Fields?][] = [
    ['nothing lost', {}],
    [
      'senders',
      {
        senders: [
          sender('a'),
          sender(''),
          sender('f', { kind: 'forwarder' }),
          sender('none', { reasons: [] }),
        ],
        notes: ['A note.'],
      },
    ],
    ...CAUSES.map((cause): [string, Fields] => [
      cause,
      { senders: [sender('a', { reasons: [{ cause, messages: 1, domain: null }] })] },
    ]),
    [
      'the most lost first',
      {
        senders: [
          sender('few', { delivered: 9 }),
          sender('many', { delivered: 1 }),
          sender('other', { kind: 'other' }),
          sender('forwarder', { kind: 'forwarder', delivered: 8 }),
        ],
      },
    ],
    ['lost before', { senders: [sender('a')] }, {}, { senders: [sender('a')] }],
    ['lost fewer before', { senders: [sender('a')] }, {}, { senders: [sender('a', { delivered: 6 })] }],
    ['6 allowed', { senders: [sender('a')] }, { allow: 6 }],
    ['5 allowed', { senders: [sender('a')] }, { allow: 5 }],
    ['1 unexamined', { otherCount: 1 }],
    ['1 unexamined of 1 allowed', { otherCount: 1 }, { allow: 1 }],
    ['no messages', { messages: 0 }],
    ['no messages allowed', { messages: 0 }, { allowEmpty: true }],
    ['nothing published', { published: null }],
    ['further notes', { readiness: { state: 'wait' }, uncertain: 2, otherRecords: 3, otherSenders: 4 }],
    ['nine senders', { senders: Array.from({ length: 9 }, (_, at) => sender(`s${at}`, { delivered: at })) }],
  ];
  const outcomes: [string, string][] = [];
  for (const [name, replay, own = {}, before] of cases) {
    let asked = 0;
    const service = {
      ask: async () => ({
        dmarcReplay: dmarc(asked++ === 0 ? replay : (before ?? {})),
        plan: { dataRetentionDays: 31 },
      }),
      now: () => NOW,
    };
    const files = [{ file: 'f', line: 1, domain: 'a.example', text: 'v=DMARC1; p=reject' }];
    const settings = { from: () => '2026-05-02T00:00:00Z', files, allow: 0, allowEmpty: false, ...own };
    const report = await checkDmarc(service as unknown as ServiceConnection, settings as never);
    const formats =
      name === 'senders' ? FORMATS : name === 'nine senders' ? (['github'] as const) : (['text'] as const);
    const texts = formats.map(format => formatDmarcReport(format, report));
    outcomes.push([
      name,
      texts
        .map(text => (name === 'senders' ? text : text.replace(/What reports cannot tell:[\s\S]*/, '')))
        .join('--\n')
        .trim(),
    ]);
  }
  await expect(groupOutcomes(outcomes)).toMatchFileSnapshot('./recorded/dmarc-checks.txt');
});
