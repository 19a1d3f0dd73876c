import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  assessReadiness,
  assessSts,
  DMARC_ACTIONS,
  formatDmarcPolicy,
  formatSeenPolicy,
  formatStsPolicy,
  getTlsEffect,
  InvalidPolicy,
  judgeSender,
  parseDmarcPolicy,
  parseSeenPolicy,
  parseStsPolicy,
  type ReportedMessages,
  replayDmarc,
} from '../src/mail/index.ts';

const action = fc.constantFrom(...DMARC_ACTIONS);
const mode = fc.constantFrom('r' as const, 's' as const);
const value = fc.stringMatching(/^[!-:<-~]([ -:<-~]{0,20}[!-:<-~])?$/);

const policies = fc.record({
  ...{ p: action, sp: action, np: action, adkim: mode, aspf: mode, isTest: fc.boolean() },
  percentage: fc.constant(undefined),
  further: fc.record({ rua: value, ruf: value, fo: value, psd: value }, { requiredKeys: [] }),
  ignored: fc.constant<string[]>([]),
});

it('a formatted DMARC record parses to the same policy', () => {
  fc.assert(
    fc.property(policies, policy => {
      expect(parseDmarcPolicy(formatDmarcPolicy(policy))).toEqual(policy);
    }),
    { numRuns: 1000 },
  );
});

it.each([
  ['0', 0],
  ['100', 100],
])('the percentage of an earlier DMARC record is read: pct=%s', (pct, percentage) => {
  expect(parseDmarcPolicy(`p=none; pct=${pct}`).percentage).toBe(percentage);
});

it.each(['101', '-1', '1.5', '0100', ''])('a DMARC record with pct=%s is invalid', pct => {
  expect(() => parseDmarcPolicy(`p=none; pct=${pct}`)).toThrow('The tag pct must be 0 to 100.');
});

const text = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('', 'none', 'quarantine', 'reject', 'r', 's', 'y', 'n') },
  { weight: 2, arbitrary: fc.constantFrom('none; rua=mailto:a@evil.example', 'r; fo=1', 'n;x=y') },
  fc.string({ maxLength: 12, unit: 'binary' }),
);
const seen = fc.record({ p: text, sp: text, adkim: text, testing: text });

it('a policy from a report keeps its values or is rejected, and gains no tags', () => {
  fc.assert(
    fc.property(seen, found => {
      const policy = parseSeenPolicy(found);
      if (!policy) return;
      expect([policy.further, policy.ignored, policy.percentage]).toEqual([{}, [], undefined]);
      expect(policy.p).toBe(found.p.toLowerCase());
      expect(parseDmarcPolicy(formatSeenPolicy(found)!)).toEqual(policy);
    }),
    { numRuns: 5000 },
  );
});

describe('an MTA-STS policy of a report', () => {
  const lines = (...further: string[]) => [
    'version: STSv1',
    'mode: enforce',
    'mx: mx1.example.com',
    ...further,
  ];

  it.each<[string, string[]]>([
    ['in lines', lines('max_age: 86400')],
    ['in one text', [lines('max_age: 86400').join('\r\n')]],
    ['in one text with commas', [lines('max_age: 86400').join(', ')]],
    ['in capitals, with spaces', [' MODE :Enforce ', 'MX:\tMX1.Example.com', 'Max_Age : 86400']],
    ['with repeated lines', [...lines('max_age: 86400'), 'mx: mx1.example.com', 'mode: none', 'max_age: 1']],
  ])('is read %s', (_, text) => {
    expect(parseStsPolicy(text)).toEqual({ mode: 'enforce', mx: ['mx1.example.com'], maxAge: 86_400 });
  });

  it.each([
    ['1', 1],
    ['31557600', 31_557_600],
    ['31557601', 604_800],
    ['0', 604_800],
    ['-1', 604_800],
    ['1.5', 604_800],
    ['', 604_800],
    ['soon', 604_800],
  ])('keeps an age that RFC 8461 allows, and otherwise is valid for a week: max_age %j', (age, maxAge) => {
    expect(parseStsPolicy(lines(`max_age: ${age}`))).toMatchObject({ maxAge });
  });

  it.each([[[]], [['mode: enforce']], [['mx: a b']], [['mx: mx1.example.com', 'mx: *']], [['mx:']]])(
    'is not used without valid mail exchangers: %j',
    text => expect(parseStsPolicy(text)).toBeUndefined(),
  );
});

