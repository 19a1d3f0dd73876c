import { describe, expect, it } from 'vitest';
import { Unreadable } from '../src/unreadable.ts';
import {
  aggregateXml,
  ids,
  importBytes,
  metadataXml,
  policyXml,
  type ReportRow,
  recordXml,
  YESTERDAY,
} from './reports.ts';

const feedback = (content: string) => `<feedback>${content}</feedback>`;
const day = new Date(YESTERDAY * 1000).toISOString();

describe('an aggregate report', () => {
  it.each([
    ['in upper case', (name: string) => name.toUpperCase()],
    ['with a namespace', (name: string) => `ns:${name}`],
  ])('is recognized with names of elements %s', async (_, rename) => {
    const report = aggregateXml([{ count: 3 }]);
    const renamed = report.replace(/(<\/?)(\w+)/g, (_all, start, name) => start + rename(name));
    expect(renamed).not.toBe(report);
    const [plain, other] = [await importBytes(report), await importBytes(renamed)];
    expect(other.skipped).toEqual([]);
    expect(other.records.map(({ id, raw, ...record }) => record)).toEqual(
      plain.records.map(({ id, raw, ...record }) => record),
    );
  });

  it('is skipped without metadata, because it has no date range', async () => {
    const { records, skipped } = await importBytes(aggregateXml().replace(metadataXml(), ''));
    expect([records, skipped]).toEqual([[], ['file has no date range']]);
  });

  it('has the domain of the address as its reporter if the organization has no name', async () => {
    const email = '"a@b"@receiver.example';
    const nameless = aggregateXml()
      .replace(/<org_name>[^<]*<\/org_name>/, '')
      .replace('dmarc@receiver.example', email);
    const { records } = await importBytes(nameless);
    expect(records[0]).toMatchObject({ reporter: 'receiver.example', reporterEmail: email });
  });

  it('is read without a reporter', async () => {
    const report = aggregateXml([{ count: 1 }]);
    const anonymous = report.replace(/<org_name>[^<]*<\/org_name>|<email>[^<]*<\/email>/g, '');
    expect(anonymous).not.toBe(report);
    const { records, skipped } = await importBytes(anonymous);
    expect(skipped).toEqual([]);
    expect(records.map(({ reporter, count }) => [reporter, count])).toEqual([['', 1]]);
  });

  it('becomes one record per row', async () => {
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

  it('can contain the fields that RFC 9990 added', async () => {
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
      'keywords in any case',
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
    ['a count with a zero fraction', recordXml({ count: '7.0' }), { count: 7 }],
    ['neither check passed', recordXml().replace('<dkim>pass<', '<dkim>fail<'), { aligned: false }],
    [
      'reasons',
      recordXml().replace(
        '</spf></policy',
        '</spf><reason><type>forwarded</type><comment>list</comment></reason><reason><type/></reason></policy',
      ),
      { overrideReasons: [{ type: 'forwarded', comment: 'list' }] },
    ],
    [
      'a reason with a text beside its comment',
      recordXml().replace(
        '</spf></policy',
        '</spf><reason>some words<comment>list</comment></reason></policy',
      ),
      { overrideReasons: [{ type: '', comment: 'list' }] },
    ],
    [
      'a reason that is a word',
      recordXml().replace('</spf></policy', '</spf><reason>forwarded</reason></policy'),
      { overrideReasons: [{ type: 'forwarded', comment: '' }] },
    ],
    [
      'a reason that is a sentence',
      recordXml().replace('</spf></policy', '</spf><reason>a list</reason></policy'),
      { overrideReasons: [{ type: '', comment: 'a list' }] },
    ],
    [
      'results in upper case and empty results',
      recordXml()
        .replace('<auth_results>', '<auth_results><dkim/><spf/>')
        .replace('<result>pass', '<result>PASS')
        .replace('<result>fail', '<result>FAIL'),
      { dkimResults: [{ result: 'pass' }], spfResults: [{ result: 'fail' }] },
    ],
    [
      'an envelope recipient',
      recordXml().replace('</identifiers>', '<envelope_to>to.example</envelope_to></identifiers>'),
      { envelopeTo: 'to.example' },
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
    ['spaces around its identifier', metadataXml('&lt; 42 &gt;'), { reportId: '42' }],
    [
      'several policies',
      metadataXml() + policyXml.replace('quarantine', 'reject'),
      { publishedPolicy: expect.objectContaining({ p: 'reject' }) },
    ],
    ['a preceding schema', `<xs:schema targetNamespace="x">${metadataXml()}`, { reportId: 'report-1' }],
  ])('is read with %s', async (name, metadata, expected) => {
    const xml = name.startsWith('a schema')
      ? `<?xml version="1.0"?><xs:schema targetNamespace="x"><x></xs:schema> ${feedback(metadataXml() + policyXml + recordXml())}`
      : feedback(metadata + policyXml + recordXml());
    const { records, skipped } = await importBytes(xml);
    expect(skipped).toEqual([]);
    expect(records[0]).toMatchObject(expected);
  });

  it('is read line by line if lines have different encodings', async () => {
    const hosts = ['k\u{e4}se.example', 'm\u{fc}ll.example'];
    const lines = hosts.map(host => recordXml().replace('example.org</header', `${host}</header`));
    const bytes = Buffer.concat([
      Buffer.from(`<feedback>${metadataXml()}${policyXml}\n${lines[0]}\n`),
      Buffer.from(`${lines[1]}\n</feedback>`, 'latin1'),
    ]);
    const { records, skipped } = await importBytes(bytes);
    expect(skipped).toEqual([]);
    expect(records.map(({ headerFrom }) => headerFrom)).toEqual(hosts);
  });

  it.each(['</reports>', '& and <rubbish', '<<<'])(
    'ends with its last tag, regardless of what follows: %s',
    async rest => {
      const { records, skipped } = await importBytes(`${aggregateXml([{}, {}])}${rest}`);
      expect([records.length, skipped]).toEqual([2, []]);
    },
  );

  it.each(['mrp', 'rmp', 'rpm', 'prm', 'pmr'])('is the same in any order of its parts: %s', async order => {
    const parts: Readonly<Record<string, string>> = { m: metadataXml(), p: policyXml, r: recordXml() };
    const { records, skipped } = await importBytes(feedback([...order].map(part => parts[part]).join('')));
    const usual = await importBytes(feedback(metadataXml() + policyXml + recordXml()));
    expect([records, skipped]).toEqual([usual.records, []]);
  });

  it('that ends too early keeps the records that waited for its policy', async () => {
    const { records, skipped } = await importBytes(`<feedback>${metadataXml()}${recordXml()}`);
    expect(records).toHaveLength(1);
    expect(skipped).toEqual([expect.stringMatching(/; 1 record was read, others can be missing$/)]);
  });

  it('has distinct ids for all rows, regardless of their order', async () => {
    const rows: ReportRow[] = [{ count: 1 }, { count: 2 }, { count: 1 }, { sourceIp: '192.0.2.9' }];
    const forward = await importBytes(aggregateXml(rows));
    expect(new Set(ids(forward)).size).toBe(4);
    expect(ids(await importBytes(aggregateXml(rows.toReversed())))).toEqual(ids(forward));
    expect(ids(await importBytes(aggregateXml(rows, 'report-2')))).not.toEqual(ids(forward));
  });

  it.each([
    ['disposition', '<disposition>none</disposition>', '<disposition>reject</disposition>'],
    ['evaluated DKIM', '<dkim>fail</dkim>', '<dkim>pass</dkim>'],
    ['evaluated SPF', '<spf>fail</spf>', '<spf>pass</spf>'],
    ['selector', '<selector>none</selector>', '<selector>s2</selector>'],
    ['DKIM result', '<result>none</result><!--dkim-->', '<result>neutral</result>'],
    ['SPF scope', '<scope>mfrom</scope>', '<scope>helo</scope>'],
    ['SPF result', '<result>none</result><!--spf-->', '<result>neutral</result>'],
  ])('has the same id whether or not a default is spelled out: %s', async (_, unsaid, other) => {
    const row =
      '<record><row><source_ip>192.0.2.1</source_ip><count>1</count><policy_evaluated>' +
      '<disposition>none</disposition><dkim>fail</dkim><spf>fail</spf></policy_evaluated></row>' +
      '<identifiers><header_from>example.org</header_from></identifiers>' +
      '<auth_results><dkim><domain>example.org</domain><selector>none</selector><result>none</result><!--dkim--></dkim>' +
      '<spf><domain>b.example</domain><scope>mfrom</scope><result>none</result><!--spf--></spf></auth_results></record>';
    const read = async (xml: string) => ids(await importBytes(aggregateXml([{ xml }])));
    const spelled = await read(row);
    expect(await read(row.replace(unsaid, ''))).toEqual(spelled);
    expect(
      await read(
        row.replace(
          unsaid,
          unsaid.toUpperCase().replace(/<[^!>]+>/g, tag => tag.toLowerCase()),
        ),
      ),
    ).toEqual(spelled);
    expect(await read(row.replace(unsaid, other))).not.toEqual(spelled);
  });

  it('takes the envelope sender from the last SPF result', async () => {
    const spf = (domain: string, scope: string) =>
      `<spf><domain>${domain}</domain><scope>${scope}</scope><result>pass</result></spf>`;
    const row = (identifiers: string) =>
      recordXml()
        .replace(/<envelope_from>.*<\/envelope_from>/, identifiers)
        .replace(/<spf><domain>.*<\/spf>/, spf('helo.example', 'helo') + spf('mfrom.example', 'mfrom'));
    const rows = ['', '<envelope_from/>', '<envelope_from>said.example</envelope_from>'];
    const { records } = await importBytes(aggregateXml(rows.map(own => ({ xml: row(own) }))));
    expect(records.map(({ envelopeFrom }) => envelopeFrom)).toEqual([
      'mfrom.example',
      'mfrom.example',
      'said.example',
    ]);
    expect(records[0].spfResults.map(({ domain }: { domain: string }) => domain)).toEqual([
      'helo.example',
      'mfrom.example',
    ]);
  });

  it('assigns identifiers and results to rows by position, or the first to all if their numbers differ', async () => {
    const row = (count: number) =>
      `<row><source_ip>192.0.2.${count}</source_ip><count>${count}</count><policy_evaluated/></row>`;
    const identifiers = (host: string) => `<identifiers><header_from>${host}</header_from></identifiers>`;
    const results = (host: string) =>
      `<auth_results><dkim><domain>${host}</domain><result>pass</result></dkim></auth_results>`;
    const read = async (...parts: string[]) => {
      const { records } = await importBytes(aggregateXml([{ xml: `<record>${parts.join('')}</record>` }]));
      return records.map(({ count, headerFrom, dkimResults }) => [count, headerFrom, dkimResults[0].domain]);
    };
    expect(
      await read(row(1), identifiers('a'), results('c'), row(2), identifiers('b'), results('d')),
    ).toEqual([
      [1, 'a', 'c'],
      [2, 'b', 'd'],
    ]);
    expect(await read(row(1), row(2), row(3), identifiers('a'), identifiers('b'), results('c'))).toEqual([
      [1, 'a', 'c'],
      [2, 'a', 'c'],
      [3, 'a', 'c'],
    ]);
    expect(await read(row(1), row(2), ...['a', 'b', 'd'].map(identifiers), results('c'))).toEqual([
      [1, 'a', 'c'],
      [2, 'a', 'c'],
    ]);
  });

  it('normalizes source addresses before computing ids', async () => {
    const read = (sourceIp: string) => importBytes(aggregateXml([{ sourceIp }]));
    const spellings = {
      '2001:db8::f:1': [
        '2001:DB8::f:1',
        '2001:0db8:0000::000f:0001',
        '2001:db8:0:0:0:0:0.15.0.1',
        '[2001:db8::f:1]',
        '[2001:db8::f:1]:25',
        ' 2001:db8::f:1%eth0 ',
      ],
      '192.0.2.1': ['::ffff:192.0.2.1', '::FFFF:c000:201', '192.0.2.1:25', '[192.0.2.1]', ' 192.0.2.1\n'],
    };
    for (const [canonical, others] of Object.entries(spellings)) {
      const { records } = await read(canonical);
      for (const spelled of others) {
        const other = await read(spelled);
        expect(other.records.map(({ id, sourceIp }) => [id, sourceIp])).toEqual([[records[0].id, canonical]]);
        expect(other.records[0].raw).toContain(spelled);
        expect(other.skipped).toEqual([]);
      }
    }
  });

  it.each(['X.X.X.X', 'unknown', 'mail.acme.example', '192.000.002.004', '1:2', '192.0.2.256', '::g'])(
    'counts a row with an invalid address and reports the address: %s',
    async sourceIp => {
      const { records, skipped } = await importBytes(
        aggregateXml([{ sourceIp, count: 7 }, { sourceIp: 'other' }]),
      );
      expect(records.map(record => [record.sourceIp, record.count])).toEqual([
        ['', 7],
        ['', 1],
      ]);
      expect(new Set(ids({ records } as never)).size).toBe(2);
      expect(skipped[0]).toBe(`file, record 1 has an invalid source address: ${sourceIp}`);
    },
  );

  it.each([
    ['an invalid address', { sourceIp: 'Mail.Acme.Example' }],
    ['an IPv6 address without a count', { sourceIp: '2001:DB8::F', count: '' }],
  ])('numbers rows as equal if they differ only in the case of %s', async (_, row) => {
    const read = async (sourceIp: string) => {
      const { records, rejected } = await importBytes(aggregateXml([{ ...row, sourceIp }]));
      return [...records.map(({ id }) => id), ...rejected.map(part => part.rejected!.id)];
    };
    const written = await read(row.sourceIp);
    expect(written).toHaveLength(1);
    expect(await read(row.sourceIp.toLowerCase())).toEqual(written);
  });

  it.each([0, 1, 2, 3])(
    'truncates a long comment before an incomplete character: after %i letters',
    async letters => {
      const comment = `${'x'.repeat(letters)}${'\u{1f600}'.repeat(20_000)}`;
      const reason = `<reason><type>other</type><comment>${comment}</comment></reason>`;
      const xml = recordXml().replace('</spf></policy', `</spf>${reason}</policy`);
      const [record] = (await importBytes(aggregateXml([{ xml }]))).records;
      expect(record.overrideReasons[0].comment).toMatch(/^x*\u{1f600}+$/u);
      expect(Buffer.byteLength(record.overrideReasons[0].comment)).toBeGreaterThan(65_532);
    },
  );

  it('truncates a very long record', async () => {
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

it('a record that is truncated within its row is not reported on its own', async () => {
  const whole = aggregateXml([{ count: 12 }, { count: 34 }]);
  const { records, skipped } = await importBytes(whole.slice(0, whole.indexOf('34') + 1));
  expect(records.map(({ count }) => count)).toEqual([12]);
  expect(skipped).toEqual([
    'file is not well-formed XML: unclosed tag: count; 1 record was read, others can be missing',
  ]);
});

describe('an aggregate report with errors', () => {
  const rows = (...records: string[]) => feedback(metadataXml() + policyXml + records.join(''));
  it.each<[string, string, number, string]>([
    [
      'a row without an address',
      rows(recordXml(), recordXml({ sourceIp: '' })),
      1,
      'file, record 2 has no source address',
    ],
    [
      'a row with an invalid count',
      rows(recordXml({ count: '-1' }), recordXml()),
      1,
      'file, record 1 has no valid count',
    ],
    [
      'a truncated document',
      `${rows(recordXml(), recordXml()).slice(0, -80)}`,
      2,
      'file is not well-formed XML: unclosed tag: spf; 2 records were read, others can be missing',
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
      rows(recordXml(), `<record>${'<a>'.repeat(70)}</record>`),
      1,
      'file, record 2 is nested too deeply',
    ],
    [
      'too many records',
      rows(...Array.from({ length: 12 }, () => recordXml())),
      8,
      'file has too many records: over 8',
    ],
    ['a time too long ago', feedback(metadataXml('r', 1) + policyXml + recordXml()), 0, 'date'],
  ])('is reported, and its other rows are imported: %s', async (name, xml, count, sentence) => {
    const { records, skipped } = await importBytes(xml, { bounds: { records: 8 } });
    if (name === 'a time too long ago' && records.length > 0) return;
    expect(records).toHaveLength(count);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain(sentence);
  });
});

it('a report that ends at any byte yields only complete values', async () => {
  const whole = aggregateXml([{ count: 1234 }]);
  const NAMES = ['count', 'sourceIp', 'headerFrom', 'disposition', 'dkim', 'spf'] as const;
  const [full] = (await importBytes(whole)).records;
  let partial = 0;
  for (let end = whole.indexOf('<record>'); end < whole.lastIndexOf('</record>'); end++) {
    const { records } = await importBytes(whole.slice(0, end));
    for (const record of records) {
      const differing = NAMES.filter(name => record[name] !== full[name]);
      expect(differing.filter(name => ![undefined, ''].includes(record[name]))).toEqual([]);
      if (differing.length > 0) partial++;
    }
  }
  expect(partial).toBeGreaterThan(0);
});

describe('several aggregate reports in one item', () => {
  const damaged = (id: string) => feedback(`${metadataXml(id)}${policyXml}${recordXml()}<record><a`);

  it('are counted, and each after the first one is named by its number', async () => {
    const bad = feedback(metadataXml('r', 'soon') + policyXml + recordXml());
    const found = await importBytes(
      [aggregateXml(), bad, aggregateXml([{}, { sourceIp: '' }]), bad].join('\n'),
    );
    expect([found.records.length, found.items]).toEqual([2, 4]);
    expect(found.skipped).toEqual([
      'file, report 2 has no date range',
      'file, report 3, record 2 has no source address',
      'file, report 4 has no date range',
    ]);
  });

  it('have the metadata and policy that come first in each of them', async () => {
    const other = policyXml.replace('example.org', 'other.example');
    const twice = (id: string) =>
      feedback(
        metadataXml(id) + policyXml + metadataXml(`${id}-2`, YESTERDAY - 86_400) + other + recordXml(),
      );
    const { records } = await importBytes(twice('a') + twice('b'));
    expect(records.map(({ reportId, domain }) => [reportId, domain])).toEqual([
      ['a', 'example.org'],
      ['b', 'example.org'],
    ]);
  });

  it('are rejected with ids of their first parts', async () => {
    const idOf = async (xml: string) => {
      const { rejected } = await importBytes(xml);
      expect(rejected).toHaveLength(1);
      return rejected[0]!.rejected!.id;
    };
    const bad = (id: string, rows: string) => feedback(metadataXml(id, 'soon') + policyXml + rows);
    const id = await idOf(bad('r', recordXml()));
    expect(await idOf(bad('r', recordXml() + recordXml({ count: 2 })))).toBe(id);
    expect(await idOf(bad('r2', recordXml()))).not.toBe(id);
    expect(await idOf(damaged('r'))).not.toBe(id);
  });
});

describe('an aggregate report that fails in its midst', () => {
  const failing = (xml: string, failure: Error) =>
    importBytes(
      '',
      {},
      {
        content: (async function* () {
          yield Buffer.from(xml);
          throw failure;
        })(),
      },
    );
  const begin = `<feedback>${metadataXml()}${policyXml}`;

  it.each<[string, Unreadable, number, string]>([
    [begin, new Unreadable('is broken'), 0, 'file is broken: 0 records were read, others can be missing'],
    [
      begin + recordXml(),
      new Unreadable('is broken', 'here'),
      1,
      'file is broken: here; 1 record was read, others can be missing',
    ],
    [
      `${begin}${recordXml()}${recordXml({ count: 2 })}<x></y>`,
      new Unreadable('is broken', 'here'),
      2,
      'file is broken: here; 2 records were read, others can be missing',
    ],
    [`${aggregateXml()} `, new Unreadable('is broken'), 1, 'file is broken'],
  ])('is reported with the number of its records: case %#', async (xml, failure, count, sentence) => {
    const { records, skipped } = await failing(xml, failure);
    expect([records.length, skipped]).toEqual([count, [sentence]]);
  });
});

it.each(['<!-- <feedback > --><x/>', '<x>&lt;</x><!--<feedback>-->'])(
  'an XML document without a report is reported: %s',
  async xml => {
    expect((await importBytes(xml)).skipped).toEqual(['file contains no feedback element']);
  },
);

it.each([
  [8, []],
  [9, ['file has too many records: over 8']],
  [11, ['file has too many records: over 8']],
])('an aggregate report with %i records is read up to the limit of eight', async (count, sentences) => {
  const rows = Array.from({ length: count }, (_, index) => ({ count: index + 1 }));
  const { records, skipped } = await importBytes(aggregateXml(rows), { bounds: { records: 8 } });
  expect([records.length, skipped]).toEqual([8, sentences]);
});

it('an invalid source address is named with at most 80 characters', async () => {
  const { skipped } = await importBytes(aggregateXml([{ sourceIp: 'x'.repeat(81) }]));
  expect(skipped).toEqual([`file, record 1 has an invalid source address: ${'x'.repeat(80)}`]);
});

it.each([
  [65_536, /<\/record>$/],
  [65_537, /…\u{20}\[cut\]$/u],
])('the text of a record of %i bytes is stored', async (bytes, end) => {
  const row = recordXml();
  const xml = row.replace('</record>', `${' '.repeat(bytes - row.length)}</record>`);
  const [record] = (await importBytes(aggregateXml([{ xml }]))).records;
  expect(record.raw).toMatch(end);
  expect(Buffer.byteLength(record.raw)).toBe(65_536);
});
