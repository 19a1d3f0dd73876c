import { report, setup, verdict } from '../../support/fixtures.ts';
import type { Line } from '../../support/service.ts';

type Fields = Record<string, unknown>;

const DAY = 86_400_000;

/** The times of one report a day. */
const daily = (from: string, count: number) =>
  Array.from({ length: count }, (_, day) => new Date(Date.parse(from) + day * DAY).toISOString());

const PUBLISHED = {
  p: 'none',
  sp: '',
  np: '',
  adkim: 'r',
  aspf: 'r',
  fo: '',
  pct: 100,
  testing: '',
  discoveryMethod: '',
};
const signature = (domain: string, result = 'pass') => ({ domain, selector: 's1', result, humanResult: '' });
const path = (domain: string, result = 'pass', scope = 'mfrom') => ({
  domain,
  scope,
  result,
  humanResult: '',
});

/** Messages of several domains and senders, among those that a replay must leave out. */
export function listMessages(account: string): Line[] {
  const lines: Line[] = [];
  const send = (organisation: string | undefined, dates: readonly string[], fields: Fields = {}) => {
    for (const date of dates)
      lines.push(
        report(account, 'dmarc', `mail-${lines.length}`, {
          ...{ date, organisation, domain: 'example.com', headerFrom: 'example.com', disposition: 'none' },
          ...{ dkim: 'fail', spf: 'fail', aligned: false, publishedPolicy: PUBLISHED, count: 1, ...fields },
        }),
      );
  };
  const own = { dkim: 'pass', aligned: true, dkimResults: [signature('example.com')] };
  send('Own', daily('2026-05-01T00:00:00Z', 14), { ...own, count: 10 });
  // The first and last instant of the period, those outside of it, and before the retention.
  send('First', ['2026-04-30T22:00:00Z'], { ...own, count: 2 });
  send('Before', ['2026-04-30T21:59:59Z'], { ...own, count: 4 });
  send('Last', ['2026-05-16T11:59:59Z'], {
    ...own,
    count: 8,
    publishedPolicy: { ...PUBLISHED, np: 'reject' },
  });
  send('After', ['2026-05-16T12:00:00Z'], { ...own, count: 16 });
  send('Old', ['2026-02-18T23:59:59Z'], { ...own, count: 32 });
  send('Oldest', ['2026-02-19T00:00:00Z'], { ...own, count: 64 });
  // Messages of a subdomain with its own policy, and of domains that only look alike.
  send('Below', ['2026-05-02T01:00:00Z'], {
    headerFrom: 'News.Example.com',
    count: 3,
    disposition: 'quarantine',
  });
  send('With its own record', ['2026-05-02T02:00:00Z'], {
    headerFrom: 'shop.example.com',
    domain: 'shop.example.com',
    count: 5,
  });
  send('Alike', ['2026-05-02T03:00:00Z'], {
    headerFrom: 'badexample.com',
    domain: 'badexample.com',
    count: 7,
  });
  send('Alike', ['2026-05-02T03:00:00Z'], {
    headerFrom: 'example.com.test',
    domain: 'example.com.test',
    count: 7,
  });
  send('Alike', ['2026-05-08T00:00:00Z'], { headerFrom: 'xb.example', domain: 'xb.example' });
  // Ninety-nine of a hundred messages pass, or fewer.
  send('Nearly all pass', ['2026-05-03T00:00:00Z'], { ...own, count: 99 });
  send('Nearly all pass', ['2026-05-03T01:00:00Z']);
  send('Too few pass', ['2026-05-03T00:00:00Z'], { ...own, count: 98 });
  send('Too few pass', ['2026-05-03T01:00:00Z'], { spfResults: [path('Esp.Example.')] });
  // Verdicts in force, and one that has expired.
  for (const name of ['Is mine', 'Forwards', 'Not mine', 'Expired'])
    send(name, ['2026-05-04T00:00:00Z'], { count: 6, disposition: 'reject' });
  send('Not mine', ['2026-05-04T01:00:00Z'], { ...own, count: 9 });
  // Forwarded by DKIM only; with the HELO identity, overrides and other dispositions.
  send('Lists', ['2026-05-05T00:00:00Z'], {
    ...own,
    spfResults: [path('example.com', 'softfail')],
    count: 20,
  });
  send('Helo', ['2026-05-05T01:00:00Z'], {
    spf: 'pass',
    aligned: true,
    spfResults: [path('example.com', 'pass', 'helo')],
    count: 11,
  });
  send('Helo', ['2026-05-05T02:00:00Z'], {
    spfResults: [path('example.com', 'pass', 'helo'), path('x.test', 'fail')],
    count: 12,
  });
  send('Overridden', ['2026-05-05T03:00:00Z'], {
    overrideReasons: [{ type: 'mailing_list', comment: '' }],
    disposition: 'pass',
    count: 13,
  });
  send(undefined, ['2026-05-05T04:00:00Z'], { count: 15, sourceIp: '' });
  // The policy that was found last, although it is not that of the last report or of the last line.
  send('Own', ['2026-05-15T10:00:00Z'], {
    ...own,
    publishedPolicy: { ...PUBLISHED, p: 'quarantine', sp: 'reject', adkim: 's', pct: 50 },
  });
  send('Own', ['2026-05-15T11:00:00Z'], { ...own, publishedPolicy: undefined });
  send('Own', ['2026-05-15T12:00:00Z'], {
    ...own,
    domain: 'elsewhere.example',
    publishedPolicy: { ...PUBLISHED, p: 'reject' },
  });
  send('Own', ['2026-05-14T10:00:00Z'], { ...own, publishedPolicy: { ...PUBLISHED, p: 'reject' } });
  // Further domains, of which two have the same number of messages, one of them in two rows.
  for (const [domain, count] of [
    ['c.example', 30],
    ['b.example', 14],
    ['b.example', 16],
    ['a.example', 29],
  ] as const)
    send(count === 14 ? 'Own too' : 'Own', [`2026-05-06T0${count % 9}:00:00Z`], {
      ...own,
      domain,
      headerFrom: domain,
      count,
      dkimResults: [signature(domain)],
    });
  send('Own', ['2026-05-07T00:00:00Z'], {
    domain: '',
    headerFrom: 'd.example',
    count: 500,
    publishedPolicy: undefined,
  });
  return [
    ...lines,
    setup(account),
    verdict(account, 'sender', 'IS MINE', { verdict: 'mine' }),
    verdict(account, 'sender', 'forwards', { verdict: 'forwarder' }),
    verdict(account, 'sender', 'Not mine', { verdict: 'notMine' }),
    verdict(account, 'sender', 'Expired', { verdict: 'mine', expiresAt: '2026-05-20T14:30:00Z' }),
    verdict(account, 'issuer', 'Overridden', { verdict: 'mine' }),
  ];
}