/** Messages that fail everything. */
const failing: ReportedMessages = {
  ...{ sender: 'a', headerFrom: 'example.com', policyDomain: 'example.com', disposition: 'none' },
  ...{ dkim: 'fail', spf: 'fail', isAligned: false, adkim: 'r', aspf: 'r', overrides: [], count: 1 },
  ...{ dkimPassed: [], dkimFailed: [], spfPassed: [], spfFailed: [] },
};
const subdomain = { headerFrom: 'a.example.com' };
function replay(record: string, ...messages: Partial<ReportedMessages>[]) {
  return replayDmarc(
    parseDmarcPolicy(record),
    'example.com',
    messages.map(one => ({ ...failing, ...one })),
  );
}

describe('a replay of reported messages', () => {
  it.each<[string, string, Partial<ReportedMessages>, number]>([
    ['a subdomain may not exist', 'p=none; sp=none; np=reject', subdomain, 1],
    ['all subdomains are treated alike', 'p=none; sp=reject', subdomain, 0],
    ['the domain itself exists', 'p=none; sp=none; np=reject', {}, 0],
    ['a pass may not hold for a stricter mode', 'p=none; adkim=s', { dkim: 'pass', isAligned: true }, 1],
    ['a failure also holds for a stricter mode', 'p=none; adkim=s', {}, 0],
    ['the receiver saw an alignment that is not listed', 'p=none', { isAligned: true }, 1],
  ])('is uncertain only if too little is known: %s', async (_, record, messages, uncertain) => {
    expect((await replay(record, messages)).total.uncertain).toBe(uncertain);
  });

  it.each([
    ['local_policy', 1],
    ['sampled_out', 0],
    ['policy_test_mode', 0],
  ])('counts overrides by receivers, not those of the record itself: %s', async (type, overridden) => {
    expect((await replay('p=reject', { overrides: [type] })).total).toMatchObject({
      rejected: 1,
      overridden,
    });
  });

  it.each<[string, Partial<ReportedMessages>, number]>([
    ['only DKIM', { dkimPassed: ['example.com'] }, 1],
    ['DKIM and SPF', { dkimPassed: ['example.com'], spfPassed: ['example.com'] }, 0],
    ['only SPF', { spfPassed: ['example.com'] }, 0],
  ])('counts aligned messages as forwarded if %s passes', async (_, passed, forwarded) => {
    const messages = { ...passed, isAligned: true, overrides: ['forwarded'], count: 1 };
    expect((await replay('p=reject', messages)).total).toMatchObject({ aligned: 1, forwarded });
  });

  it('names the domain with the most messages for each reason, and the most frequent reason first', async () => {
    const { senders } = await replay(
      'p=reject',
      { dkimPassed: ['few.example'], spfPassed: ['path.example'], count: 2 },
      { dkimPassed: ['many.example'], spfPassed: ['path.example'], count: 5 },
      { count: 4, spfPassed: ['path.example'] },
    );
    expect(senders[0]!.reasons).toEqual([
      { cause: 'returnPathUnaligned', messages: 11, domain: 'path.example' },
      { cause: 'dkimUnaligned', messages: 7, domain: 'many.example' },
      { cause: 'noDkim', messages: 4, domain: null },
    ]);
  });
});

