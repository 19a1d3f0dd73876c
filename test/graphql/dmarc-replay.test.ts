import { getDomain } from 'tldts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, report, setup, verdict } from '../support/fixtures.ts';
import { ask, data } from '../support/graphql.ts';
import { maintainDatabase } from '../support/maintenance.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

/** A row of an aggregate report, with the fields that DMARC evaluates. */
interface Row {
  domain: string;
  headerFrom: string;
  organisation: string;
  dkim: string;
  spf: string;
  aligned: boolean;
  disposition: string;
  count: number;
  dkimResults: { domain: string; selector: string; result: string; humanResult: string }[];
  spfResults: { domain: string; scope: string; result: string; humanResult: string }[];
  overrideReasons: { type: string; comment: string }[];
  publishedPolicy: Record<string, unknown>;
}

const signature = (domain: string, result = 'pass') => ({ domain, selector: 's1', result, humanResult: '' });
const path = (domain: string, result = 'pass', scope = 'mfrom') => ({
  domain,
  scope,
  result,
  humanResult: '',
});
const PUBLISHED = { p: 'none', sp: '', np: '', adkim: 'r', aspf: 'r', fo: '', pct: 100, testing: '' };

const row = (organisation: string, fields: Partial<Row> = {}): Row => ({
  ...{ domain: 'example.com', headerFrom: 'example.com', organisation, disposition: 'none', count: 1 },
  ...{ dkim: 'fail', spf: 'fail', aligned: false, dkimResults: [], spfResults: [], overrideReasons: [] },
  publishedPolicy: { ...PUBLISHED, discoveryMethod: '' },
  ...fields,
});

const toLines = (account: string, rows: readonly Row[]): Line[] =>
  rows.map((fields, at) =>
    report(account, 'dmarc', `row-${at}`, {
      date: `2026-05-${String(1 + (at % 19)).padStart(2, '0')}T00:00:00Z`,
      ...fields,
    }),
  );

const COUNTS =
  'messages delivered quarantined rejected aligned dkimAligned spfAligned forwarded uncertain overridden';
const REPLAY = `query ($domain: HostName!, $policy: DmarcText!) { viewer {
  dmarcReplay(domain: $domain, policy: $policy, from: "2026-04-21") {
    ${COUNTS} record notes days otherRecords otherCount otherSenders limits
    actual { delivered quarantined rejected }
    readiness { state alignedShare sendersToRepair reasons }
    senders { sender kind needsRepair verdict { verdict } ${COUNTS} reasons { cause messages domain } } } } }`;

async function replay(key: string, policy: string, domain = 'example.com') {
  const { viewer } = await data(service, key, REPLAY, { variables: { domain, policy } });
  return viewer.dmarcReplay;
}

