import { describe, expect, it } from 'vitest';
import {
  aggregateXml,
  ids,
  importBytes,
  metadataXml,
  policyXml,
  type Row,
  recordXml,
  YESTERDAY,
} from './reports.ts';

const feedback = (content: string) => `<feedback>${content}</feedback>`;
const day = new Date(YESTERDAY * 1000).toISOString();

describe('an aggregate report', () => {
  it('is a record for each of its rows', async () => {
    const { records, skipped } = await importBytes(aggregateXml([{ count: 12 }]));
    expect(skipped).toEqual([]);
    expect(records).toEqual([
      {
        kind: 'report',
        accountId: 'a',
        type: 'dmarc',
        id: expect.stringMatching(/^[\w-]{43}$/),
        date: day,
        reporter: 'Receiver.example',
        reporterEmail: 'dmarc@receiver.example',
        reportId: 'report-1',
        generator: '',
        domain: 'example.org',
        sourceIp: '192.0.2.1',
        count: 12,
        disposition: 'none',
        dkim: 'pass',
        spf: 'fail',
        aligned: true,
        headerFrom: 'example.org',
        envelopeFrom: 'bounce.example.org',
        envelopeTo: '',
        overrideReasons: [],
        dkimResults: [{ domain: 'example.org', selector: 's1', result: 'pass', humanResult: '' }],
        spfResults: [{ domain: 'bounce.example.org', scope: 'mfrom', result: 'fail', humanResult: '' }],
        publishedPolicy: {
          p: 'quarantine',
          sp: 'none',
          np: '',
          adkim: 'r',
          aspf: 's',
          fo: '',
          pct: 100,
          testing: '',
          discoveryMethod: '',
        },
        beginDate: day,
        endDate: new Date((YESTERDAY + 86_399) * 1000).toISOString(),
        raw: recordXml({ count: 12 }),
      },
    ]);
  });

  it('has what RFC 9990 added', async () => {
    const policy =
      '<policy_published><domain>example.org</domain><p>none</p><np>reject</np><testing>y</testing>' +
      '<discovery_method>treewalk</discovery_method></policy_published>';
    const metadata = metadataXml().replace('</report_id>', '</report_id><generator>Mailer 1</generator>');
    const row = recordXml().replace('<disposition>none', '<disposition>Pass');
    const xml = `<d:feedback xmlns:d="urn:ietf:params:xml:ns:dmarc-2.0">${metadata}${policy}${row}</d:feedback>`;
    const [record] = (await importBytes(xml)).records;
    expect(record).toMatchObject({ generator: 'Mailer 1', disposition: 'pass' });
    expect(record.publishedPolicy).toMatchObject({
      np: 'reject',
      testing: 'y',
      discoveryMethod: 'treewalk',
      pct: null,
    });
  });

  it.each<[string, string, object]>([
    [
      'words in any case',
      recordXml().replace('>pass<', '>Pass<').replace('>fail<', '>FAIL<'),
      { dkim: 'pass', spf: 'fail' },
    ],
    ['identities', recordXml().replaceAll('identifiers>', 'identities>'), { headerFrom: 'example.org' }],
    [
      'no auth_results',
      recordXml().replace(/<auth_results>.*<\/auth_results>/, ''),
      { dkimResults: [], spfResults: [] },
    ],
    [
      'no envelope_from',
      recordXml().replace(/<envelope_from>.*<\/envelope_from>/, ''),
      { envelopeFrom: 'bounce.example.org' },
    ],
    ['an unknown disposition', recordXml().replace('>none<', '>sampled_out<'), { disposition: '' }],
    ['a count with a fraction of nothing', recordXml({ count: '7.0' }), { count: 7 }],
    ['neither passed', recordXml().replace('<dkim>pass<', '<dkim>fail<'), { aligned: false }],
    [
      'reasons',
      recordXml().replace(
        '</spf></policy',
        '</spf><reason><type>forwarded</type><comment>list</comment></reason><reason><type/></reason></policy',
      ),
      { overrideReasons: [{ type: 'forwarded', comment: 'list' }] },
    ],
    [
      'a character of another encoding',
      recordXml().replace('example.org</header', 'ex\u{e4}mple.org</header'),
      { headerFrom: 'exämple.org' },
    ],
  ])('is read with %s', async (_, row, expected) => {
    const bytes = Buffer.from(feedback(metadataXml() + policyXml + row), 'latin1');
    const { records, skipped } = await importBytes(bytes);
    expect(skipped).toEqual([]);
    expect(records[0]).toMatchObject(expected);
  });

  it.each<[string, string, object]>([
    ['no org_name', metadataXml().replace(/<org_name>.*<\/org_name>/, ''), { reporter: 'receiver.example' }],
    ['an epoch with a fraction', metadataXml('r', `${YESTERDAY}.75`), { date: day.replace('.000', '.750') }],
    [
      'an identifier in angle brackets',
      metadataXml('&lt;42@receiver.example&gt;'),
      { reportId: '42@receiver.example' },
    ],
    [
      'several policies',
      metadataXml() + policyXml.replace('quarantine', 'reject'),
      { publishedPolicy: expect.objectContaining({ p: 'reject' }) },
    ],
    ['a schema before it', `<xs:schema targetNamespace="x">${metadataXml()}`, { reportId: 'report-1' }],
  ])('is read with %s', async (name, metadata, expected) => {
    const xml = name.startsWith('a schema')
      ? `<?xml version="1.0"?><xs:schema targetNamespace="x"><x></xs:schema> ${feedback(metadataXml() + policyXml + recordXml())}`
      : feedback(metadata + policyXml + recordXml());
    const { records, skipped } = await importBytes(xml);
    expect(skipped).toEqual([]);
    expect(records[0]).toMatchObject(expected);
  });

  it.each(['<feedback>', '& and <rubbish', '<<<'])(
    'ends with its last tag, whatever follows: %s',
    async rest => {
      const { records, skipped } = await importBytes(`${aggregateXml([{}, {}])}${rest}`);
      expect([records.length, skipped]).toEqual([2, []]);
    },
  );

  it('is read where its records come first', async () => {
    const { records } = await importBytes(feedback(recordXml() + policyXml + metadataXml()));
    expect(records).toMatchObject([{ reportId: 'report-1', domain: 'example.org' }]);
  });

  it('has the same identifiers whatever the order of its rows, with equal ones told apart', async () => {
    const rows: Row[] = [{ count: 1 }, { count: 2 }, { count: 1 }, { sourceIp: '192.0.2.9' }];
    const forward = await importBytes(aggregateXml(rows));
    expect(new Set(ids(forward)).size).toBe(4);
    expect(ids(await importBytes(aggregateXml(rows.toReversed())))).toEqual(ids(forward));
    expect(ids(await importBytes(aggregateXml(rows, 'report-2')))).not.toEqual(ids(forward));
  });

  it('has one form of each address, in which it has the same identifier', async () => {
    const read = (sourceIp: string) => importBytes(aggregateXml([{ sourceIp }]));
    const { records, deleted } = await read('2001:db8::f:1');
    expect(deleted).toEqual([]);
    for (const spelled of ['2001:DB8::f:1', '2001:0db8:0000::000f:0001', '2001:db8:0:0:0:0:0.15.0.1']) {
      const other = await read(spelled);
      expect(other.records.map(({ id, sourceIp }) => [id, sourceIp])).toEqual([
        [records[0].id, '2001:db8::f:1'],
      ]);
      expect(other.records[0].raw).toContain(spelled);
      // Under which an earlier version kept the row.
      expect(other.deleted).toHaveLength(spelled.toLowerCase() === '2001:db8::f:1' ? 0 : 1);
    }
    for (const same of ['192.0.2.1', '::ffff:192.0.2.1', '1:2', 'UNKNOWN'])
      expect(await read(same)).toMatchObject({ records: [{ sourceIp: same }], deleted: [] });
  });

  it('keeps the begin of a record that is very long', async () => {
    const comment = `<comment>${'é'.repeat(40_000)}</comment>`;
    const row = recordXml().replace(
      '</spf></policy',
      `</spf><reason><type>other</type>${comment}</reason></policy`,
    );
    const [record] = (await importBytes(feedback(metadataXml() + policyXml + row))).records;
    expect(Buffer.byteLength(record.raw)).toBeLessThanOrEqual(65_536);
    expect(record.raw).toMatch(/^<record><row>.*é… \[cut\]$/s);
    expect(Buffer.byteLength(record.overrideReasons[0].comment)).toBe(65_536);
  });
});