describe('the readiness for a stricter DMARC policy', () => {
  const sender = (
    kind: 'mine' | 'forwarder' | 'other',
    messages: number,
    aligned: number,
    name = kind as string,
  ) => ({
    ...({ sender: name, kind, messages, aligned } as Parameters<typeof assessReadiness>[0][number]),
    needsRepair: kind === 'mine' && aligned < messages,
  });
  const reasons = (...senders: ReturnType<typeof sender>[]) =>
    assessReadiness([sender('mine', 1000, 1000), ...senders], 14).reasons.slice(1);

  it('mentions only other senders whose messages fail', () => {
    expect(reasons(sender('other', 5, 5), sender('forwarder', 9, 0))).toEqual([]);
    expect(reasons(sender('other', 5, 5), sender('other', 7, 4), sender('other', 1, 0))).toEqual([
      '4 messages of 2 other senders fail. If one of them is yours, give it the verdict "mine".',
    ]);
    expect(reasons(sender('other', 1500, 0))).toEqual([
      '1,500 messages of 1 other sender fail. If one of them is yours, give it the verdict "mine".',
    ]);
  });

  it('names up to three senders to repair', () => {
    const broken = (count: number) => Array.from({ length: count }, (_, n) => sender('mine', 9, 0, `s${n}`));
    expect(reasons(...broken(1))).toEqual(['1 sender to repair first: s0.']);
    expect(reasons(...broken(3))).toEqual(['3 senders to repair first: s0, s1, s2.']);
    expect(reasons(...broken(5))).toEqual(['5 senders to repair first: s0, s1, s2 and 2 more.']);
    expect(reasons(sender('mine', 9, 0, ''))).toEqual(['1 sender to repair first: unknown.']);
  });

  it.each([
    [14, 100, 'ready'],
    [13, 100, 'wait'],
    [14, 99, 'wait'],
    [0, 0, 'wait'],
  ])('after %i days with %i messages is %s', (days, messages, state) => {
    expect(assessReadiness([sender('mine', messages, messages)], days).state).toBe(state);
  });
});

describe('the readiness for an enforced MTA-STS policy', () => {
  const usual = { sessions: 1000, refused: 0, unprotected: 0, days: 14, exchangers: ['a', 'b', 'c', 'd'] };
  it.each<[Partial<typeof usual>, string]>([
    [{}, 'ready'],
    [{ refused: 1 }, 'ready'],
    [{ refused: 2 }, 'repair'],
    [{ refused: 2, days: 1 }, 'repair'],
    [{ days: 13 }, 'wait'],
    [{ sessions: 100 }, 'ready'],
    [{ sessions: 99 }, 'wait'],
    [{ unprotected: 500 }, 'ready'],
  ])('tolerates one refusal in a thousand sessions: %j is %s', (sessions, state) => {
    expect(assessSts({ ...usual, ...sessions }).state).toBe(state);
  });

  it('has reasons that name up to three exchangers, and only what is missing', () => {
    const reasons = (sessions: Partial<typeof usual>) => assessSts({ ...usual, ...sessions }).reasons;
    expect(reasons({})).toEqual(['0 of 1,000 sessions would be refused, in reports of 14 days.']);
    expect(reasons({ refused: 9, unprotected: 3, days: 1 })).toEqual([
      '9 of 1,000 sessions would be refused, in reports of 1 day.',
      'Repair first: a, b, c.',
      'Senders could not fetch or read the policy in 3 sessions, which it does not protect.',
      'Wait for reports of 14 days and 100 sessions.',
    ]);
    expect(reasons({ refused: 9, exchangers: [] })).toHaveLength(1);
    expect(reasons({ sessions: 1, unprotected: 1 }).slice(0, 2)).toEqual([
      '0 of 1 session would be refused, in reports of 14 days.',
      'Senders could not fetch or read the policy in 1 session, which it does not protect.',
    ]);
  });
});

it.each([
  ['starttls-not-supported', 'refused'],
  ['certificate-host-mismatch', 'refused'],
  ['certificate-expired', 'refused'],
  ['certificate-not-trusted', 'refused'],
  ['validation-failure', 'refused'],
  ['sts-policy-fetch-error', 'unprotected'],
  ['sts-policy-invalid', 'unprotected'],
  ['sts-webpki-invalid', 'unprotected'],
  ['STS-WebPKI-Invalid', 'unprotected'],
  ['dane-required', 'none'],
  ['tlsa-invalid', 'none'],
  ['', 'none'],
])('the effect of the TLS failure %j under an enforced policy is %s', (resultType, effect) => {
  expect(getTlsEffect(resultType)).toBe(effect);
});

