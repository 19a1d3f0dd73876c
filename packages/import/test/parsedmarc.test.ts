import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/faults/scale.ts';
import { DEFAULT_BOUNDS } from '../src/bounds.ts';
import { importItem } from '../src/import.ts';
import { createContext, OUTERMOST } from '../src/item.ts';
import {
  csvOf,
  csvRowsOf,
  documentsOf,
  jsonOf,
  type Told,
  type ToldRow,
  VERSIONS,
  type Version,
  xmlOf,
} from './parsedmarc-forms.ts';
import { ids, importBytes, mailWith } from './reports.ts';

const word = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const row: fc.Arbitrary<ToldRow> = fc.record({
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
const told: fc.Arbitrary<Told[]> = fc
  .array(fc.array(row, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 })
  .map(reports => reports.map((rows, index) => ({ id: `report-${index}`, rows })));

const plain: ToldRow = {
  address: '192.0.2.1',
  count: 2,
  disposition: 'none',
  dkimPasses: true,
  spfPasses: false,
  from: 'shop.example',
  signatures: [{ domain: 'shop.example', selector: 's1', result: 'pass' }],
  reasons: [],
};
const report = (id: string, ...rows: Partial<ToldRow>[]) =>
  jsonOf({ id, rows: (rows.length === 0 ? [{}] : rows).map(some => ({ ...plain, ...some })) });
const { '10.4': names } = VERSIONS;

describe('the CSV of parsedmarc', () => {
  it('has the same records and identifiers as XML, JSON and documents of a search engine', async () => {
    const versions = fc.constantFrom(...(Object.keys(VERSIONS) as Version[]));
    await fc.assert(
      fc.asyncProperty(told, versions, async (reports, version) => {
        const json = reports.map(jsonOf);
        const [whole, documents, table] = await Promise.all([
          importBytes(JSON.stringify(json)),
          importBytes(
            json
              .flatMap(documentsOf)
              .map(document => `${JSON.stringify(document)}\n`)
              .join(''),
          ),
          importBytes(csvOf(json, version)),
        ]);
        const xml = await Promise.all(reports.map(one => importBytes(xmlOf(one))));
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

  it('is one record for a row of a long period, which was split into days', async () => {
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
    const { records } = await importBytes(csvOf([{ ...whole, records: days as never }]));
    const before = await importBytes(JSON.stringify(whole));
    expect(records.map(({ id, count, beginDate, endDate }) => [id, count, beginDate, endDate])).toEqual(
      before.records.map(({ id, count, beginDate, endDate }) => [id, count, beginDate, endDate]),
    );
  });

  it('tells a report that was appended twice as one, and equal rows of a report apart', async () => {
    const [one, other] = [report('one', {}, {}), report('other')];
    const { records } = await importBytes(csvOf([one, other, one]));
    expect(new Set(records.map(({ id }) => id)).size).toBe(3);
  });

  it('tells equal rows apart however many a report has', async () => {
    const long = report('long', ...Array.from({ length: 1200 }, () => ({})));
    const [table, json] = await Promise.all([importBytes(csvOf([long])), importBytes(JSON.stringify(long))]);
    expect(ids(table)).toEqual(ids(json));
    expect(new Set(ids(table)).size).toBe(1200);
  });

  it('tells reports of two days apart that have one id', async () => {
    const [one, next] = [report('same'), report('same')];
    for (const record of next.records)
      for (const name of ['interval_begin', 'interval_end'] as const)
        record[name] = record[name].replace(/^.{10}/, new Date().toISOString().slice(0, 10));
    const { records } = await importBytes(csvOf([one, next]));
    expect(new Set(records.map(({ id }) => id)).size).toBe(2);
    expect(new Set(records.map(({ date }) => date)).size).toBe(2);
  });

  it.each(['source_as_name', 'source_asn_name', 'source_name'])('names the network by %s', async column => {
    const { org_name, report_id, begin_date } = report('one').report_metadata;
    const { records } = await importBytes(
      `org_name,report_id,begin_date,domain,source_ip_address,count,${column}\r\n` +
        `${[org_name, report_id, begin_date].join()},shop.example,192.0.2.1,1,Example Networks\r\n`,
    );
    expect(records).toMatchObject([{ organisation: 'Example Networks' }]);
  });

  it('may begin with the names of an older version, or have them again', async () => {
    const [old, young] = [report('old'), report('young')];
    const appended = await importBytes(csvOf([old], '8.19') + csvRowsOf(young, '10.4'));
    const put = await importBytes(csvOf([old], '8.19') + csvOf([young], '10.4'));
    const expected = ids(await importBytes(JSON.stringify([old, young])));
    for (const found of [appended, put]) expect([found.skipped, ids(found)]).toEqual([[], expected]);
  });

  it('is read with a mark of its encoding, with line feeds alone, and in a mail', async () => {
    const csv = csvOf([report('one', { reasons: [{ type: 'other', comment: 'two\nlines' }] })]);
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

  it('counts failure reports, and keeps none', async () => {
    const { notKept, records } = await importBytes(
      'feedback_type,user_agent,version,arrival_date\r\nauth-failure,a,1,2026-01-01\r\n',
    );
    expect([notKept, records]).toEqual([['dmarc-failure'], []]);
  });

  it('is none where another form is asked for', async () => {
    const { skipped } = await importBytes(csvOf([report('one')]), { format: 'dmarc' });
    expect(skipped).toEqual(['file is not of the form that was asked for: parsedmarc']);
  });
});

describe('a CSV of parsedmarc that is broken', () => {
  const good = csvRowsOf(report('good'));
  const cells = good.split(',');
  it.each([
    ['a row that is cut off', `${good}${good.slice(0, 100)}`, 'line 3 is a row of another length'],
    [
      'more cells than any version has',
      `${good}${good.trim()},more\r\n`,
      'line 3 is a row of another length',
    ],
    ['a quotation mark that is never closed', `${good}draft,"a\r\n${good}`, 'line 4 is no row of CSV'],
    [
      'a quotation mark in a cell',
      `${good}draft,a"b"c,${cells.slice(2).join(',')}`,
      'line 3 is no row of CSV',
    ],
    ['no count', `${good}${good.replace(',2,', ',many,')}`, 'has no count that can be read'],
    ['a cell that is too long', `${good}"${'x'.repeat(300_000)}\r\n${'y'.repeat(10)}`, 'is no row of CSV'],
  ])('is told, and its other rows are in: %s', async (_, rows, reason) => {
    const { records, skipped } = await importBytes(`${names}\r\n${rows}`);
    expect(records).toHaveLength(1);
    expect(skipped.join()).toContain(reason);
  });

  it('is told where a failure of a TLS report stands below no policy', async () => {
    const { records, skipped } = await importBytes(
      'organization_name,report_id,begin_date,result_type,policy_domain,policy_type\r\n' +
        'receiver.example,r,2026-11-20T00:00:00Z,certificate-expired,,\r\n',
    );
    expect([records, skipped]).toEqual([[], ['file, line 2 is a failure without a policy above it']]);
  });

  it('is told as a whole where columns are missing', async () => {
    const { records, skipped } = await importBytes(`${names.replace(',count,', ',')}\r\n${good}`);
    expect([records, skipped]).toEqual([[], ['file is a table without columns that it needs: count']]);
  });

  it('goes on after a row that no quotation mark ends', async () => {
    const long = Array.from({ length: 1000 }, () => good).join('');
    const { records, skipped } = await importBytes(`${names}\r\ndraft,"a\r\n${long}${long}`);
    expect(skipped[0]).toContain('is no row of CSV');
    expect(records.length).toBeGreaterThan(800);
  });

  it('has rows and no names where a reporter calls itself and its report as columns are called', async () => {
    const sly = {
      ...report('report_id'),
      policy_published: { ...report('a').policy_published, domain: 'domain' },
    };
    sly.report_metadata.org_name = 'org_name';
    Object.assign(sly.records[0]!.identifiers, { header_from: 'count', envelope_from: 'source_ip_address' });
    const { records, skipped } = await importBytes(`${names}\r\n${csvRowsOf(sly)}${good}`);
    expect([records.length, skipped]).toEqual([2, []]);
  });

  it('has nothing to tell where it has names alone', async () => {
    const { records, skipped } = await importBytes(`${names}\r\n`);
    expect([records, skipped]).toEqual([[], []]);
  });
});

it('is read row by row, however many there are', async () => {
  let given = 0;
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`${names}\r\n`);
    for (let index = 0; index < 100_000; index++, given++)
      yield Buffer.from(csvRowsOf(report(`report-${index}`)));
  }
  const options = { accountId: 'a', format: 'auto', action: 'enforced', stripQuery: false } as const;
  const context = createContext({ ...options, bounds: DEFAULT_BOUNDS });
  const item = { place: 'file', name: 'file', content: content(), modified: 0, nesting: OUTERMOST };
  for await (const findings of importItem(item, context)) if (findings.length > 0) break;
  expect(given).toBeLessThan(1000);
});

it('has the address of more information in its documents as in its JSON, which names it otherwise', async () => {
  const url = 'https://receiver.example/r';
  const [begin, end] = ['2026-05-10T00:00:00Z', '2026-05-10T23:59:59Z'];
  const detailsOf = async (report: object, detail: object) => {
    const details = [{ result_type: 'certificate-expired', failed_session_count: 1, ...detail }];
    const policies = [{ policy_domain: 'shop.example', policy_type: 'sts', failure_details: details }];
    const { records } = await importBytes(JSON.stringify({ ...report, report_id: 'r', policies }));
    return records.flatMap(record => record.failureDetails);
  };
  const json = { organization_name: 'receiver.example', begin_date: begin, end_date: end };
  const document = { org_name: 'receiver.example', date_begin: begin, date_end: end };
  const expected = [expect.objectContaining({ additionalInformation: url })];
  expect(await detailsOf(json, { additional_info_uri: url })).toEqual(expected);
  expect(await detailsOf(document, { additional_information_uri: url })).toEqual(expected);
});
