import { afterAll, beforeAll, expect, it } from 'vitest';
import type { AccountId } from '../sql/account-id.ts';
import { mailResults, publishedPolicies, tlsSessions } from '../sql/mail-replay.ts';
import { keepReportGroups } from '../sql/maintenance/rollups.ts';
import { NOW, personal, plan, report } from './support/fixtures.ts';
import { connectOperator, type Operator } from './support/operator.ts';
import { type Line, startService, type TestService } from './support/service.ts';

/** Records the results of mail that replays of policies read, for reports that differ in each of their fields. */

const ACCOUNT = 'ada' as string as AccountId;
/** The period, and days on both sides of its bounds. */
const PERIOD = { from: '2026-05-09T00:00:00Z', until: '2026-05-11T00:00:00Z' };
const DATES = [
  ...['2026-05-08T23:59:59.999Z', '2026-05-09T00:00:00Z', '2026-05-10T23:59:59.999Z', '2026-05-11T00:00:00Z'],
  ...['2026-05-09T10:00:00Z', '2026-05-10T10:00:00Z'],
];

const at = <Of>(values: readonly Of[], index: number): Of => values[index % values.length]!;

const FROM = ['example.com', 'a.example.com', 'EXAMPLE.com', 'xexample.com', 'example.com.test', '', 'com'];
const SIGNATURES = [
  [{ domain: 'example.com', selector: 's', result: 'pass' }],
  [
    { domain: 'bad.example', selector: 's', result: 'fail' },
    { domain: 'good.example', selector: 't', result: 'pass' },
  ],
  [{ domain: 'none.example', selector: '', result: 'none' }],
  [{ domain: 'temporary.example', selector: '', result: 'temperror' }],
  [],
];
const CHECKS = [
  [{ domain: 'path.example', scope: 'mfrom', result: 'pass' }],
  [
    { domain: 'server.example', scope: 'helo', result: 'pass' },
    { domain: 'path.example', scope: 'mfrom', result: 'softfail' },
  ],
  [{ domain: 'server.example', scope: 'helo', result: 'fail' }],
  [{ domain: 'scopeless.example', scope: '', result: 'pass' }],
  [{ domain: 'none.example', scope: 'mfrom', result: 'none' }],
  [],
];

const mails = Array.from({ length: 36 }, (_, n) =>
  report('ada', 'dmarc', `mail-${n}`, {
    date: at(DATES, n),
    count: n + 1,
    headerFrom: at(FROM, n >> 1),
    domain: at(['example.com', 'EXAMPLE.com', '', 'a.example.com'], n >> 2),
    organisation: at(['Sender', ''], n),
    sourceIp: '192.0.2.1',
    dkim: at(['pass', 'fail', ''], n),
    spf: at(['fail', 'pass'], n >> 1),
    aligned: (n >> 1) % 3 === 0,
    disposition: at(['none', 'reject', ''], n >> 1),
    dkimResults: at(SIGNATURES, n),
    spfResults: at(CHECKS, n + Math.floor(n / 6)),
    overrideReasons: at(
      [
        [],
        [
          { type: 'forwarded', comment: '' },
          { type: 'mailing_list', comment: 'x' },
        ],
      ],
      n >> 3,
    ),
    ...(n % 5 !== 0 && {
      publishedPolicy: {
        p: at(['none', 'reject'], n),
        adkim: at(['r', 's', ''], n >> 1),
        aspf: at(['s', 'r'], n >> 2),
      },
    }),
  }),
);

const DETAILS = [
  [{ resultType: 'certificate-expired', failedSessions: 3, receivingMxHostname: 'mx1.example' }],
  [
    { resultType: 'certificate-expired', failedSessions: 4, receivingMxHostname: 'mx1.example' },
    { resultType: 'starttls-not-supported', failedSessions: 5 },
  ],
  [],
];

