import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  finding,
  NOW,
  open,
  personal,
  plan,
  report,
  THREAT_INTELLIGENCE,
  watch,
} from './support/fixtures.ts';
import { type Line, startService, type TestService } from './support/service.ts';

/** Records the metrics of an account whose reports differ in everything that they count by. */

let service: TestService;

/** The week begins on the 14th, and today is the 20th. */
const [BEFORE, FIRST, LAST, TOMORROW] = [
  '2026-05-13T23:59:59.999Z',
  '2026-05-14T00:00:00Z',
  '2026-05-20T23:59:59Z',
  '2026-05-21T00:00:00Z',
];

/** A line on the first and the last day of the week, and on the days around it, which must not count. */
const onDays = (line: (date: string, name: string) => Line): Line[] => [
  line(FIRST, 'first'),
  line(LAST, 'last'),
];
const outside = (line: (date: string, name: string) => Line): Line[] => [
  line(BEFORE, 'before'),
  line(TOMORROW, 'tomorrow'),
];

/** All sums differ, because each row counts another power of two. */
const lines = (account: string): Line[] => [
  ...onDays((date, name) => report(account, 'csp', name, { date, count: 2, suspicious: 1 })),
  ...outside((date, name) => report(account, 'csp', name, { date, count: 40_000, suspicious: 1 })),
  report(account, 'csp', 'ioc', { date: FIRST, indicatorOfCompromise: 1 }),
  report(account, 'csp', 'hosts', { date: FIRST, policyConcernHosts: ['odd.example'] }),
  report(account, 'csp', 'scored', { date: FIRST, domainReputationScore: 0 }),
  report(account, 'csp', 'april', { date: '2026-04-30T23:59:59Z', count: 500_000 }),
  report(account, 'csp_integrity', 'flagged', { date: FIRST, suspicious: 1 }),
  ...onDays((date, name) =>
    report(account, 'dmarc', `good-${name}`, { date, headerFrom: 'Example.COM', aligned: true, count: 4 }),
  ),
  report(account, 'dmarc', 'bad', { date: FIRST, headerFrom: 'example.com', aligned: false, count: 16 }),
  report(account, 'dmarc', 'nameless', { date: FIRST, aligned: true, count: 32 }),
  report(account, 'dmarc', 'other', { date: FIRST, headerFrom: 'other', aligned: true, count: 64 }),
  ...outside((date, name) =>
    report(account, 'dmarc', name, { date, headerFrom: 'outside.example', aligned: true, count: 40_000 }),
  ),
  // The count of a report of TLS is not that of its sessions.
  report(account, 'tls_rpt', 'both', {
    ...{ date: LAST, domain: 'Example.com', successfulSessions: 128, failedSessions: 256, count: 99 },
  }),
  report(account, 'tls_rpt', 'neither', { date: FIRST, domain: 'none.example' }),
  ...outside((date, name) =>
    report(account, 'tls_rpt', name, { date, domain: 'outside.example', failedSessions: 40_000 }),
  ),
  ...onDays((date, name) =>
    report(account, 'certificate_transparency', name, { date, issuer: 'CN=R3,\u2028 O=\u202eLE', count: 7 }),
  ),
  report(account, 'certificate_transparency', 'nameless', { date: FIRST }),
  ...outside((date, name) => report(account, 'certificate_transparency', name, { date, issuer: 'outside' })),
  report(account, 'connection_allowlist', 'unused', { date: FIRST, count: 512 }),
  report(account, 'other', 'unused', { date: FIRST, count: 1024, wireType: 'x' }),
  ...['script', 'data'].map(product => watch(account, product, 'www.example.com')),
  ...onDays((date, name) => found(account, 'script', `new-${name}`, date)),
  found(account, 'data', 'new', LAST),
  ...outside((date, name) => found(account, 'script', name, date)),
  // Seen in this week again.
  { ...found(account, 'script', 'old', BEFORE), lastSeen: LAST },
];

const found = (account: string, product: string, name: string, date: string): Line =>
  finding(account, product, 'www.example.com', `https://${name}.example/`, {
    firstSeen: date,
    lastSeen: date,
  });

beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

const printMetrics = async (key: string) => {
  const { text } = await service.get('/export/metrics', key);
  return text;
};

it('the metrics of an account count exactly what belongs to them', async () => {
  const threats = plan('ada', { dataRetentionDays: 30, reportQuota: 12_345 }, THREAT_INTELLIGENCE);
  const key = await open(service, personal('ada'), threats);
  // The reports of three days are older than the retention of another account.
  const short = await open(
    service,
    personal('short'),
    plan('short', { dataRetentionDays: 3, reportQuota: 9 }),
  );
  await service.load(...lines('ada'), ...lines('short'));
  const texts = [await printMetrics(key), await printMetrics(short)];
  await expect(texts.join('\n\n')).toMatchFileSnapshot('./recorded/account-metrics.txt');
});
