import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/faults/scale.ts';
import { importItem } from '../src/import.ts';
import { createContext, OUTERMOST } from '../src/item.ts';
import { KnownMails } from '../src/known-mails.ts';
import { toTar } from './archives.ts';
import {
  type ExpectedReport,
  type ExpectedRow,
  getCsvRows,
  toCsv,
  toDocuments,
  toJson,
  toXml,
  VERSIONS,
  type Version,
} from './parsedmarc-forms.ts';
import { aggregateXml, ids, importBytes, mailWith, USUAL_READING, YESTERDAY } from './reports.ts';

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const row: fc.Arbitrary<ExpectedRow> = fc.record({
  address: fc.constantFrom('192.0.2.1', '198.51.100.7', '2001:db8::1'),
  count: fc.integer({ min: 1, max: 3 }),
  disposition: fc.constantFrom('none', 'quarantine', 'reject'),
  dkimPasses: fc.boolean(),
  spfPasses: fc.boolean(),
  from: fc.constantFrom('shop.example', 'mail.shop.example'),
  signatures: fc.array(
    fc.record({ domain: word, selector: word, result: fc.constantFrom('pass', 'fail', 'none') }),
    { maxLength: 3 },
  ),
  reasons: fc.array(
    fc.record({
      type: fc.constantFrom('forwarded', 'mailing_list', 'other'),
      comment: fc.constantFrom('', 'a "quoted" one', 'one, two', 'over\ntwo lines'),
    }),
    { maxLength: 2 },
  ),
});
const reports: fc.Arbitrary<ExpectedReport[]> = fc
  .array(fc.array(row, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map(reports => reports.map((rows, index) => ({ id: `report-${index}`, rows })));

const plain: ExpectedRow = {
  address: '192.0.2.1',
  count: 2,
  disposition: 'none',
  dkimPasses: true,
  spfPasses: false,
  from: 'shop.example',
  signatures: [{ domain: 'shop.example', selector: 's1', result: 'pass' }],
  reasons: [],
};
const report = (id: string, ...rows: Partial<ExpectedRow>[]) =>
  toJson({ id, rows: (rows.length === 0 ? [{}] : rows).map(some => ({ ...plain, ...some })) });
const { '10.4': names } = VERSIONS;

describe('a CSV file of parsedmarc', () => {
  it('yields the same records and ids as the XML, the JSON and the search engine documents', async () => {
    const versions = fc.constantFrom(...(Object.keys(VERSIONS) as Version[]));
    await fc.assert(
      fc.asyncProperty(reports, versions, async (reports, version) => {
        const json = reports.map(toJson);
        const [whole, documents, table] = await Promise.all([
          importBytes(JSON.stringify(json)),
          importBytes(
            json
              .flatMap(toDocuments)
              .map(document => `${JSON.stringify(document)}\n`)
              .join(''),
          ),
          importBytes(toCsv(json, version)),
        ]);
        const xml = await Promise.all(reports.map(one => importBytes(toXml(one))));
        expect(table.skipped).toEqual([]);
        const expected = xml.flatMap(ids).sort();
        for (const form of [whole, documents, table]) expect(ids(form)).toEqual(expected);
        const fields = (records: Record<string, unknown>[]) =>
          records
            .map(({ raw, ...record }) => record)
            .sort((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
        if (version === '10.4') expect(fields(table.records)).toEqual(fields(whole.records));
      }),
      runs(10, 500),
    );
  });

  it('yields one record for a row that was split into days', async () => {
    const whole = report('long', { count: 12 }, { count: 2 });
    const day = (record: (typeof whole.records)[number], index: number, count: number) => ({
      ...record,
      count,
      normalized_timespan: true,
      interval_begin: record.interval_begin.replace('00:00:00', `0${index}:00:00`),
      interval_end: record.interval_end.replace('23:59:59', `2${index}:59:59`),
    });
    const [first, second] = whole.records as [never, never];
    const days = [day(first, 0, 5), day(first, 1, 4), day(first, 3, 3), day(second, 1, 2)];
    const { records } = await importBytes(toCsv([{ ...whole, records: days as never }]));
    const before = await importBytes(JSON.stringify(whole));
    expect(records.map(({ id, count, beginDate, endDate }) => [id, count, beginDate, endDate])).toEqual(
      before.records.map(({ id, count, beginDate, endDate }) => [id, count, beginDate, endDate]),
    );
  });

  it('yields signatures without selectors if their numbers differ', async () => {
    const signatures = ['a', 'b'].map(name => ({ domain: name, selector: `of-${name}`, result: 'pass' }));
    const table = toCsv([report('x', { signatures })]);
    const read = async (selectors: string) => {
      const { records, skipped } = await importBytes(table.replace('"of-a,of-b"', selectors));
      expect(skipped).toEqual([]);
      return records.map(({ dkimResults }) =>
        dkimResults.map(({ domain, selector }: Record<string, string>) => [domain, selector]),
      );
    };
    const all = [
      ['a', 'of-a'],
      ['b', 'of-b'],
    ];
    expect(await read('"of-a,of-b"')).toEqual([all]);
    for (const other of ['of-a', '"of-a,of-b,of-c"'])
      expect(await read(other)).toEqual([all.map(([name]) => [name, ''])]);
  });

  it('yields comments that contain the separator of comments', async () => {
    const reasons = [
      { type: 'other', comment: 'a' },
      { type: 'forwarded', comment: 'b|c|d' },
    ];
    const { records } = await importBytes(toCsv([report('x', { reasons })]));
    expect(records.map(({ overrideReasons }) => overrideReasons)).toEqual([reasons]);
  });

  it('dates a report by the UTC interval of its records if its metadata is in local time', async () => {
    const utc = report('local');
    const local = structuredClone(utc);
    local.report_metadata.begin_date = local.report_metadata.begin_date.replace('00:00:00', '05:30:00');
    local.report_metadata.end_date = local.report_metadata.begin_date.replace('05:30:00', '12:00:00');
    const [expected, found] = await Promise.all([utc, local].map(form => importBytes(JSON.stringify(form))));
    const dates = ({ records }: Awaited<ReturnType<typeof importBytes>>) =>
      records.map(({ beginDate, endDate }) => [beginDate, endDate]);
    expect(dates(found!)).toEqual(dates(expected!));
    expect(ids(found!)).toEqual(ids(expected!));
  });

  it('merges a report that was appended twice, but not equal rows of one report', async () => {
    const [one, other] = [report('one', {}, {}), report('other')];
    const { records } = await importBytes(toCsv([one, other, one]));
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
  });

  it('gives distinct ids to equal rows, even in a long report', { tags: 'slow' }, async () => {
    const long = report('long', ...Array.from({ length: 1200 }, () => ({})));
    const [table, json] = await Promise.all([importBytes(toCsv([long])), importBytes(JSON.stringify(long))]);
    expect(ids(table)).toEqual(ids(json));
    expect(new Set(ids(table)).size).toBe(1200);
  });

  it.each(['\n', ''])(
    'gives the ids of a report to equal documents of it that are separated by %j',
    async between => {
      const one = report('one', {}, {});
      const documents = toDocuments(one).map(({ _source }) => JSON.stringify(_source));
      const found = ids(await importBytes(documents.join(between)));
      expect(found).toEqual(ids(await importBytes(JSON.stringify(one))));
      expect(new Set(found).size).toBe(2);
    },
  );

  it('distinguishes reports of two days that share an id', async () => {
    const [one, next] = [report('same'), report('same')];
    for (const record of next.records)
      for (const name of ['interval_begin', 'interval_end'] as const)
        record[name] = record[name].replace(/^.{10}/, new Date().toISOString().slice(0, 10));
    const { records } = await importBytes(toCsv([one, next]));
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
    expect(new Set(records.map(({ date }) => date)).size).toBe(2);
  });

  it.each<[string, (other: ReturnType<typeof report>) => void, object]>([
    ['reporter', other => Object.assign(other.report_metadata, { org_name: 'b' }), { reporter: 'b' }],
    ['id', other => Object.assign(other.report_metadata, { report_id: 'b' }), { reportId: 'b' }],
    [
      'domain',
      other => Object.assign(other.policy_published, { domain: 'b.example' }),
      { domain: 'b.example' },
    ],
  ])('distinguishes adjacent reports that differ only in the %s', async (_, change, changed) => {
    const [one, other] = [report('same'), report('same', { address: '192.0.2.2' })];
    change(other);
    const shared = { reporter: 'receiver.example', reportId: 'same', domain: 'shop.example' };
    const { records } = await importBytes(toCsv([one, other]));
    expect(records).toMatchObject([shared, { ...shared, ...changed }]);
  });

  it.each(['source_as_name', 'source_asn_name', 'source_name'])(
    'reads the name of the network from %s',
    async column => {
      const { org_name, report_id, begin_date } = report('one').report_metadata;
      const { records } = await importBytes(
        `org_name,report_id,begin_date,domain,source_ip_address,count,${column}\r\n` +
          `${[org_name, report_id, begin_date].join()},shop.example,192.0.2.1,1,Example Networks\r\n`,
      );
      expect(records).toMatchObject([{ organisation: 'Example Networks' }]);
    },
  );

  it('can start with the header of an older version and can repeat a header', async () => {
    const [old, young] = [report('old'), report('young')];
    const appended = await importBytes(toCsv([old], '8.19') + getCsvRows(young, '10.4'));
    const put = await importBytes(toCsv([old], '8.19') + toCsv([young], '10.4'));
    const expected = ids(await importBytes(JSON.stringify([old, young])));
    for (const found of [appended, put]) expect([found.skipped, ids(found)]).toEqual([[], expected]);
  });

  it('is read with a byte order mark, with line feeds, and in a mail', async () => {
    const csv = toCsv([report('one', { reasons: [{ type: 'other', comment: 'two\nlines' }] })]);
    const expected = ids(await importBytes(csv));
    for (const same of [
      `\u{feff}${csv}`,
      csv.replaceAll('\r\n', '\n'),
      mailWith({ bytes: csv, name: 'a.csv' }),
    ]) {
      const found = await importBytes(same);
      expect([found.skipped, ids(found)]).toEqual([[], expected]);
    }
  });

  it('counts failure reports without storing them', async () => {
    const { unstored, records } = await importBytes(
      'feedback_type,user_agent,version,arrival_date\r\nauth-failure,a,1,2026-01-01\r\n',
    );
    expect([unstored, records]).toEqual([['dmarc-failure'], []]);
  });

  it('is rejected if another format is requested', async () => {
    const { skipped } = await importBytes(toCsv([report('one')]), { format: 'dmarc' });
    expect(skipped).toEqual(['file is not in the requested format: parsedmarc']);
  });
});

describe('JSON of parsedmarc', () => {
  it.each([
    [2, 2, []],
    [1, 0, ['file has too many records']],
  ])('has up to the number of records: %i', async (records, count, skipped) => {
    const text = JSON.stringify(report('a', { count: 1 }, { count: 2 }));
    const found = await importBytes(text, { bounds: { records } });
    expect([found.records.length, found.skipped]).toEqual([count, skipped]);
  });

  const tls = {
    organization_name: 'receiver.example',
    begin_date: new Date(YESTERDAY * 1000).toISOString(),
    report_id: '1',
    policies: [{ policy_domain: 'shop.example', policy_type: 'sts' }],
  };
  const [one, other] = [report('one'), report('other')];
  const hits = [one, other].flatMap(toDocuments);

  it.each<[string, object, number]>([
    ['a report', one, 1],
    ['a TLS report', tls, 1],
    ['all reports of a run', { aggregate_reports: [one, other], smtp_tls_reports: [tls] }, 3],
    ['a document', hits[0]!._source, 1],
    ['a search response', { hits: { hits } }, 2],
  ])('is read in its own format only: %s', async (_, value, count) => {
    const text = JSON.stringify(value);
    const { records, skipped } = await importBytes(text, { format: 'parsedmarc' });
    expect([records.length, skipped]).toEqual([count, []]);
    const refused = await importBytes(text, { format: 'dmarc' });
    expect([refused.records, refused.skipped]).toEqual([
      [],
      ['file is not in the requested format: parsedmarc'],
    ]);
  });

  it.each<[string, object]>([
    ['report', { aggregate_reports: [one, report('bad', { count: 1.5 })] }],
    ['hit', { hits: { hits: [one, report('bad', { count: 1.5 })].flatMap(toDocuments) } }],
  ])('is named in messages with the %s', async (name, value) => {
    const { records, skipped } = await importBytes(JSON.stringify(value));
    expect([records.length, skipped]).toEqual([1, [`file, ${name} 2, record 1 has no valid count`]]);
  });
});

describe('a damaged CSV file of parsedmarc', () => {
  const good = getCsvRows(report('good'));
  const cells = good.split(',');
  it.each([
    ['a truncated row', `${good}${good.slice(0, 100)}`, 'line 3 is a row with a different number of columns'],
    [
      'more cells than in any version',
      `${good}${good.trim()},more\r\n`,
      'line 3 is a row with a different number of columns',
    ],
    ['a quotation mark that is never closed', `${good}draft,"a\r\n${good}`, 'line 4 is not a CSV row'],
    [
      'a quotation mark in a cell',
      `${good}draft,a"b"c,${cells.slice(2).join(',')}`,
      'line 3 is not a CSV row',
    ],
    ['an invalid count', `${good}${good.replace(',2,', ',many,')}`, 'has no valid count'],
    ['a cell that is too long', `${good}"${'x'.repeat(300_000)}\r\n${'y'.repeat(10)}`, 'is not a CSV row'],
  ])('is reported, and its other rows are imported: %s', async (_, rows, reason) => {
    const { records, skipped } = await importBytes(`${names}\r\n${rows}`);
    expect(records).toHaveLength(1);
    expect(skipped.join()).toContain(reason);
  });

  it('is reported if a TLS failure precedes its policy', async () => {
    const { records, skipped } = await importBytes(
      'organization_name,report_id,begin_date,result_type,policy_domain,policy_type\r\n' +
        'receiver.example,r,2026-11-20T00:00:00Z,certificate-expired,,\r\n',
    );
    expect([records, skipped]).toEqual([[], ['file, line 2 is a failure without a policy above it']]);
  });

  it('is rejected if required columns are missing', async () => {
    const { records, skipped } = await importBytes(`${names.replace(',count,', ',')}\r\n${good}`);
    expect([records, skipped]).toEqual([[], ['file is a table without columns that it needs: count']]);
  });

  it('yields most rows after one with an unclosed quotation mark', { tags: 'slow' }, async () => {
    const long = Array.from({ length: 1000 }, () => good).join('');
    const { records, skipped } = await importBytes(`${names}\r\ndraft,"a\r\n${long}${long}`);
    expect(skipped[0]).toContain('is not a CSV row');
    expect(records.length).toBeGreaterThan(800);
  });

  it('does not mistake a row for a header if values equal column names', async () => {
    const sly = {
      ...report('report_id'),
      policy_published: { ...report('a').policy_published, domain: 'domain' },
    };
    sly.report_metadata.org_name = 'org_name';
    Object.assign(sly.records[0]!.identifiers, { header_from: 'count', envelope_from: 'source_ip_address' });
    const { records, skipped } = await importBytes(`${names}\r\n${getCsvRows(sly)}${good}`);
    expect([records.length, skipped]).toEqual([2, []]);
  });

  it('is not reported if it contains only the header', async () => {
    const { records, skipped } = await importBytes(`${names}\r\n`);
    expect([records, skipped]).toEqual([[], []]);
  });
});

it('a parsedmarc CSV file is streamed row by row', async () => {
  let given = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${names}\r\n`);
    for (let index = 0; index < 100_000; index++, given++)
      yield Buffer.from(getCsvRows(report(`report-${index}`)));
  }
  const context = createContext({ accountId: 'a', ...USUAL_READING });
  const item = { place: 'file', name: 'file', content: content(), modified: 0, nesting: OUTERMOST };
  for await (const findings of importItem(item, context)) if (findings.length > 0) break;
  expect(given).toBeLessThan(1000);
});

it('parsedmarc documents and JSON yield the same additional information despite different names', async () => {
  const url = 'https://receiver.example/r';
  const [begin, end] = ['2026-05-10T00:00:00Z', '2026-05-10T23:59:59Z'];
  const getDetails = async (report: object, detail: object) => {
    const details = [{ result_type: 'certificate-expired', failed_session_count: 1, ...detail }];
    const policies = [{ policy_domain: 'shop.example', policy_type: 'sts', failure_details: details }];
    const { records } = await importBytes(JSON.stringify({ ...report, report_id: 'r', policies }));
    return records.flatMap(record => record.failureDetails);
  };
  const json = { organization_name: 'receiver.example', begin_date: begin, end_date: end };
  const document = { org_name: 'receiver.example', date_begin: begin, date_end: end };
  const expected = [expect.objectContaining({ additionalInformation: url })];
  expect(await getDetails(json, { additional_info_uri: url })).toEqual(expected);
  expect(await getDetails(document, { additional_information_uri: url })).toEqual(expected);
});

describe('a parsedmarc export next to the original reports', () => {
  const [host, id] = ['mx1.mail.receiver.example', '42@mx1.receiver.example'];
  const xml = aggregateXml([{ count: 5 }, { count: 6 }], id).replaceAll('Receiver.example', host);
  /**
   * The report as parsedmarc writes it: with the domain of the reporter's host, and the part of the id before the "@".
   */
  const json = JSON.stringify({
    xml_schema: '1.0',
    report_metadata: {
      org_name: 'receiver.example',
      org_email: 'dmarc@receiver.example',
      report_id: '42',
      begin_date: new Date(YESTERDAY * 1000).toISOString().replace('T', ' ').slice(0, 19),
      end_date: new Date((YESTERDAY + 86_399) * 1000).toISOString().replace('T', ' ').slice(0, 19),
    },
    policy_published: {
      domain: 'example.org',
      adkim: 'r',
      aspf: 's',
      p: 'quarantine',
      sp: 'none',
      pct: '100',
    },
    records: [5, 6].map(count => ({
      source: { ip_address: '192.0.2.1' },
      count,
      policy_evaluated: { disposition: 'none', dkim: 'pass', spf: 'fail', policy_override_reasons: [] },
      identifiers: { header_from: 'example.org', envelope_from: 'bounce.example.org', envelope_to: null },
      auth_results: {
        dkim: [{ domain: 'example.org', selector: 's1', result: 'pass' }],
        spf: [{ domain: 'bounce.example.org', scope: 'mfrom', result: 'fail' }],
      },
    })),
  });
  const counted = ({ records, deleted }: Awaited<ReturnType<typeof importBytes>>) => {
    const gone = new Set(deleted.map(line => line.id));
    return records
      .filter(record => !gone.has(record.id))
      .map(({ reportId, count }) => `${reportId} ${count}`);
  };

  it('is counted once, regardless of the order', async () => {
    const files = [
      { name: 'a', bytes: xml },
      { name: 'b', bytes: json },
    ];
    for (const order of [files, files.toReversed()])
      expect(counted(await importBytes(toTar(order)))).toEqual([`${id} 5`, `${id} 6`]);
  });

  it('is counted once if the name of the reporter contains spaces', async () => {
    const name = 'Receiver Mail at mx1.receiver.example';
    const bytes = [
      xml.replaceAll(host, name),
      json.replace('"org_name":"receiver.example"', `"org_name":"${name}"`),
    ];
    const found = await importBytes(toTar(bytes.map((bytes, index) => ({ name: `${index}`, bytes }))));
    expect(found.skipped).toEqual([]);
    expect(counted(found)).toHaveLength(2);
  });

  it('counts rows that differ from the report of another host of the same provider', async () => {
    const other = xml.replaceAll('<count>5', '<count>7');
    const found = await importBytes(
      toTar([
        { name: 'a', bytes: other },
        { name: 'b', bytes: json },
      ]),
    );
    expect(counted(found)).toEqual([`${id} 7`, `${id} 6`, '42 5']);
  });

  it('is not counted if the report was imported before', async () => {
    const first = new KnownMails(USUAL_READING, new Map());
    await importBytes(xml, { seen: first });
    const counts = async (before: ReadonlyMap<string, number>) =>
      counted(await importBytes(json, { seen: new KnownMails(USUAL_READING, new Map(before)) }));
    expect(await counts(first.read)).toEqual([]);
    expect(await counts(new Map())).toEqual(['42 5', '42 6']);
  });
});