describe('a replay of a DMARC policy', () => {
  let key: string;

  const own = { dkim: 'pass', spf: 'pass', aligned: true };
  const ROWS: Row[] = [
    ...Array.from({ length: 16 }, () =>
      row('Own servers', {
        ...own,
        count: 100,
        dkimResults: [signature('example.com')],
        spfResults: [path('bounce.example.com')],
      }),
    ),
    row('Newsletter Ltd', { count: 60, ...own, dkim: 'fail', spfResults: [path('news.example.com')] }),
    row('Newsletter Ltd', { count: 40, spfResults: [path('esp.example')] }),
    row('Billing Ltd', {
      count: 30,
      dkimResults: [signature('billing.example')],
      spfResults: [path('billing.example')],
    }),
    row('Lists', {
      ...{ count: 20, dkim: 'pass', aligned: true },
      dkimResults: [signature('example.com')],
      spfResults: [path('example.com', 'softfail')],
    }),
    row('Lists', {
      count: 5,
      dkimResults: [signature('example.com', 'fail')],
      spfResults: [path('example.com', 'softfail')],
      overrideReasons: [{ type: 'mailing_list', comment: '' }],
    }),
    row('Forger', { count: 500, disposition: 'quarantine', spfResults: [path('evil.example')] }),
    row('Forger', { count: 7, headerFrom: 'hr.example.com', spfResults: [path('evil.example')] }),
    row('Shop', { count: 9, domain: 'shop.example.com', headerFrom: 'shop.example.com' }),
    row('Elsewhere', { count: 9, domain: 'example.org', headerFrom: 'example.org' }),
    row('Look-alike', { count: 9, domain: 'notexample.com', headerFrom: 'notexample.com' }),
  ];

  beforeAll(async () => {
    key = await open(service, personal('ada'), plan('ada'));
    await service.load(
      setup('ada'),
      ...toLines('ada', ROWS),
      verdict('ada', 'sender', 'billing ltd', { verdict: 'mine' }),
      verdict('ada', 'sender', 'Own servers', { verdict: 'notMine', expiresAt: NOW }),
    );
  });

  it('returns the outcome of messages per sender, and the senders to repair', async () => {
    const { senders, readiness, ...all } = await replay(key, 'v=DMARC1; p=reject; sp=quarantine');
    expect(all).toMatchObject({
      ...{ messages: 2262, delivered: 1680, quarantined: 7, rejected: 575, aligned: 1680 },
      ...{ otherRecords: 9, otherCount: 0, otherSenders: 0, days: 19 },
      actual: { delivered: 1762, quarantined: 500, rejected: 0 },
      record: 'v=DMARC1; p=reject; sp=quarantine; rua=mailto:acme@dmarc.collect.example',
      notes: [],
      limits: [
        'Only receivers that send aggregate reports are counted; many do not.',
        'Reports count messages and name domains and servers. They do not name recipients or authors, so forged and own messages of a shared server look alike.',
        'Reports do not say whether a sub-domain exists: np is counted like sp, and messages for which these differ are uncertain.',
        'Organizational domains come from the Public Suffix List; receivers find them by walking the DNS tree (RFC 9989, section 4.10).',
        'Receivers may deliver messages that a policy rejects, as of mailing lists, and reject others for reasons of their own.',
      ],
    });
    expect(
      senders.map((one: Record<string, unknown>) => [one.sender, one.kind, one.needsRepair, one.rejected]),
    ).toEqual([
      ['Newsletter Ltd', 'mine', true, 40],
      ['Billing Ltd', 'mine', true, 30],
      ['Own servers', 'mine', false, 0],
      ['Forger', 'other', false, 500],
      ['Lists', 'forwarder', false, 5],
    ]);
    expect(readiness).toEqual({
      state: 'repair',
      alignedShare: 1660 / 1730,
      sendersToRepair: 2,
      reasons: [
        '95.9 % of 1,730 messages of your senders are aligned, on 19 days.',
        '2 senders to repair first: Newsletter Ltd, Billing Ltd.',
        '507 messages of 1 other sender fail. If one of them is yours, give it the verdict "mine".',
      ],
    });
  });

  it('returns the reasons why messages fail', async () => {
    const { senders } = await replay(key, 'p=reject');
    const reasons = Object.fromEntries(
      senders.map(({ sender, reasons }: { sender: string; reasons: object[] }) => [sender, reasons]),
    );
    expect(reasons).toMatchObject({
      'Newsletter Ltd': [
        { cause: 'noDkim', messages: 40, domain: null },
        { cause: 'returnPathUnaligned', messages: 40, domain: 'esp.example' },
      ],
      'Billing Ltd': [
        { cause: 'dkimUnaligned', messages: 30, domain: 'billing.example' },
        { cause: 'returnPathUnaligned', messages: 30, domain: 'billing.example' },
      ],
      Lists: [
        { cause: 'dkimFails', messages: 5, domain: 'example.com' },
        { cause: 'spfFails', messages: 5, domain: 'example.com' },
        { cause: 'forwarded', messages: 5, domain: null },
      ],
      'Own servers': [],
    });
    const lists = senders.find(({ sender }: { sender: string }) => sender === 'Lists');
    expect(lists).toMatchObject({ forwarded: 20, overridden: 5, aligned: 20, spfAligned: 0 });
  });

  it('applies strict alignment, and lowers the policy by one level with t=y', async () => {
    const strict = await replay(key, 'p=reject; aspf=s; adkim=s; t=y');
    expect(strict).toMatchObject({ delivered: 1620, quarantined: 642, rejected: 0 });
    expect(strict.record).toContain('p=reject; adkim=s; aspf=s; t=y; rua=');
    expect(strict.notes).toEqual([expect.stringContaining('t=y')]);
    expect(await replay(key, 'p=quarantine; t=y')).toMatchObject({ delivered: 2262, quarantined: 0 });
  });

  it('applies the policy to all messages and adds a note when pct is given', async () => {
    const { rejected, record, notes } = await replay(key, 'p=reject; pct=10; rua=mailto:a@example.com; x=1');
    expect({ rejected, record }).toEqual({
      rejected: 582,
      record: 'v=DMARC1; p=reject; rua=mailto:a@example.com',
    });
    expect(notes).toEqual([expect.stringMatching(/pct.*10 %/), expect.stringContaining('ignore x')]);
  });

  it('counts only messages of the exact domain when it is a sub-domain', async () => {
    expect(await replay(key, 'p=reject', 'shop.example.com')).toMatchObject({ messages: 9, rejected: 9 });
    expect(await replay(key, 'p=reject', 'hr.example.com')).toMatchObject({ messages: 7, rejected: 7 });
    expect(await replay(key, 'p=reject', 'nobody.example')).toMatchObject({ messages: 0, senders: [] });
  });

  it.each([
    ['p=delete', 'The tag p must be none, quarantine, reject.'],
    ['p=reject; adkim=x', 'The tag adkim must be r, s.'],
    ['p=reject; pct=200', 'The tag pct must be 0 to 100.'],
    ['p=reject; p=none', 'The tag p occurs twice.'],
    ['v=DMARC2; p=none', 'A record begins with v=DMARC1.'],
    ['reject', 'A record consists of tag=value pairs, separated by ";".'],
    [';', 'The record is empty: it needs p=none, quarantine or reject.'],
  ])('rejects the policy "%s"', async (policy, message) => {
    const { body } = await ask(service, key, REPLAY, { variables: { domain: 'example.com', policy } });
    expect(body.errors[0].message).toBe(`Invalid value for parameter: policy. ${message}`);
  });
});

