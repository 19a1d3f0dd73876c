import { importFiles } from '@sightline/demo/import';
import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES } from '@sightline/reports';
import { describe, expect, it } from 'vitest';
import { type Imported, importBytes } from '../../packages/import/test/reports.ts';

const day = new Date().toISOString().slice(0, 10);
const files = importFiles(day);

async function imported(folder: string): Promise<Record<string, Imported>> {
  const some = files.filter(({ path }) => path.startsWith(`${folder}/`) && !path.includes('/tmp/'));
  const pairs = some.map(async ({ path, content, modified = Date.parse(day) }) => {
    const item = { modified, name: path.slice(path.lastIndexOf('/') + 1) };
    return [path.slice(folder.length + 1), await importBytes(Buffer.from(content), {}, item)] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

const all = (of: Record<string, Imported>) => Object.values(of).flatMap(({ records }) => records);
const skipped = (of: Record<string, Imported>) => Object.values(of).flatMap(one => one.skipped);

describe('the demo of imports', () => {
  it('has every type of report', async () => {
    const folders = new Set(files.map(({ path }) => path.split('/')[0]!).filter(name => name !== 'broken'));
    const records = (await Promise.all([...folders].map(imported))).flatMap(all);
    expect([...new Set(records.map(({ type }) => type))].sort()).toEqual([...REPORT_TYPES].sort());
  });

  it('has DMARC reports that all read the same', async () => {
    const found = await imported('dmarc');
    expect(skipped(found)).toEqual([]);
    const counts = Object.entries(found).map(([path, { records }]) => [
      path,
      records.map(({ count }) => count),
    ]);
    const others: Record<string, number[]> = {
      'rfc9990.xml': [8],
      'without-organisation.xml': [3],
      'two-policies.xml': [1],
      'windows-1252.xml': [2],
      'inbox.mbox': [12, 1, 12, 1],
    };
    for (const [path, of] of counts) expect([path, of]).toEqual([path, others[path as string] ?? [12, 1]]);
    expect(found['windows-1252.xml']!.records).toMatchObject([{ reporter: 'Empfänger' }]);
    expect(found['angle-brackets.xml']!.records).toMatchObject([{ reportId: 'angle@receiver.example' }, {}]);
    expect(new Set(all(found).map(({ id }) => id)).size).toBe(all(found).length);
  });

  it('tells who sent from who received in a TLS report', async () => {
    const detail = { 'result-type': 'certificate-expired', 'failed-session-count': 1 };
    const addresses = { 'sending-mta-ip': '192.0.2.20', 'receiving-ip': '198.51.100.7' };
    const summary = { 'total-successful-session-count': 0, 'total-failure-session-count': 1 };
    const { records } = await importBytes(
      JSON.stringify({
        'organization-name': 'receiver',
        'report-id': 'addresses',
        'date-range': { 'start-datetime': `${day}T00:00:00Z`, 'end-datetime': `${day}T23:59:59Z` },
        policies: [
          {
            policy: { 'policy-type': 'sts', 'policy-domain': 'shop.example' },
            summary,
            'failure-details': [{ ...detail, ...addresses }],
          },
        ],
      }),
    );
    expect(records).toMatchObject([
      { failureDetails: [{ sendingMtaIp: '192.0.2.20', receivingIp: '198.51.100.7' }] },
    ]);
  });

  it('has TLS reports, one record for each policy', async () => {
    const found = await imported('tls-rpt');
    expect(skipped(found)).toEqual([]);
    expect(found['no-policies.json']!.records).toEqual([]);
    expect(found['report.json']!.records).toMatchObject([
      {
        type: 'tls_rpt',
        date: `${day}T00:00:00.000Z`,
        domain: 'shop.example',
        policyType: 'sts',
        mxHosts: ['mail.shop.example'],
        successfulSessions: 240,
        failedSessions: 2,
        failureDetails: [
          { resultType: 'certificate-expired' },
          { failureReasonCode: 'X509_V_ERR', sendingMtaIp: '' },
        ],
        reporter: 'receiver.example',
        endDate: `${day}T23:59:59.000Z`,
      },
      { policyType: 'no-policy-found', policyStrings: [], mxHosts: [] },
    ]);
    const domains = Object.entries(found).map(([path, { records }]) => [path, records[0]?.domain]);
    expect(Object.fromEntries(domains)).toMatchObject({
      'mail.eml': 'shop.example',
      'receiver.example!named.example!1!2.json': 'named.example',
    });
    expect(found['unknown.json']!.records).toMatchObject([{ policyType: '' }]);
    expect(found['texts.json']!.records).toMatchObject([
      { policyStrings: ['version: STSv1'], mxHosts: ['a.example', 'b.example'] },
    ]);
    expect(found['nothing-else.json']!.records).toMatchObject([{ failureDetails: [], contactInfo: '' }]);
  });

  it('has reports of browsers in every envelope', async () => {
    const found = await imported('browsers');
    expect(skipped(found)).toEqual([]);
    const counts = Object.fromEntries(
      Object.entries(found).map(([path, { records }]) => [path, records.length]),
    );
    expect(counts).toMatchObject({
      'reporting-api.json': 12,
      'originals.ndjson': REPORT_TYPE_DEFINITIONS.filter(({ fromBrowser }) => fromBrowser).length,
      'bodies.ndjson': 5,
      'nginx-json.log': 2,
      'not-kept.json': 0,
    });
    const single = Object.entries(counts).filter(([, count]) => count === 1);
    expect(single.map(([path]) => path).sort()).toEqual(
      [
        'access.log',
        'csp-report.json',
        'form.txt',
        'go-csp-collector.json',
        'go-csp-collector.log',
        'nginx-hex.log',
        'old-firefox.json',
        'one.json',
        'safari.json',
        'snake.json',
        'without-envelope.json',
      ].sort(),
    );
    // One body in two logs, of one browser at one time, is one report.
    expect(found['access.log']!.records[0].id).toBe(found['nginx-hex.log']!.records[0].id);
    expect(JSON.stringify(all(found))).not.toMatch(/192\.0\.2\.(1|66)"/);
  });

  it('has certificates, whose precertificates share the digest of what is signed', async () => {
    const found = await imported('certificates');
    const [certificate] = found['certificate.pem']!.records;
    const [precertificate] = found['precertificate.der']!.records;
    expect(certificate).toMatchObject({
      type: 'certificate_transparency',
      certType: 'certificate',
      hostnames: ['shop.example', 'www.shop.example'],
      commonName: 'shop.example',
      issuer: 'C=DE, O=Beispiel Zertifikate GmbH, CN=Beispiel DV CA 4',
      date: `${day}T00:00:00.000Z`,
      logs: [],
    });
    expect(precertificate.certType).toBe('precertificate');
    expect(precertificate.sha256Tbs).toBe(certificate.sha256Tbs);
    expect(precertificate.sha256Spki).toBe(certificate.sha256Spki);
    expect(precertificate.sha256).not.toBe(certificate.sha256);
    expect(found['bundle.pem']!.records).toHaveLength(2);
    expect(found['certstream.ndjson']!.records).toMatchObject([
      { commonName: 'streamed.example', date: `${day}T01:10:42.250Z`, logs: [{ name: 'Example Log 2026' }] },
    ]);
    expect(found['certificate.pem']!.certificates).toMatchObject([{ sha256: certificate.sha256 }]);
  });

  it('has exports of parsedmarc with the same identifiers as the reports themselves', async () => {
    const [exports, mails, tls] = await Promise.all(['parsedmarc', 'dmarc', 'tls-rpt'].map(imported));
    const idsOf = (one: Imported | undefined) => one!.records.map(({ id }) => id).sort();
    expect(skipped(exports!)).toEqual([]);
    expect(idsOf(exports!['aggregate.json'])).toEqual(idsOf(mails!['plain.xml']));
    expect(idsOf(exports!['smtp_tls.json'])).toEqual(idsOf(tls!['report.json.gz']));
    expect(idsOf(exports!['aggregate.csv'])).toEqual(idsOf(mails!['plain.xml']));
    expect(idsOf(exports!['smtp_tls.csv'])).toEqual(idsOf(tls!['report.json.gz']));
    expect(idsOf(exports!['all.json'])).toEqual(
      [...idsOf(mails!['plain.xml']), ...idsOf(tls!['report.json.gz'])].sort(),
    );
    for (const path of ['elasticsearch.ndjson', 'opensearch.json', 'sources.ndjson']) {
      expect([path, ...idsOf(exports![path])]).toEqual([path, ...idsOf(exports!['all.json'])]);
      expect(exports![path]!.records).toContainEqual(
        expect.objectContaining({ country: 'DE', organisation: 'Example Networks', aligned: true }),
      );
    }
    expect(exports!['aggregate.ndjson']!.records).toMatchObject([
      {
        asn: 64_500,
        organisation: 'Example Networks',
        country: 'DE',
        sourceHostname: 'mail.shop.example',
        aligned: true,
      },
      {},
    ]);
  });

  it('has what cannot be read, and tells each', async () => {
    const found = await imported('broken');
    for (const [path, { skipped: told }] of Object.entries(found))
      expect([path, told.length]).toEqual([path, 1]);
    expect(found['no-address.xml']!.records).toMatchObject([{ count: 5 }]);
    expect(found['ends-too-early.xml']!.records).toMatchObject([{ count: 12 }]);
    expect(found['truncated.ndjson']!.records).toHaveLength(2);
  });
});

describe('documents of parsedmarc in a search engine', () => {
  const lines = files.find(({ path }) => path === 'parsedmarc/elasticsearch.ndjson')!;
  const [first] = String(lines.content).split('\n');

  it('count each of equal rows, and those of another report apart', async () => {
    const other = first!.replace('"report_id":"plain"', '"report_id":"other"');
    const { records } = await importBytes([first, first, other, first].join('\n'));
    expect(new Set(records.map(({ id }) => id)).size).toBe(4);
    const again = await importBytes([other, first].join('\n'));
    const known = records.map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining(again.records.map(({ id }) => id)));
  });

  it('are told where an answer has others, and are none of an attacker', async () => {
    const hits = [JSON.parse(first!), { _source: { feedback_type: 'auth-failure' } }];
    const { records, skipped: told } = await importBytes(JSON.stringify({ hits: { hits } }));
    expect([records.length, told]).toEqual([
      1,
      [expect.stringContaining('hit 2 is no report that is known')],
    ]);
    const line = { time: `${day}T10:00:00Z`, user_agent: 'curl', body: first };
    const forged = await importBytes(`${JSON.stringify(line)}\n`);
    expect([forged.records, forged.skipped.length]).toEqual([[], 1]);
  });
});

describe('a parsedmarc export of a long period', () => {
  it('is one record again for each row that was split into days', async () => {
    const plain = files.find(({ path }) => path === 'parsedmarc/aggregate.json')!;
    const [whole] = JSON.parse(String(plain.content));
    const days = [5, 4, 3].map((count, index) => ({
      ...whole.records[0],
      count,
      normalized_timespan: true,
      interval_begin: `${day} 0${index}:00:00`,
      interval_end: `${day} 0${index + 1}:00:00`,
    }));
    const { records } = await importBytes(JSON.stringify({ ...whole, records: [...days, whole.records[1]] }));
    const before = await importBytes(JSON.stringify(whole));
    expect(records.map(({ id }) => id)).toEqual(before.records.map(({ id }) => id));
    expect(records[0].count).toBe(12);
  });
});