const sessions = Array.from({ length: 24 }, (_, n) =>
  report('ada', 'tls_rpt', `tls-${n}`, {
    date: at(DATES, n),
    domain: at(['example.com', 'EXAMPLE.com', 'a.example.com'], n >> 3),
    policyType: at(['sts', 'tlsa', 'sts', ''], n >> 1),
    reporter: at(['Acme', 'Other', ''], n + Math.floor(n / 6)),
    ...(n % 4 !== 3 && { successfulSessions: 2 ** n }),
    ...(n % 4 !== 2 && { failedSessions: n }),
    failureDetails: at(DETAILS, n >> 1),
    policyStrings: (n >> 1) % 3 === 0 ? [] : ['version: STSv1', `mode: ${n}`],
  }),
);

const DOMAINS = [undefined, 'example.com', 'a.example.com', 'com', 'nothing.example'];

let service: TestService;
let sql: Operator;

beforeAll(async () => {
  service = await startService({ now: NOW });
  sql = connectOperator(service.databaseUrl);
  const foreign = [...mails, ...sessions].slice(0, 8).map((line): Line => ({ ...line, accountId: 'eve' }));
  await service.load(personal('ada'), plan('ada'), personal('eve'), ...foreign, ...mails, ...sessions);
});
afterAll(async () => {
  await sql?.end();
  await service?.close();
});

const readMails = () =>
  Promise.all(DOMAINS.map(domain => mailResults(service.database, { account: ACCOUNT, domain, ...PERIOD })));

it('are read by sender, evaluation and results, for a domain and those below it', async () => {
  let text = '';
  for (const [index, { rows, total, days }] of (await readMails()).entries()) {
    text += `${DOMAINS[index] ?? 'all domains'}: ${total} on ${days} days\n`;
    for (const row of rows)
      text += `  ${row.count} on ${row.days} days: ${row.sender} ${row.evaluation} ${row.results}\n`;
  }
  const domains = ['example.com', 'a.example.com', 'xexample.com', 'nothing.example'];
  const policies = await publishedPolicies(service.database, { account: ACCOUNT, domains, ...PERIOD });
  text += `${policies.map(({ domain, policy }) => `${domain} publishes ${JSON.stringify(policy)}`).join('\n')}\n`;
  await expect(text).toMatchFileSnapshot('./recorded/mail-results.txt');
});

it('of TLS are read by reporter and failure, for exactly one domain', async () => {
  let text = '';
  for (const domain of ['example.com', 'a.example.com', 'com']) {
    const found = await tlsSessions(service.database, { account: ACCOUNT, domain, ...PERIOD });
    text += `${domain}: ${found.days} days, policy ${JSON.stringify(found.policyStrings)}\n`;
    for (const row of [...found.sessions, ...found.failures]) text += `  ${Object.values(row).join(' | ')}\n`;
  }
  await expect(text).toMatchFileSnapshot('./recorded/tls-sessions.txt');
});

/** The number of copies of each report, so that both days have rollups. */
const COPIES = 10;

it('are the same in rollups', async () => {
  const before = await readMails();
  await sql.query(`insert into report select copy.* from report r, generate_series(1, ${COPIES - 1}) n,
      jsonb_populate_record(r, jsonb_build_object('id', r.id || '-' || n)) copy
    where r.account_id = 'ada' and r.type = 'dmarc'`);
  await sql.query(`update daily_count set total = total * ${COPIES} where account_id = 'ada'`);
  expect((await keepReportGroups(sql, NOW.slice(0, 10))).days).toBeGreaterThanOrEqual(2);
  await sql.query(
    `delete from report where account_id = 'ada' and date >= '${PERIOD.from}' and date < '${PERIOD.until}'`,
  );
  const expected = before.map(({ rows, total, days }) => ({
    ...{ total: COPIES * total, days },
    rows: rows.map(row => ({ ...row, count: COPIES * row.count, total: COPIES * total })),
  }));
  expect(await readMails()).toEqual(expected);
});