it('an MTA-STS policy is written in lines that end with CRLF', () => {
  expect(formatStsPolicy({ mode: 'enforce', mx: ['a.example', '*.b.example'], maxAge: 604_800 })).toBe(
    'version: STSv1\r\nmode: enforce\r\nmx: a.example\r\nmx: *.b.example\r\nmax_age: 604800\r\n',
  );
});

describe('a DMARC record', () => {
  it.each<[string, object]>([
    ['v=DMARC1', { p: 'none', sp: 'none', np: 'none', adkim: 'r', aspf: 'r', isTest: false }],
    ['p=reject', { p: 'reject', sp: 'reject', np: 'reject' }],
    ['p=reject; sp=none', { p: 'reject', sp: 'none', np: 'none' }],
    ['p=reject; np=none', { p: 'reject', sp: 'reject', np: 'none' }],
    [' V = DMARC1 ;; P=Reject ; ADKIM=S;aspf=s;t=Y; ', { p: 'reject', adkim: 's', aspf: 's', isTest: true }],
    [
      'p=none; t=n; psd=u; fo=1; rua=mailto:a@b; ruf=x',
      { further: { psd: 'u', fo: '1', rua: 'mailto:a@b', ruf: 'x' } },
    ],
    ['p=none; ri=86400; rf=afrf; pct=50', { ignored: ['ri', 'rf'], percentage: 50, isTest: false }],
  ])('is read with its defaults: %s', (record, policy) => {
    expect(parseDmarcPolicy(record)).toMatchObject(policy);
  });

  it.each([
    ['', 'p', 'The record is empty: it needs p=none, quarantine or reject.'],
    ['v=DMARC2; p=none', 'v', 'A record begins with v=DMARC1.'],
    ['v=dmarc1; p=none', 'v', 'A record begins with v=DMARC1.'],
    ['p=none; v=DMARC1', 'v', 'A record begins with v=DMARC1.'],
    ['p=none; P=reject', 'p', 'The tag p occurs twice.'],
    ['p=block', 'p', 'The tag p must be none, quarantine, reject.'],
    ['p=none; sp=', 'sp', 'The tag sp must be none, quarantine, reject.'],
    ['p=none; np=x', 'np', 'The tag np must be none, quarantine, reject.'],
    ['p=none; adkim=strict', 'adkim', 'The tag adkim must be r, s.'],
    ['p=none; aspf=x', 'aspf', 'The tag aspf must be r, s.'],
    ['p=none; t=1', 't', 'The tag t must be y, n.'],
    ['p=none; rua', 'rua', 'A record consists of tag=value pairs, separated by ";".'],
    ['p=none; rua=é', 'rua=é', 'A record consists of tag=value pairs, separated by ";".'],
    [`p=none; ${'x'.repeat(50)}`, 'x'.repeat(40), 'A record consists of tag=value pairs, separated by ";".'],
  ])('is invalid: %s', (record, tag, message) => {
    const parse = () => parseDmarcPolicy(record);
    expect(parse).toThrow(InvalidPolicy);
    expect(parse).toThrow(expect.objectContaining({ tag, message }));
  });

  it('is written without defaults', () => {
    const written = (record: string) => formatDmarcPolicy(parseDmarcPolicy(record));
    expect(written('p=reject; sp=reject; np=reject; adkim=r; aspf=r; t=n; pct=50')).toBe(
      'v=DMARC1; p=reject',
    );
    expect(written('p=reject; sp=none; np=reject; adkim=s; aspf=s; t=y; psd=n; fo=1; ruf=b; rua=a')).toBe(
      'v=DMARC1; p=reject; sp=none; np=reject; adkim=s; aspf=s; t=y; rua=a; ruf=b; fo=1; psd=n',
    );
  });
});

