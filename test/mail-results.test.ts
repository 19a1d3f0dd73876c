import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

describe('the replayed mail of an account', () => {
  const of = (account: string) => ({ account: account as string as AccountId, ...PERIOD });

  it('is added up over its days, and sorted by count, sender, evaluation and results', async () => {
    const mail = (name: string, date: string, count: number, fields = {}) =>
      report('sums', 'dmarc', name, { date: `2026-05-${date}:00Z`, count, ...fields });
    const single = ['B', 'A'].flatMap(organisation =>
      ['pass', 'fail'].flatMap(dkim =>
        ['b.example', 'a.example'].map(domain =>
          mail(`${organisation} ${dkim} ${domain}`, '10T10:00', 1, {
            ...{ organisation, dkim, dkimResults: [{ domain, selector: 's', result: 'pass' }] },
          }),
        ),
      ),
    );
    const days = (['09T10:00', '09T11:00', '10T10:00'] as const).map((date, n) => mail(date, date, n + 1));
    await service.load(personal('sums'), ...single, ...days);
    const { rows, total } = await mailResults(service.database, of('sums'));
    expect(total).toBe(14);
    expect(rows.map(({ count }) => count)).toEqual([6, ...Array(8).fill(1)]);
    const values = rows
      .slice(1)
      .map(({ sender, evaluation, results }) => [sender, evaluation, results].join('\n'));
    expect([new Set(values).size, values]).toEqual([8, values.toSorted()]);
  });

  it('has the newest policy that a report names, whatever the case of its domain', async () => {
    const mail = (date: string, domain: string, p?: string) =>
      report('published', 'dmarc', date, {
        ...{ date: `2026-05-${date}:00Z`, domain, headerFrom: domain },
        ...(p !== undefined && { publishedPolicy: { p } }),
      });
    await service.load(
      personal('published'),
      mail('09T10:00', 'x.example', 'none'),
      mail('10T10:00', 'X.example', 'reject'),
      mail('10T11:00', 'x.example'),
    );
    const found = await publishedPolicies(service.database, { ...of('published'), domains: ['x.example'] });
    expect(found).toMatchObject([{ domain: 'x.example', policy: { p: 'reject' } }]);
  });

  it('over TLS is sorted by its sessions, then by names, and has the newest policy with lines', async () => {
    const tls = (date: string, reporter: string, fields = {}) =>
      report('tls', 'tls_rpt', `${date} ${reporter}`, {
        ...{ date: `2026-05-${date}:00Z`, domain: 'x.example', policyType: 'sts', reporter },
        ...{ successfulSessions: 4, failedSessions: 2, failureDetails: [], policyStrings: [], ...fields },
      });
    const failures = (...types: [type: string, exchanger: string][]) => ({
      failureDetails: types.map(([resultType, receivingMxHostname]) => ({
        ...{ resultType, receivingMxHostname, failedSessions: 1 },
      })),
    });
    await service.load(
      personal('tls'),
      tls('09T10:00', 'Zeta', { policyStrings: ['mode: testing'] }),
      tls('09T11:00', 'Mid', failures(['b', 'mx1'], ['a', 'mx2'], ['b', 'mx0'])),
      tls('10T10:00', 'Acme', { policyStrings: ['mode: enforce'] }),
      tls('10T11:00', 'Least', { successfulSessions: 5, failedSessions: 0 }),
    );
    const found = await tlsSessions(service.database, { ...of('tls'), domain: 'x.example' });
    expect(found.sessions.map(({ reporter }) => reporter)).toEqual(['Acme', 'Mid', 'Zeta', 'Least']);
    expect(found.failures.map(({ resultType, exchanger }) => `${resultType} ${exchanger}`)).toEqual([
      'a mx2',
      'b mx0',
      'b mx1',
    ]);
    expect(found.policyStrings).toEqual(['mode: enforce']);
  });

  it('over TLS is that of the 1000 reporters and failures with the most sessions', async () => {
    await service.load(personal('many'));
    await sql.query(`insert into report (account_id, type, id, date, count, raw, host_reversed, extra)
      select 'many', 'tls_rpt', n::text, '2026-05-09', 1, '', 'elpmaxe.x', jsonb_build_object('reporter', n::text,
        'policyType', 'sts', 'successfulSessions', case n when 500 then 1 else 2 end, 'failureDetails',
        jsonb_build_array(jsonb_build_object('resultType', n::text, 'failedSessions', case n when 501 then 1 else 2 end)))
      from generate_series(1, 1001) n`);
    const { sessions, failures } = await tlsSessions(service.database, {
      ...of('many'),
      domain: 'x.example',
    });
    const names = [sessions.map(({ reporter }) => reporter), failures.map(({ resultType }) => resultType)];
    expect(names.map(list => [list.length, list.includes('500'), list.includes('501')])).toEqual([
      [1000, false, true],
      [1000, true, false],
    ]);
  });
});
