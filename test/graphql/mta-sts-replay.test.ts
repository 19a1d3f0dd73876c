import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { data } from '../support/graphql.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
let key: string;

const POLICY = [
  'version: STSv1',
  'mode: testing',
  'mx: mx1.example.com',
  'mx: *.backup.example.com',
  'max_age: 86400',
];
const failure = (resultType: string, receivingMxHostname: string, failedSessions: number) => ({
  ...{
    resultType,
    failedSessions,
    receivingMxHostname,
    sendingMtaIp: '192.0.2.1',
    receivingIp: '',
    receivingMxHelo: '',
  },
  ...{ failureReasonCode: '', additionalInformation: '' },
});

const tls = (id: string, day: number, fields: Record<string, unknown> = {}) =>
  report('ada', 'tls_rpt', id, {
    date: `2026-05-${String(day).padStart(2, '0')}T00:00:00Z`,
    ...{ domain: 'example.com', policyType: 'sts', policyStrings: POLICY, reporter: 'Big Mail' },
    ...{ successfulSessions: 100, failedSessions: 0, failureDetails: [] },
    ...fields,
  });

const REPLAY = `query ($domain: HostName!) { viewer { mtaStsReplay(domain: $domain, from: "2026-04-21") {
  mode sessions delivered refused unprotected unexplained withoutPolicy days policy dnsRecord limits
  failures { resultType exchanger effect sessions reporters } readiness { state reasons } } } }`;

const replay = async (domain: string) =>
  (await data(service, key, REPLAY, { variables: { domain } })).viewer.mtaStsReplay;

beforeAll(async () => {
  service = await startService({ now: NOW });
  key = await open(service, personal('ada'), plan('ada'));
  await service.load(
    ...Array.from({ length: 15 }, (_, day) => tls(`quiet-${day}`, 1 + day, { domain: 'quiet.example' })),
    tls('broken', 1, {
      ...{ domain: 'broken.example', successfulSessions: 0, failedSessions: 2 },
      failureDetails: Array.from({ length: 101 }, (_, index) =>
        failure('certificate-expired', `mx${index}.broken.example`, 1),
      ),
    }),
    tls('one', 1),
    tls('two', 2, {
      failedSessions: 12,
      failureDetails: [
        failure('certificate-expired', 'mx1.example.com', 6),
        failure('sts-policy-fetch-error', '', 3),
        failure('tlsa-invalid', 'mx1.example.com', 1),
      ],
    }),
    tls('three', 2, {
      ...{ reporter: 'Other Mail', failedSessions: 1 },
      failureDetails: [failure('certificate-expired', 'mx1.example.com', 1)],
    }),
    tls('without', 3, { policyType: 'no-policy-found', policyStrings: [], successfulSessions: 40 }),
    tls('elsewhere', 3, { domain: 'sub.example.com' }),
  );
});
afterAll(() => service.close());

describe('a replay of MTA-STS in mode enforce', () => {
  it('distinguishes refused sessions from unprotected ones, and names the hosts to repair', async () => {
    const { limits, ...answer } = await replay('Example.com');
    expect(limits).toEqual([
      'Only senders that send reports of TLS are counted; most do not.',
      'A session is not a message: a sender tries the next mail exchanger, and again later, before it returns a message.',
      'Senders that do not support MTA-STS deliver as they did before.',
    ]);
    expect(answer).toEqual({
      mode: 'testing',
      ...{
        sessions: 313,
        delivered: 304,
        refused: 9,
        unprotected: 3,
        unexplained: 2,
        withoutPolicy: 40,
        days: 3,
      },
      failures: [
        {
          ...{ resultType: 'certificate-expired', exchanger: 'mx1.example.com', effect: 'refused' },
          ...{ sessions: 7, reporters: 2 },
        },
        {
          ...{ resultType: 'sts-policy-fetch-error', exchanger: '', effect: 'unprotected' },
          ...{ sessions: 3, reporters: 1 },
        },
        {
          ...{ resultType: 'tlsa-invalid', exchanger: 'mx1.example.com', effect: 'none' },
          ...{ sessions: 1, reporters: 1 },
        },
      ],
      policy:
        'version: STSv1\r\nmode: enforce\r\nmx: mx1.example.com\r\nmx: *.backup.example.com\r\nmax_age: 86400\r\n',
      dnsRecord: 'v=STSv1; id=20260520143000',
      readiness: {
        state: 'repair',
        reasons: [
          '9 of 313 sessions would be refused, in reports of 3 days.',
          'Repair first: mx1.example.com.',
          'Senders could not fetch or read the policy in 3 sessions, which it does not protect.',
          'Wait for reports of 14 days and 100 sessions.',
        ],
      },
    });
  });

  it('is ready after two weeks of reports without failures', async () => {
    const { readiness, refused } = await replay('quiet.example');
    expect({ refused, readiness }).toEqual({
      refused: 0,
      readiness: {
        state: 'ready',
        reasons: ['0 of 1,500 sessions would be refused, in reports of 15 days.'],
      },
    });
  });

  it('refuses no more sessions than there are, and lists the first hundred failures', async () => {
    const { sessions, delivered, refused, unexplained, failures } = await replay('broken.example');
    expect({ sessions, delivered, refused, unexplained }).toEqual({
      sessions: 2,
      delivered: 0,
      refused: 2,
      unexplained: 0,
    });
    expect(failures).toHaveLength(100);
  });

  it('waits and suggests no policy when there are no reports', async () => {
    const answer = await replay('nobody.example');
    expect(answer).toMatchObject({
      sessions: 0,
      policy: null,
      dnsRecord: null,
      readiness: { state: 'wait' },
    });
  });
});
