import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { IN_EARNEST, runs } from '../../../test/faults/scale.ts';
import { DEFAULT_BOUNDS } from '../src/bounds.ts';
import { aggregateXml, gzip, ids, importBytes, mailWith, type ReportRow, toMbox, toZip } from './reports.ts';

const row: fc.Arbitrary<ReportRow> = fc.record({
  sourceIp: fc.constantFrom('192.0.2.1', '192.0.2.2', '2001:db8::1'),
  count: fc.nat({ max: 1000 }),
});

/** The containers around a report. */
const WRAPPERS = {
  gzip: (bytes: Uint8Array | string) => gzip(bytes),
  zip: (bytes: Uint8Array | string) => toZip({ name: '../report', bytes }),
  mail: (bytes: Uint8Array | string) => Buffer.from(mailWith({ bytes })),
  base64: (bytes: Uint8Array | string) =>
    Buffer.from(mailWith({ bytes: Buffer.from(gzip(bytes)).toString('base64') })),
};
type Wrapper = keyof typeof WRAPPERS;
const wrappers = fc.array(fc.constantFrom(...(Object.keys(WRAPPERS) as Wrapper[])), { maxLength: 4 });
/** Checks whether the importer opens these containers: at most two nested zips, and four layers of gzip and base64. */
const isOpened = (list: readonly Wrapper[]) =>
  list.filter(name => name === 'zip').length <= 2 && list.length <= 3;

const wrap = (list: readonly Wrapper[], report: string): Uint8Array =>
  list.reduce<Uint8Array>((bytes, name) => WRAPPERS[name](bytes), Buffer.from(report));

const sum = (records: { count: number }[]) => records.reduce((total, { count }) => total + count, 0);

describe('an import', () => {
  it('finds the same reports in any nesting of containers', async () => {
    const trees = fc.array(wrappers.filter(isOpened), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 5 }), trees, async (rows, packed) => {
        const reports = packed.map((_, index) => aggregateXml(rows, `report-${index}`));
        const plain = await Promise.all(reports.map(report => importBytes(report)));
        const files = packed.map((list, index) => ({ name: `${index}`, bytes: wrap(list, reports[index]!) }));
        const whole = await importBytes(toZip(...files), { bounds: { nestedZips: 3 } });
        const mailbox = await importBytes(toMbox(...files.map(({ bytes }) => mailWith({ bytes }))));
        const expected = plain.flatMap(ids).sort();
        expect(whole.skipped).toEqual([]);
        expect(ids(whole)).toEqual(expected);
        expect(ids(mailbox)).toEqual(expected);
      }),
      runs(5, 250),
    );
  });

  it('finds the same records and counts for any order of the rows', async () => {
    const shuffled = fc
      .array(row, { minLength: 1, maxLength: 20 })
      .chain(rows => fc.tuple(fc.constant(rows), fc.shuffledSubarray(rows, { minLength: rows.length })));
    await fc.assert(
      fc.asyncProperty(shuffled, async ([rows, others]) => {
        const [one, other] = [await importBytes(aggregateXml(rows)), await importBytes(aggregateXml(others))];
        expect(new Set(ids(one)).size).toBe(rows.length);
        expect(ids(other)).toEqual(ids(one));
        expect(sum(one.records)).toBe(rows.reduce((total, { count }) => total + Number(count), 0));
      }),
      runs(10, 500),
    );
  });

  it('yields a record or a message for arbitrary bytes', async () => {
    const begins = [
      '',
      '{',
      '[{',
      '<feedback>',
      'From a 10:00 2026\n',
      'org_name,report_id,begin_date,domain,source_ip_address,count\n"a",',
      'From: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\n',
      '\u001f\u008b\b',
      'PK\u0003\u0004',
      '-----BEGIN CERTIFICATE-----\n',
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...begins),
        fc.uint8Array({ maxLength: 2000 }),
        async (begin, bytes) => {
          const found = await importBytes(Buffer.concat([Buffer.from(begin, 'latin1'), bytes]));
          expect(found.records.length + found.skipped.length + found.unstored.length).toBeGreaterThan(0);
        },
      ),
      runs(60, 3000),
    );
  });
});

describe('hostile input', () => {
  /** In npm test, an eighth of the default limit. */
  const decompressed = IN_EARNEST ? DEFAULT_BOUNDS.decompressed : DEFAULT_BOUNDS.decompressed / 8;
  /** Returns a report that exceeds the size limit by a tenth. */
  function feedback(fill: number): Buffer {
    const bytes = Buffer.alloc(1.1 * decompressed, fill);
    bytes.write('<feedback>');
    return bytes;
  }
  const deep = (open: string, close: string) => open.repeat(200_000) + close.repeat(200_000);
  it.each<[string, () => Uint8Array | string]>([
    ['an oversized gzip', () => gzip(feedback(0x20))],
    ['an oversized zip', () => toZip({ name: 'a', bytes: feedback(0) })],
    ['entities', () => `<!DOCTYPE f [<!ENTITY a "${'a'.repeat(1000)}">]>${aggregateXml()}`],
    ['a DOCTYPE within the document', () => aggregateXml().replace('<record>', '<!DOCTYPE a><record>')],
    ['200,000 nested elements', () => `<feedback>${deep('<a>', '</a>')}</feedback>`],
    ['200,000 nested lists', () => `{"type":"csp-violation","body":{"a":${deep('[', ']')}}}`],
    ['an element that never ends', () => `<feedback><record><a b="${'x'.repeat(3_000_000)}`],
    ['a tag that never ends', () => `<feedback><record a="${'x'.repeat(8_000_000)}`],
    ['a comment that never ends', () => `<feedback><record><!--${'x'.repeat(8_000_000)}`],
    ['one long text node', () => `<feedback><record>${'x'.repeat(8_000_000)}</record></feedback>`],
    ['a value that is too long', () => `{"csp-report":{"document-uri":"${'x'.repeat(17_000_000)}"}}`],
    ['a great many values', () => `{"csp-report":[${'{},'.repeat(3_000_000)}{}]}`],
    [
      'a great many parts',
      () =>
        `From: a\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\n'.repeat(200_000)}--b--\r\n`,
    ],
  ])('is rejected quickly: %s', { tags: 'slow' }, async (_, make) => {
    const bytes = make();
    const begin = process.cpuUsage();
    const { records, skipped } = await importBytes(bytes, { bounds: { decompressed } });
    expect(skipped.length).toBeGreaterThan(0);
    expect(records.length).toBeLessThanOrEqual(1);
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / 1000).toBeLessThan(10_000);
  });
});