const STRINGS = ['version: STSv1', 'mode: testing', 'mx: mx1.example.com', 'max_age: 86400'];

/** Sessions of mail to two domains, among those that a replay must leave out. */
export function listSessions(account: string): Line[] {
  const lines: Line[] = [];
  const detail = (
    resultType: string | undefined,
    receivingMxHostname: string | undefined,
    failedSessions: number,
  ) => ({
    ...{ resultType, receivingMxHostname, failedSessions },
  });
  const session = (date: string, fields: Fields = {}) =>
    lines.push(
      report(account, 'tls_rpt', `tls-${lines.length}`, {
        ...{
          date: `2026-${date}Z`,
          domain: 'example.com',
          policyType: 'sts',
          policyStrings: STRINGS,
          reporter: 'Acme',
        },
        ...{ successfulSessions: 100, failedSessions: 0, failureDetails: [], ...fields },
      }),
    );
  session('04-30T22:00:00');
  session('04-30T21:59:59', { successfulSessions: 1000 });
  session('05-16T11:59:59', {
    ...{ successfulSessions: 7, reporter: undefined },
    policyStrings: ['version: STSv1', 'mode: testing', 'mx: last.example.com', 'max_age: 7'],
  });
  session('05-16T12:00:00', {
    successfulSessions: 2000,
    policyStrings: [...STRINGS.slice(0, 1), 'mode: enforce'],
  });
  session('05-02T10:00:00', { domain: 'sub.example.com' });
  // The policy that was seen last, which is not the last line, with a policy, and of this kind.
  session('05-10T10:00:00', { policyStrings: [...STRINGS, 'mx: *.backup.example.com'], reporter: 'Zeta' });
  session('05-09T10:00:00', { policyStrings: ['version: STSv1', 'mode: none', 'max_age: 1'] });
  session('05-11T10:00:00', { policyStrings: undefined });
  session('05-12T10:00:00', {
    policyType: 'tlsa',
    policyStrings: ['3 0 1 x'],
    successfulSessions: 40,
    failedSessions: 2,
    failureDetails: [detail('tlsa-invalid', 'mx1.example.com', 2)],
  });
  session('05-12T11:00:00', { policyType: 'no-policy-found', policyStrings: [], successfulSessions: 50 });
  session('05-12T12:00:00', { policyType: undefined, policyStrings: undefined, successfulSessions: 60 });
  // Failures by reason and exchanger, of one or two reporters, and without a reason.
  session('05-03T10:00:00', {
    failedSessions: 30,
    failureDetails: [
      detail('certificate-expired', 'mx1.example.com', 10),
      detail('certificate-expired', 'mx2.example.com', 10),
      detail('sts-policy-fetch-error', '', 6),
    ],
  });
  session('05-03T11:00:00', {
    reporter: 'Zeta',
    failedSessions: 12,
    failureDetails: [
      detail('certificate-expired', 'mx1.example.com', 5),
      detail('starttls-not-supported', `${'x'.repeat(90)}.test`, 4),
    ],
  });
  session('05-03T12:00:00', {
    failedSessions: 3,
    failureDetails: [
      detail('sts-webpki-invalid', undefined, 1),
      detail('validation-failure', '', 1),
      detail('dane-required', 'mx1.example.com', 1),
    ],
  });
  session('05-03T14:00:00', {
    failedSessions: 2,
    failureDetails: [detail('certificate-expired', 'mx1.example.com', 2)],
  });
  session('05-03T13:00:00', { failedSessions: 1, failureDetails: [detail(undefined, 'mx3.example.com', 1)] });
  // More failures than sessions, and none of this kind of policy.
  session('05-04T10:00:00', {
    domain: 'more.example',
    successfulSessions: 2,
    failedSessions: 3,
    failureDetails: [
      detail('certificate-expired', 'mx.more.example', 9),
      detail('validation-failure', '', 1),
    ],
  });
  session('05-04T10:00:00', {
    domain: 'none.example',
    policyType: 'no-policy-found',
    policyStrings: [],
    failedSessions: 5,
  });
  for (let day = 1; day <= 14; day++)
    session(`05-${String(day).padStart(2, '0')}T10:00:00`, {
      domain: 'ready.example',
      successfulSessions: 8,
    });
  return lines;
}