describe('a DMARC policy', () => {
  const replayThree = (record: string, ...messages: Partial<ReportedMessages>[]) =>
    replay(record, ...messages.map(one => ({ count: 3, ...one })));

  it.each<[string, string, Partial<ReportedMessages>]>([
    ['rejected', 'p=reject', {}],
    ['quarantined', 'p=quarantine', {}],
    ['delivered', 'p=none', {}],
    ['quarantined', 'p=reject; t=y', {}],
    ['delivered', 'p=quarantine; t=y', {}],
    ['rejected', 'p=none; sp=reject', subdomain],
    ['delivered', 'p=reject; sp=none', subdomain],
    ['delivered', 'p=reject', { dkimPassed: ['example.com'] }],
    ['delivered', 'p=reject', { dkimPassed: ['other.example', 'a.example.com'] }],
    ['rejected', 'p=reject', { dkimPassed: ['other.example'], spfPassed: ['other.example'] }],
    ['rejected', 'p=reject; adkim=s', { dkimPassed: ['a.example.com'] }],
    ['delivered', 'p=reject; aspf=s', { dkimPassed: ['a.example.com'] }],
    ['delivered', 'p=reject', { spfPassed: ['a.example.com'] }],
    ['rejected', 'p=reject; aspf=s', { spfPassed: ['a.example.com'] }],
    ['delivered', 'p=reject; adkim=s', { spfPassed: ['a.example.com'] }],
    ['delivered', 'p=reject', { dkim: 'pass' }],
    ['delivered', 'p=reject', { spf: 'pass' }],
    ['rejected', 'p=reject', { dkim: 'pass', dkimFailed: ['example.com'] }],
    ['delivered', 'p=reject', { dkim: '', spf: '', isAligned: true }],
    ['rejected', 'p=reject', { dkim: '', spf: '', isAligned: false }],
  ])('has messages %s: %s %j', async (outcome, record, messages) => {
    const { total } = await replayThree(record, messages);
    const { delivered, quarantined, rejected } = total;
    const none = { delivered: 0, quarantined: 0, rejected: 0 };
    expect({ delivered, quarantined, rejected }).toEqual({ ...none, [outcome]: 3 });
  });

  it.each<[string, Partial<ReportedMessages>, number]>([
    ['of its domain', { policyDomain: 'other.example' }, 0],
    ['of a subdomain', subdomain, 0],
    [
      'of a subdomain below another record',
      { headerFrom: 'a.b.example.com', policyDomain: 'b.example.com' },
      0,
    ],
    ['of a subdomain with a record of its own', { ...subdomain, policyDomain: 'a.example.com' }, 3],
    ['of another domain', { headerFrom: 'badexample.com' }, 3],
  ])('counts messages %s', async (_, messages, otherRecords) => {
    expect(await replayThree('p=reject', messages)).toMatchObject({
      otherRecords,
      total: { messages: 3 - otherRecords },
    });
  });

  it('is compared with what receivers did', async () => {
    const { actual } = await replayThree(
      'p=none',
      { disposition: 'reject', count: 1 },
      { disposition: 'quarantine', count: 2 },
      { disposition: 'none', count: 4 },
      { disposition: '', count: 8 },
    );
    expect(actual).toEqual({ rejected: 1, quarantined: 2, delivered: 12 });
  });

  it('lists senders by their messages, then by name', async () => {
    const { senders } = await replayThree(
      'p=none',
      { sender: 'b', count: 1 },
      { sender: 'c', count: 5 },
      { sender: 'a', count: 1 },
    );
    expect(senders.map(({ sender, messages }) => [sender, messages])).toEqual([
      ['c', 5],
      ['a', 1],
      ['b', 1],
    ]);
  });

  it.each<[Partial<ReportedMessages>, string[]]>([
    [{}, ['noDkim', 'spfFails']],
    [{ dkimFailed: ['d.example'], spfFailed: ['s.example'] }, ['dkimFails d.example', 'spfFails s.example']],
    [
      {
        dkimPassed: ['d.example'],
        dkimFailed: ['x.example'],
        spfPassed: ['s.example'],
        spfFailed: ['y.example'],
      },
      ['dkimUnaligned d.example', 'returnPathUnaligned s.example'],
    ],
    [{ overrides: ['forwarded'] }, ['noDkim', 'spfFails', 'forwarded']],
    [{ overrides: ['mailing_list'] }, ['noDkim', 'spfFails', 'forwarded']],
    [{ overrides: ['local_policy', 'trusted_forwarder'] }, ['noDkim', 'spfFails', 'forwarded']],
    [
      { spfFailed: ['example.com'], dkimFailed: ['a.example.com'] },
      ['dkimFails a.example.com', 'spfFails example.com', 'forwarded'],
    ],
    [{ spfFailed: ['example.com'] }, ['noDkim', 'spfFails example.com']],
  ])('names the causes of failures: %j', async (messages, causes) => {
    const { senders } = await replayThree('p=reject', messages);
    expect(senders[0]!.reasons.map(({ cause, domain }) => (domain ? `${cause} ${domain}` : cause))).toEqual(
      causes,
    );
  });
});

