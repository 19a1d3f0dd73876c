import { type Scene, toGroup, toRows } from '../page-data.ts';

const READY = { state: 'ready', reasons: ['Enough reports.'] };

const replay = (more: object = {}) => ({
  ...{ messages: 10, delivered: 9, quarantined: 0, rejected: 1, uncertain: 0, published: null },
  ...{ record: 'v=DMARC1; p=reject', notes: [], actual: { delivered: 10, quarantined: 2000, rejected: 3 } },
  ...{ readiness: READY, senders: [], otherSenders: 0, otherRecords: 0, otherCount: 0, days: 3 },
  ...{ limits: ['Some receivers send no reports.'], ...more },
});

const sender = (name: string, more: object = {}) => ({
  ...{ sender: name, kind: 'mine', needsRepair: false, verdict: null, messages: 1000, delivered: 990 },
  ...{ quarantined: 7, rejected: 3, uncertain: 0, overridden: 0, reasons: [], ...more },
});

const CAUSES = ['noDkim', 'dkimFails', 'dkimUnaligned', 'spfFails', 'returnPathUnaligned', 'forwarded'];

const listReasons = (domain: string | null) =>
  CAUSES.map((cause, at) => ({ cause, domain, messages: 1000 + at }));

const verdict = (name: string) => ({
  ...{ verdict: name, reason: 'We use it.', decidedBy: 'ann@acme.example', expiresAt: null },
});

const sessions = (more: object = {}) => ({
  ...{ mode: null, sessions: 1, delivered: 1, refused: 0, unprotected: 0, unexplained: 0, withoutPolicy: 0 },
  ...{
    days: 1,
    failures: [],
    policy: null,
    dnsRecord: null,
    readiness: READY,
    limits: ['Few report.'],
    ...more,
  },
});

export function listMailPolicies(): Scene[] {
  const scene = (title: string, dmarcReplay: object | null, mtaStsReplay: object | null): Scene => ({
    title,
    hash: '#/mail-policy?domain=shop.example&policy=v%3DDMARC1%3B+p%3DReject%3B+sp%3Dodd%3B+adkim%3Ds',
    data: {
      TryMailPolicy: { account: { dmarcReplay } },
      TryMtaSts: { account: { mtaStsReplay } },
      MailDomains: {
        account: {
          dmarc: toRows([toGroup('shop.example', 2), toGroup('', 1)]),
          tls: toRows([toGroup('mail.example', 2), toGroup('shop.example', 1)]),
        },
      },
    },
  });
  return [
    {
      title: 'no domain, and a policy of its own',
      hash: '#/mail-policy?policy=v%3DDMARC1%3B+p%3Dnone%3B+t%3Dy',
      data: {},
    },
    scene('no account', null, null),
    scene(
      'no messages and no sessions',
      replay({ messages: 0, senders: [sender('hidden.example')] }),
      sessions({ sessions: 0, withoutPolicy: 0 }),
    ),
    scene(
      'no sessions, except for one without a policy',
      replay({ senders: [sender('a.example')], otherSenders: 1 }),
      sessions({ sessions: 0, withoutPolicy: 1, readiness: { state: 'wait', reasons: ['Hidden.'] } }),
    ),
    scene(
      'only senders to repair',
      replay({
        messages: 1,
        uncertain: 1,
        published: 'v=DMARC1; p=none',
        readiness: { state: 'repair', reasons: ['One x\u202ey.', 'Two.'] },
        notes: ['Note x\u202ey.', 'Another note.'],
        ...{ otherRecords: 1, otherCount: 2, otherSenders: 2 },
        senders: [
          sender('a.example', { needsRepair: true, overridden: 1, reasons: listReasons('x\u202ey.example') }),
          sender('b.example', { needsRepair: true, quarantined: 0, rejected: 0, reasons: listReasons(null) }),
        ],
      }),
      sessions({
        mode: 'testing',
        ...{ sessions: 2, delivered: 1, refused: 1, unprotected: 1, unexplained: 1, withoutPolicy: 1 },
        readiness: { state: 'repair', reasons: ['A certificate has expired.'] },
        failures: ['refused', 'unprotected', 'none'].map((effect, at) => ({
          ...{ resultType: 'certificate-expired', effect, sessions: 1000 + at, reporters: 2000 + at },
          exchanger: ['mx.shop.example', 'x\u202ey', ''][at],
        })),
        ...{ policy: 'version: STSv1\r\nmode: enforce\r\n', dnsRecord: 'v=STSv1; id=1' },
      }),
    ),
    scene(
      'senders of each kind',
      replay({
        ...{ otherRecords: 2, otherCount: 1 },
        readiness: { state: 'wait', reasons: [] },
        senders: [
          sender(''),
          sender('x\u202ey.example', { kind: 'forwarder', needsRepair: true }),
          sender('c.example', { kind: 'other' }),
          sender('d.example', { verdict: verdict('accepted') }),
        ],
      }),
      sessions({ policy: 'version: STSv1', withoutPolicy: 2 }),
    ),
    scene('a record without a policy', replay(), sessions({ dnsRecord: 'v=STSv1; id=1' })),
  ];
}