/** A random number generator with a seed. */
function createRandom(seed: number) {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return {
    pick: <Item>(items: readonly Item[]): Item => items[Math.floor(next() * items.length)]!,
    some: <Item>(most: number, make: () => Item): Item[] =>
      Array.from({ length: Math.floor(next() * (most + 1)) }, make),
  };
}

type Random = ReturnType<typeof createRandom>;

const DOMAINS = [
  'example.co.uk',
  'mail.example.co.uk',
  'a.b.example.co.uk',
  'other.co.uk',
  'EXAMPLE.co.uk',
  'co.uk',
];
const RESULTS = ['pass', 'pass', 'fail', 'none', 'permerror', 'softfail'];

function makeRow({ pick, some }: Random): Row {
  const headerFrom = pick(['example.co.uk', 'example.co.uk', 'mail.example.co.uk', 'x.mail.example.co.uk']);
  const [dkim, spf] = [pick(['pass', 'fail']), pick(['pass', 'fail'])];
  return row(`Sender ${pick([1, 2, 3, 4, 5, 6, 7])}`, {
    headerFrom,
    domain: pick(['example.co.uk', 'example.co.uk', headerFrom]),
    ...{ dkim, spf, aligned: dkim === 'pass' || spf === 'pass' },
    count: pick([1, 2, 3, 10, 1000]),
    disposition: pick(['none', 'quarantine', 'reject', 'pass']),
    dkimResults: some(3, () => signature(pick(DOMAINS), pick(RESULTS))),
    spfResults: some(2, () => path(pick(DOMAINS), pick(RESULTS), pick(['mfrom', 'mfrom', 'helo', '']))),
    overrideReasons: some(1, () => ({ type: pick(['mailing_list', 'sampled_out', 'other']), comment: '' })),
    publishedPolicy: {
      ...PUBLISHED,
      adkim: pick(['r', 's', '']),
      aspf: pick(['r', 's']),
      discoveryMethod: '',
    },
  });
}

interface Policy {
  p: string;
  sp?: string | undefined;
  adkim?: string | undefined;
  aspf?: string | undefined;
  t?: string | undefined;
}

const makePolicy = ({ pick }: Random): Policy => ({
  p: pick(['none', 'quarantine', 'reject']),
  sp: pick([undefined, 'none', 'quarantine', 'reject']),
  adkim: pick([undefined, 'r', 's']),
  aspf: pick([undefined, 'r', 's']),
  t: pick([undefined, undefined, 'y', 'n']),
});

const toText = (policy: Policy) =>
  Object.entries(policy)
    .filter(([, value]) => value !== undefined)
    .map(([tag, value]) => `${tag}=${value}`)
    .join(';');

/**
 * RFC 9989, section 4.4: relaxed alignment compares organizational domains, and strict alignment compares entire
 * domains.
 */
function areAligned(identifier: string, author: string, isStrict: boolean): boolean {
  const [one, other] = [identifier.toLowerCase(), author.toLowerCase()];
  if (isStrict) return one === other;
  return one === other || (getDomain(one) !== null && getDomain(one) === getDomain(other));
}

/**
 * Checks whether DKIM or SPF produces an aligned identifier. Reports without authentication results contain only the
 * receiver's evaluation, which says nothing about a stricter mode.
 */
function passes(
  results: readonly { domain: string; result: string }[],
  evaluated: string,
  { headerFrom }: Row,
  isStrict: boolean,
  wasStrict: boolean,
): boolean {
  const said = results.filter(({ result }) => result !== 'none');
  if (said.length === 0) return evaluated === 'pass' && (!isStrict || wasStrict);
  return said.some(({ domain, result }) => result === 'pass' && areAligned(domain, headerFrom, isStrict));
}