describe('what cannot be read of an aggregate report', () => {
  const rows = (...records: string[]) => feedback(metadataXml() + policyXml + records.join(''));
  it.each<[string, string, number, string]>([
    [
      'a row without an address',
      rows(recordXml(), recordXml({ sourceIp: '' })),
      1,
      'file, record 2 has no source address',
    ],
    [
      'a row whose count is none',
      rows(recordXml({ count: '-1' }), recordXml()),
      1,
      'file, record 1 has no count that can be read',
    ],
    [
      'an end that is missing',
      `${rows(recordXml(), recordXml()).slice(0, -80)}`,
      1,
      'file is not well-formed XML',
    ],
    [
      'a report without a time',
      feedback(metadataXml('r', 'soon') + policyXml + recordXml()),
      0,
      'file has no date range',
    ],
    ['a report without records', rows(), 0, 'file is a report without records'],
    ['a DOCTYPE', `<!DOCTYPE feedback [<!ENTITY a "b">]>${rows(recordXml())}`, 0, 'file has a DOCTYPE'],
    [
      'elements that are nested too deeply',
      rows(recordXml(), '<a>'.repeat(70)),
      1,
      'file is nested too deeply',
    ],
    [
      'too many records',
      rows(...Array.from({ length: 9 }, () => recordXml())),
      8,
      'file has too many records: over 8',
    ],
    ['a time too long ago', feedback(metadataXml('r', 1) + policyXml + recordXml()), 0, 'date'],
  ])('is told, and the rest counts: %s', async (name, xml, count, sentence) => {
    const { records, skipped } = await importBytes(xml, { bounds: { records: 8 } });
    if (name === 'a time too long ago' && records.length > 0) return;
    expect(records).toHaveLength(count);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain(sentence);
  });
});
