import { describe, expect, it } from 'vitest';
import { aggregateXml, ids, importBytes, YESTERDAY } from './reports.ts';

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
  it('does not replace the real report with the same reporter, id and day', async () => {
    const [real, repeated, forged] = await Promise.all(
      [432, 432, 0].map(failed => importBytes(JSON.stringify(tlsReport(failed)))),
    );
    expect(ids(repeated!)).toEqual(ids(real!));
    expect(ids(forged!)).not.toEqual(ids(real!));
  });

  /** The values of a row, each with a forged replacement. */
  const facts: [string, string][] = [
    ['<source_ip>192.0.2.1', '<source_ip>192.0.2.2'],
    ['<count>1', '<count>0'],
    ['<disposition>none', '<disposition>reject'],
    ['<dkim>pass', '<dkim>fail'],
    ['<spf>fail', '<spf>pass'],
    ['</policy_evaluated>', '<reason><type>forwarded</type></reason></policy_evaluated>'],
    ['<header_from>example.org', '<header_from>other.example.org'],
    ['<envelope_from>bounce', '<envelope_from>other'],
    ['<selector>s1', '<selector>s2'],
    ['<result>pass', '<result>fail'],
    ['<scope>mfrom', '<scope>helo'],
    ['<result>fail', '<result>softfail'],
  ];
  it.each(facts)('has another DMARC record id if a row differs: %s, %s', async (there, put) => {
    const xml = aggregateXml();
    expect(xml).toContain(there);
    const [real, forged] = await Promise.all([xml, xml.replace(there, put)].map(text => importBytes(text)));
    expect(forged!.records).toHaveLength(1);
    expect(ids(forged!)).not.toEqual(ids(real!));
  });

  it('can change only uncounted DMARC details: the end date, the generator and the published policy', async () => {
    const xml = aggregateXml();
    const other = xml
      .replace(`<end>${YESTERDAY + 86_399}`, `<end>${YESTERDAY + 3600}`)
      .replace('</report_id>', '</report_id><generator>other</generator>')
      .replace('<p>quarantine', '<p>none');
    const [real, forged] = await Promise.all([xml, other].map(text => importBytes(text)));
    const changed = Object.keys(real!.records[0]).filter(
      name => JSON.stringify(real!.records[0][name]) !== JSON.stringify(forged!.records[0][name]),
    );
    expect(changed.sort()).toEqual(['endDate', 'generator', 'publishedPolicy']);
  });

  const line = (body: unknown) =>
    JSON.stringify({ time: `${day}T10:00:00Z`, user_agent: 'curl', body: JSON.stringify(body) });
  const logs: [string, (body: unknown) => string][] = [
    ['a JSON line', line],
    ['a list in a JSON line', body => line([body])],
    ['a log line', body => `192.0.2.1 - - [x] "POST /reports" ${JSON.stringify(body)}`],
    ['a line of a log shipper', body => JSON.stringify({ log: JSON.stringify(body) })],
    ['a log line that consists of the body', body => `level=info msg=x\n${JSON.stringify(body)}`],
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
  it.each(cases)('is rejected in input that anyone can post: %s in %s', async (_, __, text) => {
    const { records, certificates, skipped } = await importBytes(`${text}\n`);
    expect([...records, ...certificates]).toEqual([]);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain('is not a known report');
  });

  it('is accepted from a log only if that format is requested', async () => {
    const { records } = await importBytes(`${line(tlsReport(7))}\n`, { format: 'tls-rpt' });
    expect(records).toMatchObject([{ type: 'tls_rpt', failedSessions: 7 }]);
  });

  it('is rejected among browser reports', async () => {
    const { records, skipped } = await importBytes(JSON.stringify(tlsReport(0)), { format: 'browser' });
    expect(records).toEqual([]);
    expect(skipped).toEqual(['file is not in the requested format: tls-rpt']);
  });
});