/** Returns the action that RFC 9989 requires for one message, or undefined if a different record applies. */
function decide(message: Row, policy: Policy, domain: string): string | undefined {
  const isExact = message.headerFrom === domain;
  const hasOwnRecord = !isExact && message.domain === message.headerFrom;
  if (hasOwnRecord || !(isExact || message.headerFrom.endsWith(`.${domain}`))) return undefined;
  // The HELO identity counts only if the return path is empty.
  const ofPath = message.spfResults.filter(({ scope, result }) => scope !== 'helo' && result !== 'none');
  const ofHelo = message.spfResults.filter(({ scope, result }) => scope === 'helo' && result === 'pass');
  const { adkim, aspf } = message.publishedPolicy;
  const isAligned =
    passes(message.dkimResults, message.dkim, message, policy.adkim === 's', adkim === 's') ||
    passes(ofPath.length > 0 ? ofPath : ofHelo, message.spf, message, policy.aspf === 's', aspf === 's');
  const wanted = isAligned ? 'none' : isExact ? policy.p : (policy.sp ?? policy.p);
  const lower: Record<string, string> = { reject: 'quarantine', quarantine: 'none', none: 'none' };
  return policy.t === 'y' ? lower[wanted] : wanted;
}

/** Calculates the result that the service should return, message by message. */
function calculate(rows: readonly Row[], policy: Policy, domain: string) {
  const senders: Record<string, Record<'none' | 'quarantine' | 'reject', number>> = {};
  for (const message of rows) {
    const action = decide(message, policy, domain);
    for (let n = 0; action && n < message.count; n++) {
      senders[message.organisation] ??= { none: 0, quarantine: 0, reject: 0 };
      senders[message.organisation]![action as 'none']++;
    }
  }
  return senders;
}

describe('DMARC replays of random policies over random reports', () => {
  const random = createRandom(51);
  // Fifty-one on each of nineteen days, which is enough for rollups.
  const rows = Array.from({ length: 19 * 51 }, () => makeRow(random));
  let key: string;

  beforeAll(async () => {
    key = await open(service, personal('eve'), plan('eve'));
    await service.load(...toLines('eve', rows));
  });

  async function expectEqual(policy: Policy, domain: string): Promise<void> {
    const { senders, messages, otherRecords } = await replay(key, toText(policy), domain);
    const answered = Object.fromEntries(
      senders.map((one: Record<string, unknown>) => [
        one.sender,
        { none: one.delivered, quarantine: one.quarantined, reject: one.rejected },
      ]),
    );
    const expected = calculate(rows, policy, domain);
    expect({ policy, answered }).toEqual({ policy, answered: expected });
    const counts = Object.values(expected).flatMap(sums => Object.values(sums));
    expect(messages).toBe(counts.reduce((sum, count) => sum + count, 0));
    expect(messages + otherRecords).toBeGreaterThan(1000);
  }

  it('match a calculation message by message, with and without rollups', { tags: 'slow' }, async () => {
    const strict: Policy = { p: 'quarantine', sp: 'reject', adkim: 's', aspf: 's' };
    const policies = [strict, ...Array.from({ length: 4 }, () => makePolicy(random))];
    for (const policy of policies) await expectEqual(policy, 'example.co.uk');
    await maintainDatabase(service.databaseUrl);
    await service.load(personal('eve', { email: 'eve@new.example' }));
    for (const policy of policies) await expectEqual(policy, 'example.co.uk');
  });
});

describe('a replay for many senders', () => {
  it('lists one hundred, those to repair first, and counts the others', async () => {
    const key = await open(service, personal('eli'), plan('eli'));
    const own = { dkim: 'pass', aligned: true, dkimResults: [signature('example.com')] };
    await service.load(
      ...toLines('eli', [
        ...Array.from({ length: 102 }, (_, at) => row(`Sender ${at}`, { ...own, count: 1000 })),
        row('To repair', { ...own, count: 60 }),
        row('To repair', { count: 40, spfResults: [path('esp.example')] }),
      ]),
    );
    const { senders, otherSenders } = await replay(key, 'v=DMARC1; p=reject');
    expect(senders[0]).toMatchObject({ sender: 'To repair', needsRepair: true });
    expect([senders.length, otherSenders]).toEqual([100, 3]);
  });

  it('keeps the report address of the given policy', async () => {
    const key = await open(service, personal('flo'), plan('flo'));
    await service.load(setup('flo'));
    const { record } = await replay(key, 'v=DMARC1; p=reject; rua=mailto:own@example.com');
    expect(record).toBe('v=DMARC1; p=reject; rua=mailto:own@example.com');
  });

  it.each([
    ['gil', 'gil+dmarc@collect.example', '; rua=mailto:gil+dmarc@collect.example'],
    ['hal', 'hal@collect.example; sp=none', ''],
  ])('adds the report address of the setup if it is one: %s', async (account, dmarc, added) => {
    const key = await open(service, personal(account), plan(account));
    await service.load(setup(account, { dmarc }));
    expect((await replay(key, 'v=DMARC1; p=reject')).record).toBe(`v=DMARC1; p=reject${added}`);
  });
});