/** The reports of an account as the view of a type shows them, with the answers of its panels. */
const typeData = (panels: object) => ({
  ReportType: {
    account: { plan: { dataRetentionDays: 400 }, time: toRows([toGroup(['2026-03-10', ''], 5)]) },
  },
  ...panels,
});

export function listSenders(): Scene[] {
  const scene = (title: string, count: number, otherGroups = 0): Scene => {
    const groups = [
      toGroup(['small.example', 'fail', 'fail'], 1),
      toGroup(['Large.example', 'pass', 'fail'], 900),
      toGroup(['Large.example', 'fail', 'pass'], 70),
      toGroup(['Large.example', 'pass', 'pass'], 8),
      toGroup(['Large.example', 'fail', ''], 1000),
      toGroup(['', 'fail', 'pass'], 3),
      ...Array.from({ length: count - 3 }, (_, at) => toGroup([`s${at}.example`, 'pass', 'pass'], 2)),
    ];
    const verdicts = [
      { subject: 'other.example', ...verdict('notMine') },
      { subject: 'large.EXAMPLE', ...verdict('accepted') },
    ];
    return {
      title,
      hash: '#/dmarc?period=7d',
      data: typeData({ Senders: { account: { senders: toRows(groups, otherGroups), verdicts } } }),
    };
  };
  return [
    scene('three senders', 3),
    scene('three of many senders', 3, 1),
    scene('as many senders as are shown', 15),
    scene('one more', 16),
    scene('two more of many', 17, 9),
    {
      title: 'no plan for groups',
      hash: '#/dmarc?period=7d',
      data: typeData({ Senders: { account: { senders: null, verdicts: [] } } }),
    },
  ];
}

export function listSessions(): Scene[] {
  const report = (
    date: string,
    domain: string,
    reporter: string,
    good: number | null,
    bad: number | null,
  ) => ({
    ...{ date, domain, reporter, successfulSessions: good, failedSessions: bad },
    failureDetails: [] as object[],
  });
  const scene = (
    title: string,
    reports: object[],
    truncated = false,
    hash = '#/tls_rpt?period=7d',
  ): Scene => ({
    title,
    hash,
    data: typeData({ Sessions: { account: { reports: { reports, truncated } } } }),
  });
  const failing = {
    ...report('2026-03-10T10:00:00Z', 'shop.example', 'Mailer', 1000, 3),
    failureDetails: [
      { receivingMxHostname: 'mx1.example', failedSessions: 1 },
      { receivingMxHostname: 'mx2.example', failedSessions: 1 },
      { receivingMxHostname: 'mx2.example', failedSessions: 1 },
      { receivingMxHostname: '', failedSessions: null },
    ],
  };
  return [
    scene('no reports', []),
    scene('one session', [report('2026-03-10T10:00:00Z', 'shop.example', 'Mailer', 1, null)]),
    scene('one failure in a hundred', [report('2026-03-10T10:00:00Z', 'shop.example', '', 99, 1)]),
    scene(
      'more failures, by domain, service and server',
      [
        report('2026-03-09T10:00:00Z', 'few.example', 'Small', null, 1),
        failing,
        report('2026-03-10T23:59:00Z', '', 'x\u202ey', 0, 100),
        { date: '2026-03-10T12:00:00Z' },
      ],
      true,
    ),
    scene('hours', [failing], false, '#/tls_rpt?unit=days&date=2026-03-10'),
    scene(
      'minutes',
      [{ ...failing, failureDetails: failing.failureDetails.slice(0, 1) }],
      false,
      '#/tls_rpt?unit=hours&date=2026-03-10T10',
    ),
    { title: 'no account', hash: '#/tls_rpt?period=7d', data: typeData({}) },
  ];
}