describe('a sender', () => {
  const outcome = {
    ...{ sender: 'a', reasons: [], messages: 1000, delivered: 0, quarantined: 0, rejected: 0 },
    ...{ aligned: 1000, dkimAligned: 0, spfAligned: 500, forwarded: 0, uncertain: 0, overridden: 0 },
  };
  it.each<[string, string | undefined, Partial<typeof outcome>, string, boolean]>([
    ['aligned', undefined, {}, 'mine', false],
    ['never aligned', undefined, { aligned: 0, spfAligned: 0 }, 'other', false],
    ['aligned only by forwarded messages', undefined, { spfAligned: 0, forwarded: 1000 }, 'forwarder', false],
    ['aligned also by its own messages', undefined, { spfAligned: 0, forwarded: 999 }, 'mine', false],
    ['aligned also by SPF', undefined, { spfAligned: 1, forwarded: 1000 }, 'mine', false],
    ['never aligned', 'mine', { aligned: 0 }, 'mine', true],
    ['never aligned', 'accepted', { aligned: 0 }, 'mine', true],
    ['aligned', 'forwarder', {}, 'forwarder', false],
    ['aligned', 'notMine', {}, 'other', false],
    ['aligned in 99 of 100 messages', undefined, { aligned: 990 }, 'mine', false],
    ['aligned in fewer messages', undefined, { aligned: 989 }, 'mine', true],
    ['aligned in few messages', 'forwarder', { aligned: 1 }, 'forwarder', false],
  ])('that is %s with the verdict %s is judged', (_, verdict, more, kind, needsRepair) => {
    expect(judgeSender({ ...outcome, ...more }, verdict)).toEqual({ ...outcome, ...more, kind, needsRepair });
  });

  it.each([
    [1000, 1000, 14, ['100 % of 1,000 messages of your senders are aligned, on 14 days.'], 1],
    [9999, 10_000, 14, ['99.9 % of 10,000 messages of your senders are aligned, on 14 days.'], 0.9999],
    [
      1,
      3,
      1,
      [
        '33.3 % of 3 messages of your senders are aligned, on 1 day.',
        'Wait for reports of 14 days and 100 messages of your senders.',
      ],
      1 / 3,
    ],
    [
      0,
      0,
      14,
      [
        'No messages of your senders are reported.',
        'Wait for reports of 14 days and 100 messages of your senders.',
      ],
      null,
    ],
  ])(
    'with %i of %i aligned messages on %i days counts in the reasons',
    (aligned, messages, days, reasons, share) => {
      const own = { ...outcome, messages, aligned, kind: 'mine' as const, needsRepair: false };
      const others = { ...outcome, messages: 7, aligned: 7, kind: 'other' as const, needsRepair: false };
      expect(assessReadiness([own, others], days)).toMatchObject({
        reasons,
        alignedShare: share,
        sendersToRepair: 0,
      });
    },
  );
});