describe('DMARC readiness', () => {
  const READINESS = `{ viewer { mailReadiness(from: "2026-04-21") {
    domain messages published isEnforced policy readiness { state sendersToRepair reasons } } } }`;
  const passing = (domain: string, p: string) =>
    row('Own servers', {
      ...{ domain, headerFrom: domain, count: 100, dkim: 'pass', aligned: true },
      dkimResults: [signature(domain)],
      publishedPolicy: { ...PUBLISHED, p, aspf: 's', discoveryMethod: '' },
    });

  it('lists domains by message volume, each rated by its own report days', async () => {
    const key = await open(service, personal('dot'), plan('dot'));
    await service.load(
      ...toLines('dot', [
        ...Array.from({ length: 18 }, () => passing('example.com', 'none')),
        passing('example.net', 'reject'),
      ]),
    );
    const { viewer } = await data(service, key, READINESS);
    expect(viewer.mailReadiness).toMatchObject([
      {
        ...{ domain: 'example.com', messages: 1800, published: 'v=DMARC1; p=none; aspf=s' },
        ...{ isEnforced: false, policy: 'v=DMARC1; p=reject; aspf=s' },
        readiness: { state: 'ready', sendersToRepair: 0 },
      },
      {
        ...{
          domain: 'example.net',
          messages: 100,
          published: 'v=DMARC1; p=reject; aspf=s',
          isEnforced: true,
        },
        readiness: { state: 'wait' },
      },
    ]);
  });

  it('rates a domain that reports name only in the From header by its own report days', async () => {
    const key = await open(service, personal('ida'), plan('ida'));
    await service.load(
      ...toLines('ida', [
        ...Array.from({ length: 18 }, () => ({ ...passing('example.org', 'none'), domain: '' })),
        { ...passing('example.net', 'none'), domain: '' },
      ]),
    );
    const { viewer } = await data(service, key, READINESS);
    expect(viewer.mailReadiness).toMatchObject([
      { domain: 'example.org', messages: 1800, published: null, readiness: { state: 'ready' } },
      { domain: 'example.net', messages: 100, published: null, readiness: { state: 'wait' } },
    ]);
  });

  it('covers the three domains with the most messages, each with its subdomains', async () => {
    const key = await open(service, personal('gil'), plan('gil'));
    const of = (domain: string, count: number, fields: Partial<Row> = {}) => ({
      ...passing(domain, 'none'),
      count,
      ...fields,
    });
    await service.load(
      ...toLines('gil', [
        of('a.example', 5),
        of('b.example', 3, { headerFrom: 'news.b.example' }),
        of('b.example', 3, { headerFrom: 'b.example' }),
        of('c.example', 1),
        of('d.example', 2),
      ]),
    );
    const { viewer } = await data(service, key, READINESS);
    expect(
      viewer.mailReadiness.map(({ domain, messages }: Record<string, unknown>) => [domain, messages]),
    ).toEqual([
      ['b.example', 6],
      ['a.example', 5],
      ['d.example', 2],
    ]);
  });

  it.each([
    ['reject', '', true],
    ['reject', 'n', true],
    ['reject', 'y', false],
    ['quarantine', '', false],
    ['none', '', false],
  ])('with p=%s and t=%s has enforced: %s', async (p, testing, isEnforced) => {
    const account = `enforced-${p}-${testing}`;
    const key = await open(service, personal(account), plan(account));
    const published = passing('example.com', p);
    await service.load(
      ...toLines(account, [{ ...published, publishedPolicy: { ...published.publishedPolicy, testing } }]),
    );
    const { viewer } = await data(service, key, READINESS);
    expect(viewer.mailReadiness).toMatchObject([{ domain: 'example.com', isEnforced }]);
  });

  it('is empty when there are no reports', async () => {
    const key = await open(service, personal('fay'), plan('fay'));
    expect((await data(service, key, READINESS)).viewer.mailReadiness).toEqual([]);
  });
});
