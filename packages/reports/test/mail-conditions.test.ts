import { describe, expect, it } from 'vitest';
import {
  assessReadiness,
  formatSeenPolicy,
  judgeSender,
  parseDmarcPolicy,
  type ReportedMessages,
  replayDmarc,
} from '../src/mail/index.ts';
import { identifySender } from '../src/sender.ts';

const failing: ReportedMessages = {
  ...{ sender: 'a', headerFrom: 'example.com', policyDomain: 'example.com', disposition: 'none' },
  ...{ dkim: 'fail', spf: 'fail', isAligned: false, adkim: 'r', aspf: 'r', overrides: [], count: 1 },
  ...{ dkimPassed: [], dkimFailed: [], spfPassed: [], spfFailed: [] },
};
const replay = (record: string, messages: Partial<ReportedMessages>, domain = 'example.com') =>
  replayDmarc(parseDmarcPolicy(record), domain, [{ ...failing, ...messages }]);

it.each<[string, string, Partial<ReportedMessages>, [aligned: number, uncertain: number]]>([
  [
    'SPF passed the published strict mode',
    'p=none; aspf=s',
    { spf: 'pass', aspf: 's', isAligned: true },
    [1, 0],
  ],
  [
    'DKIM passed the published strict mode',
    'p=none; adkim=s',
    { dkim: 'pass', adkim: 's', isAligned: true },
    [1, 0],
  ],
  [
    'only the mode of SPF was strict',
    'p=none; adkim=s',
    { dkim: 'pass', aspf: 's', isAligned: true },
    [0, 1],
  ],
  [
    'only the mode of DKIM was strict',
    'p=none; aspf=s',
    { spf: 'pass', adkim: 's', isAligned: true },
    [0, 1],
  ],
  [
    'the mode of DKIM differs, so the receiver may decide otherwise',
    'p=none; adkim=s',
    { dkimPassed: ['a.example.com'], isAligned: true },
    [0, 0],
  ],
  [
    'the mode of SPF differs, so the receiver may decide otherwise',
    'p=none; aspf=s',
    { spfPassed: ['a.example.com'], isAligned: true },
    [0, 0],
  ],
  ['only DKIM was evaluated, and failed', 'p=none', { spf: '', isAligned: true }, [0, 1]],
  [
    'the receiver reports results, but no evaluation',
    'p=none',
    { dkim: '', spf: '', dkimPassed: ['example.com'] },
    [1, 0],
  ],
  ['only SPF was evaluated, and failed', 'p=none', { dkim: '', isAligned: true }, [0, 1]],
  [
    'a subdomain is aligned, so it does not matter whether it exists',
    'p=none; np=reject',
    { headerFrom: 'a.example.com', dkimPassed: ['example.com'], isAligned: true },
    [1, 0],
  ],
])('a replay counts aligned and uncertain messages: %s', async (_, record, messages, counts) => {
  const { total } = await replay(record, messages);
  expect([total.aligned, total.uncertain]).toEqual(counts);
});

describe('the policy of a domain', () => {
  it('below an organizational domain applies to its own subdomains', async () => {
    const messages = { headerFrom: 'a.b.example.com', policyDomain: 'b.example.com' };
    expect(await replay('p=reject', messages, 'b.example.com')).toMatchObject({
      otherRecords: 0,
      total: { rejected: 1 },
    });
    expect(
      await replay('p=reject', { ...messages, policyDomain: 'example.com' }, 'b.example.com'),
    ).toMatchObject({
      otherRecords: 1,
      total: { messages: 0 },
    });
  });

  it.each([
    ['corp', 'corp', 1],
    ['corp', 'lan', 0],
    ['192.0.2.1', '192.0.2.2', 0],
  ])('%s without a registrable domain is aligned with %s: %i', async (domain, signed, aligned) => {
    const messages = { headerFrom: domain, policyDomain: domain, dkimPassed: [signed] };
    expect((await replay('p=reject', messages, domain)).total).toMatchObject({ messages: 1, aligned });
  });
});

it.each<[Partial<ReportedMessages>, overridden: number, isForwarded: boolean]>([
  [{ overrides: ['sampled_out', 'local_policy'] }, 1, false],
  [{ overrides: ['policy_test_mode', 'other', 'forwarded'] }, 1, true],
  [{ overrides: ['sampled_out', 'policy_test_mode'] }, 0, false],
  [{ spfFailed: ['esp.example', 'example.com'], dkimFailed: ['esp.example', 'example.com'] }, 0, true],
  [{ spfFailed: ['esp.example', 'example.com'], dkimFailed: ['esp.example'] }, 0, false],
  [{ spfFailed: ['esp.example'], dkimFailed: ['example.com'] }, 0, false],
])('each reason and result of failed messages counts: %j', async (messages, overridden, isForwarded) => {
  const { total, senders } = await replay('p=reject', messages);
  expect([total.overridden, senders[0]!.reasons.some(({ cause }) => cause === 'forwarded')]).toEqual([
    overridden,
    isForwarded,
  ]);
});

it.each([
  [
    { p: 'Reject', sp: 'NONE', np: 'quarantine', adkim: 'S', aspf: 'r', testing: 'Y' },
    'v=DMARC1; p=reject; sp=none; np=quarantine; adkim=s; t=y',
  ],
  [
    { p: 'none', sp: '', np: 'reject', adkim: 'r', aspf: 's', testing: 'n' },
    'v=DMARC1; p=none; np=reject; aspf=s',
  ],
  [{ p: 'none', np: 'x' }, undefined],
  [{ sp: 'none' }, undefined],
])('the policy %j of a report is written as %s', (seen, record) => {
  expect(formatSeenPolicy(seen)).toBe(record);
});

it('the tags that no receiver knows are named as they are written, also with digits', () => {
  expect(parseDmarcPolicy('p=none; X_1=a; y2k=b').ignored).toEqual(['x_1', 'y2k']);
});

it('senders to repair are named with up to 80 characters, and the fourth is counted', () => {
  const broken = (sender: string) =>
    judgeSender(
      {
        ...{ sender, reasons: [], messages: 9, delivered: 0, quarantined: 0, rejected: 0, aligned: 0 },
        ...{ dkimAligned: 0, spfAligned: 0, forwarded: 0, uncertain: 0, overridden: 0 },
      },
      'mine',
    );
  const { reasons } = assessReadiness(['x'.repeat(81), 'b', 'c', 'd'].map(broken), 1);
  expect(reasons[1]).toBe(`4 senders to repair first: ${'x'.repeat(80)}, b, c and 1 more.`);
});

it.each([
  ['the longest name', `${'a'.repeat(245)}.example`, 'aaa.example'],
  ['no longer name', `${'a'.repeat(246)}.example`, ''],
])('a sender is identified by %s', (_, domain, sender) => {
  const found = identifySender({ spfResults: [{ domain, result: 'pass' }] });
  expect(found.replace(/a{4,}/, 'aaa')).toBe(sender);
});

it.each([
  ['::FFFF:192.0.2.7', '192.0.2.0/24'],
  ['2001:db8:0:0:1::', '2001:db8::/64'],
  ['1:2:3:40::5', '1:2:3:40::/64'],
  ['192.0.2.0', '192.0.2.0/24'],
])('the network of %s is %s', (sourceIp, network) => {
  expect(identifySender({ sourceIp })).toBe(network);
});
