import { describe, expect, it } from 'vitest';
import { ids, importBytes } from './reports.ts';

const day = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

const tlsReport = (failed: number) => ({
  'organization-name': 'receiver.example',
  'report-id': `${day}_shop.example`,
  'date-range': { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` },
  policies: [
    {
      policy: { 'policy-type': 'sts', 'policy-domain': 'shop.example' },
      summary: { 'total-successful-session-count': 1, 'total-failure-session-count': failed },
    },
  ],
});
const parsedmarc = {
  organization_name: 'receiver.example',
  report_id: `${day}_shop.example`,
  begin_date: `${day} 00:00:00`,
  end_date: `${day} 23:59:59`,
  policies: [{ policy_domain: 'shop.example', policy_type: 'sts', failed_session_count: 0 }],
};

describe('a forged report', () => {
  it('does not take the place of the true one whose reporter, id and day it has', async () => {
    const [real, again, forged] = await Promise.all(
      [432, 432, 0].map(failed => importBytes(JSON.stringify(tlsReport(failed)))),
    );
    expect(ids(again!)).toEqual(ids(real!));
    expect(ids(forged!)).not.toEqual(ids(real!));
  });

  const line = (body: unknown) =>
    JSON.stringify({ time: `${day}T10:00:00Z`, user_agent: 'curl', body: JSON.stringify(body) });
  const logs: [string, (body: unknown) => string][] = [
    ['a line of JSON', line],
    ['a list in a line of JSON', body => line([body])],
    ['a line of a log', body => `192.0.2.1 - - [x] "POST /reports" ${JSON.stringify(body)}`],
    ['a line of a log that is nothing else', body => `level=info msg=x\n${JSON.stringify(body)}`],
  ];
  const certificate = { message_type: 'certificate_update', data: { leaf_cert: { as_der: 'AAAA' } } };
  const forms = {
    'a TLS report': tlsReport(0),
    'an export of parsedmarc': parsedmarc,
    'a certificate': certificate,
  };
  const cases = logs.flatMap(([where, make]) =>
    Object.entries(forms).map(([what, body]) => [what, where, make(body)] as const),
  );
  it.each(cases)('is none where anybody may post: %s in %s', async (_, __, text) => {
    const { records, certificates, skipped } = await importBytes(`${text}\n`);
    expect([...records, ...certificates]).toEqual([]);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain('is no report that is known');
  });

  it('is taken from a log where that form is asked for', async () => {
    const { records } = await importBytes(`${line(tlsReport(7))}\n`, { format: 'tls-rpt' });
    expect(records).toMatchObject([{ type: 'tls_rpt', failedSessions: 7 }]);
  });

  it('is none among bodies alone, where the form is that of browsers', async () => {
    const { records, skipped } = await importBytes(JSON.stringify(tlsReport(0)), { format: 'browser' });
    expect(records).toEqual([]);
    expect(skipped).toEqual(['file is not of the form that was asked for: tls-rpt']);
  });
});
