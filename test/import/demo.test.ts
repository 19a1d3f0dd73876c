import { REPORT_TYPE_DEFINITIONS, REPORT_TYPES } from '@sightline/reports';
import { describe, expect, it } from 'vitest';
import { importFiles } from '../../packages/demo/src/import/write.ts';
import { type ImportResult, importBytes } from '../../packages/importer/test/reports.ts';

const day = new Date().toISOString().slice(0, 10);
const files = importFiles(day);

async function imported(folder: string): Promise<Record<string, ImportResult>> {
  const some = files.filter(({ path }) => path.startsWith(`${folder}/`) && !path.includes('/tmp/'));
  const pairs = some.map(async ({ path, content, modified = Date.parse(day) }) => {
    const item = { modified, name: path.slice(path.lastIndexOf('/') + 1) };
    return [path.slice(folder.length + 1), await importBytes(Buffer.from(content), {}, item)] as const;
  });
  return Object.fromEntries(await Promise.all(pairs));
}

const all = (of: Record<string, ImportResult>) => Object.values(of).flatMap(({ records }) => records);
const skipped = (of: Record<string, ImportResult>) => Object.values(of).flatMap(one => one.skipped);

describe('the import demo', () => {
  it('covers every report type', async () => {
    const folders = new Set(files.map(({ path }) => path.split('/')[0]!).filter(name => name !== 'broken'));
    const records = (await Promise.all([...folders].map(imported))).flatMap(all);
    expect([...new Set(records.map(({ type }) => type))].sort()).toEqual([...REPORT_TYPES].sort());
  });

  it('contains DMARC reports in every form, which are all read correctly', async () => {
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

  it('distinguishes the sending and receiving addresses in a TLS report', async () => {
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

  it('contains TLS reports with one record per policy', async () => {
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

  it('contains browser reports in every envelope', async () => {
    const found = await imported('browsers');
    expect(skipped(found)).toEqual([]);
    const counts = Object.fromEntries(
      Object.entries(found).map(([path, { records }]) => [path, records.length]),
    );
    expect(counts).toMatchObject({
      'reporting-api.json': 14,
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
    // The same body in two logs, with the same browser and time, is one report.
    expect(found['access.log']!.records[0].id).toBe(found['nginx-hex.log']!.records[0].id);
    expect(JSON.stringify(all(found))).not.toMatch(/192\.0\.2\.(1|66)"/);
  });

  it('contains certificates and precertificates with the same digest of the signed part', async () => {
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

  it('contains parsedmarc exports with the same ids as the original reports', async () => {
    const [exports, mails, tls] = await Promise.all(['parsedmarc', 'dmarc', 'tls-rpt'].map(imported));
    const toIds = (one: ImportResult | undefined) => one!.records.map(({ id }) => id).sort();
    expect(skipped(exports!)).toEqual([]);
    expect(toIds(exports!['aggregate.json'])).toEqual(toIds(mails!['plain.xml']));
    expect(toIds(exports!['smtp_tls.json'])).toEqual(toIds(tls!['report.json.gz']));
    expect(toIds(exports!['aggregate.csv'])).toEqual(toIds(mails!['plain.xml']));
    expect(toIds(exports!['smtp_tls.csv'])).toEqual(toIds(tls!['report.json.gz']));
    expect(toIds(exports!['all.json'])).toEqual(
      [...toIds(mails!['plain.xml']), ...toIds(tls!['report.json.gz'])].sort(),
    );
    for (const path of ['elasticsearch.ndjson', 'opensearch.json', 'sources.ndjson']) {
      expect([path, ...toIds(exports![path])]).toEqual([path, ...toIds(exports!['all.json'])]);
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

  it('contains damaged files, each of which is skipped with one message', async () => {
    const found = await imported('broken');
    for (const [path, { skipped: messages }] of Object.entries(found))
      expect([path, messages.length]).toEqual([path, 1]);
    expect(found['no-address.xml']!.records).toMatchObject([{ count: 5 }]);
    expect(found['ends-too-early.xml']!.records).toMatchObject([{ count: 12 }, { count: 1, spfResults: [] }]);
    expect(found['truncated.ndjson']!.records).toHaveLength(2);
  });
});

describe('parsedmarc documents in a search engine', () => {
  const lines = files.find(({ path }) => path === 'parsedmarc/elasticsearch.ndjson')!;
  const [first] = String(lines.content).split('\n');

  it('count every copy of equal rows, and distinguish rows of other reports', async () => {
    const other = first!.replace('"report_id":"plain"', '"report_id":"other"');
    const { records } = await importBytes([first, first, other, first].join('\n'));
    expect(new Set(records.map(({ id }) => id)).size).toBe(4);
    const repeated = await importBytes([other, first].join('\n'));
    const existing = records.map(({ id }) => id);
    expect(existing).toEqual(expect.arrayContaining(repeated.records.map(({ id }) => id)));
  });

  it('skip foreign documents, and cannot be forged in a request body', async () => {
    const hits = [JSON.parse(first!), { _source: { feedback_type: 'auth-failure' } }];
    const { records, skipped: messages } = await importBytes(JSON.stringify({ hits: { hits } }));
    expect([records.length, messages]).toEqual([1, [expect.stringContaining('hit 2 is not a known report')]]);
    const line = { time: `${day}T10:00:00Z`, user_agent: 'curl', body: first };
    const forged = await importBytes(`${JSON.stringify(line)}\n`);
    expect([forged.records, forged.skipped.length]).toEqual([[], 1]);
  });
});

describe('a parsedmarc export of a long period', () => {
  it('merges rows that were split into days back into one record', async () => {
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
