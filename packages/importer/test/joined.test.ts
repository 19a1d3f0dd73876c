import { spawnSync } from 'node:child_process';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/faults/scale.ts';
import { hasProgram } from '../../../test/support/programs.ts';
import { toTar } from './archives.ts';
import {
  aggregateXml,
  ids,
  importBytes,
  mailWith,
  metadataXml,
  policyXml,
  type ReportRow,
  recordXml,
  toMbox,
  toZip,
  YESTERDAY,
} from './reports.ts';

const summary = ({ records }: Awaited<ReturnType<typeof importBytes>>) =>
  records.map(({ reporter, reportId, domain, count }) => `${reporter} ${reportId} ${domain} ${count}`).sort();

/** Returns a report with a reporter and domain of its own. */
function findReport(name: string, rows: readonly ReportRow[] = [{ count: 1 }]): string {
  return aggregateXml(rows, `id-${name}`)
    .replaceAll('Receiver.example', `${name}.example`)
    .replace('<domain>example.org</domain><adkim>', `<domain>${name}.test</domain><adkim>`);
}

const getExpected = (name: string, counts: readonly number[]) =>
  counts.map(count => `${name}.example id-${name} ${name}.test ${count}`);

const body = (xml: string) => xml.replace(/^<\?xml[^>]*>\s*/, '');

/** Ways to combine several reports in one item. */
const JOINS: Record<string, (reports: readonly string[]) => Uint8Array | string> = {
  concatenated: reports => reports.join(''),
  'concatenated without line breaks': reports => reports.map(body).join(''),
  'in an enclosing element': reports =>
    `<?xml version="1.0"?><reports>${reports.map(body).join('\n')}</reports>`,
  'in elements with a namespace': reports =>
    `<d:all xmlns:d="urn:x">${reports.map(text => body(text).replace('<feedback>', '<d:feedback>').replace('</feedback>', '</d:feedback>')).join('')}</d:all>`,
  'as members of one gzip': reports => Buffer.concat(reports.map(report => gzipSync(report))),
  'in a gzip': reports => gzipSync(reports.join('\n')),
  'in a tar': reports => toTar(reports.map((bytes, index) => ({ name: `${index}.xml`, bytes }))),
  'in a tar with gzips': reports =>
    toTar(reports.map((bytes, index) => ({ name: `${index}.xml.gz`, bytes: gzipSync(bytes) }))),
  'in a tar.gz': reports =>
    gzipSync(toTar(reports.map((bytes, index) => ({ name: `d/${index}.xml`, bytes })))),
  'in a zip': reports => toZip(...reports.map((bytes, index) => ({ name: `${index}.xml`, bytes }))),
  'in a zip with a tar': reports =>
    toZip({ name: 'all.tar', bytes: toTar(reports.map((bytes, index) => ({ name: `${index}`, bytes }))) }),
  'in one attachment': reports => mailWith({ bytes: gzipSync(reports.join('')) }),
  'in attachments of a mail': reports => mailWith(...reports.map(bytes => ({ bytes }))),
  'in mails of a mailbox': reports => toMbox(...reports.map(bytes => mailWith({ bytes }))),
};

describe('several reports in one item', () => {
  const names = ['alpha', 'beta', 'gamma'];
  it.each(Object.entries(JOINS))('keep their reporter, id, domain and rows: %s', async (_, join) => {
    const reports = names.map((name, index) =>
      findReport(name, [{ count: index + 1 }, { count: 10 * (index + 1) }]),
    );
    const found = await importBytes(join(reports));
    expect(found.skipped).toEqual([]);
    expect(summary(found)).toEqual(
      names.flatMap((name, index) => getExpected(name, [index + 1, 10 * (index + 1)])).sort(),
    );
    const alone = await Promise.all(reports.map(report => importBytes(report)));
    expect(ids(found)).toEqual(alone.flatMap(ids).sort());
  });

  it('are all imported for any combination of joining, nesting and splitting', async () => {
    const plan = fc.array(
      fc.record({
        join: fc.constantFrom(...Object.keys(JOINS)),
        rows: fc.array(fc.array(fc.nat({ max: 500 }), { minLength: 1, maxLength: 4 }), {
          minLength: 1,
          maxLength: 4,
        }),
      }),
      { minLength: 1, maxLength: 3 },
    );
    await fc.assert(
      fc.asyncProperty(plan, async groups => {
        const expected: string[] = [];
        const files = groups.map(({ join, rows }, group) => {
          const reports = rows.map((counts, index) => {
            expected.push(...getExpected(`r${group}-${index}`, counts));
            return findReport(
              `r${group}-${index}`,
              counts.map(count => ({ count })),
            );
          });
          return { name: `${group}`, bytes: JOINS[join]!(reports) };
        });
        const found = await importBytes(toTar(files), { bounds: { nestedZips: 3 } });
        expect(found.skipped).toEqual([]);
        expect(summary(found)).toEqual(expected.sort());
      }),
      runs(8, 400),
    );
  });

  it('are read completely next to a damaged one, which is reported', async () => {
    const damaged = findReport('beta', [{ count: 5 }, { count: 6 }]).replace('</feedback>', '');
    const found = await importBytes(findReport('alpha') + damaged + findReport('gamma'));
    expect(summary(found)).toEqual([
      ...getExpected('alpha', [1]),
      ...getExpected('beta', [5, 6]),
      ...getExpected('gamma', [1]),
    ]);
    expect(found.skipped).toEqual([
      'file, report 2 is not well-formed XML: unclosed tag: feedback; 2 records were read, others can be missing',
    ]);
  });

  it('are read completely next to one without a date', async () => {
    const dateless = findReport('beta').replace(/<date_range>.*<\/date_range>/, '');
    const found = await importBytes(findReport('alpha') + dateless + findReport('gamma'));
    expect(summary(found)).toEqual([...getExpected('alpha', [1]), ...getExpected('gamma', [1])]);
    expect(found.skipped).toEqual(['file, report 2 has no date range']);
  });
});

describe('a gzip', () => {
  it.each([4000, 100_000])(
    'with a wrong checksum is reported but yields its record: %i bytes',
    async size => {
      const bytes = gzipSync(aggregateXml().replace('</feedback>', `<!--${'x'.repeat(size)}--></feedback>`), {
        level: 0,
      });
      bytes[bytes.length - 6]! ^= 1;
      const { records, skipped } = await importBytes(bytes);
      expect([records.length, skipped]).toEqual([
        1,
        ['file is a broken gzip: its checksum differs, so the records can be wrong'],
      ]);
    },
  );

  it('with a broken later member is reported but yields the members before it', async () => {
    const bytes = Buffer.concat([
      gzipSync(findReport('alpha')),
      gzipSync(findReport('beta')).subarray(0, 60),
    ]);
    const { records, skipped } = await importBytes(bytes);
    expect([records.length, skipped]).toEqual([1, ['file is a broken gzip: it ends too early']]);
  });
});

describe('a tar', () => {
  it('that is truncated is reported but yields the reports before the cut', async () => {
    const bytes = toTar(['alpha', 'beta'].map(name => ({ name, bytes: findReport(name) })));
    const { records, skipped } = await importBytes(bytes.subarray(0, 1900));
    expect(records.map(({ reporter }) => reporter)).toEqual(['alpha.example']);
    expect(skipped.join()).toMatch(/file is a broken tar/);
  });

  it('respects the limits for archives', async () => {
    const file = { name: 'r.xml', bytes: aggregateXml() };
    const nested = toTar([{ name: '2', bytes: toTar([{ name: '1', bytes: toTar([file]) }]) }]);
    expect((await importBytes(nested)).skipped).toEqual([
      'file, member 2, member 1 is nested too deeply: over 1 archive in an archive',
    ]);
    const many = toTar(Array.from({ length: 4 }, () => file));
    expect((await importBytes(many, { bounds: { members: 3 } })).skipped).toEqual([
      'file has too many members: over 3',
    ]);
    const most = await importBytes(many, { bounds: { members: 4 } });
    expect([most.records.length, most.skipped]).toEqual([4, []]);
    expect((await importBytes(toTar([{ name: '.hidden', bytes: 'x' }]))).skipped).toEqual([
      'file is an empty tar',
    ]);
  });
});

describe('a malformed report', () => {
  const feedback = (...parts: string[]) =>
    `<feedback>${metadataXml()}${policyXml}${parts.join('')}</feedback>`;
  const comment = (text: string, count = 1) =>
    recordXml({ count }).replace(
      '</spf></policy',
      `</spf><reason><type>other</type><comment>${text}</comment></reason></policy`,
    );

  it.each<[string, string, string]>([
    ['an unescaped & in a comment', 'R&D list', 'R&D list'],
    ['an unescaped & before a semicolon', 'a=1&b=2; c', 'a=1&b=2; c'],
    ['an HTML entity', 'A&nbsp;B', 'A&nbsp;B'],
    ['references', '&lt;a&#38;b&#x26;c&gt;&amp;', '<a&b&c>&'],
    ['CDATA', '<![CDATA[a & b </record> <record>]]>', 'a & b </record> <record>'],
    ['a comment', 'a<!-- </record> & <record> -->b', 'ab'],
  ])('is read as intended: %s', async (_, text, expected) => {
    const { records, skipped } = await importBytes(feedback(comment(text), recordXml({ count: 2 })));
    expect(skipped).toEqual([]);
    expect(records.map(({ count }) => count)).toEqual([1, 2]);
    expect(records[0].overrideReasons[0].comment).toBe(expected);
  });

  it('keeps its metadata if names and addresses contain an unescaped &', async () => {
    const metadata = metadataXml()
      .replace('Receiver.example', 'Muster & Sons')
      .replace(
        '</report_id>',
        '</report_id><extra_contact_info>https://x.example/?a=1&b=2</extra_contact_info>',
      );
    const { records, skipped } = await importBytes(
      `<feedback>${metadata}${policyXml}${recordXml()}</feedback>`,
    );
    expect([records[0].reporter, records[0].date, skipped]).toEqual([
      'Muster & Sons',
      new Date(YESTERDAY * 1000).toISOString(),
      [],
    ]);
  });

  it('keeps its metadata if end tags are misspelled', async () => {
    const metadata = metadataXml().replace('</org_name>', '</orgname>').replace('</email>', '</e-mail>');
    const { records, skipped } = await importBytes(
      `<feedback>${metadata}${policyXml}${recordXml()}</feedback>`,
    );
    expect(records).toMatchObject([
      {
        reporter: 'Receiver.example',
        reporterEmail: 'dmarc@receiver.example',
        reportId: 'report-1',
        count: 1,
      },
    ]);
    expect(skipped[0]).toContain('unmatched closing tag: orgname; 1 record was read');
  });

  it('yields all of its rows even if each of them is malformed', async () => {
    const rows = Array.from({ length: 300 }, (_, index) =>
      recordXml({ count: index + 1 }).replace('</spf>', '</sfp>'),
    );
    const { records, skipped } = await importBytes(feedback(...rows));
    expect(records.map(({ count }) => count)).toEqual(rows.map((_, index) => index + 1));
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain('300 records were read, others can be missing');
  });

  it.each<[string, string]>([
    [
      'elements around the records',
      `<records>${recordXml({ count: 3 })}${recordXml({ count: 4 })}</records>`,
    ],
    [
      'two rows in one record',
      recordXml({ count: 3 }).replace(
        '</row>',
        `</row>${/<row>.*<\/row>/.exec(recordXml({ count: 4 }))![0]}`,
      ),
    ],
    [
      'a record without an end tag',
      recordXml({ count: 3 }).replace('</record>', '') + recordXml({ count: 4 }),
    ],
    ...['&nbsp;record', '5', '"/', '=record a="1"'].map((tag): [string, string] => [
      `<${tag}> instead of an end tag and a start tag`,
      (recordXml({ count: 3 }) + recordXml({ count: 4 })).replace('</record><record>', `<${tag}>`),
    ]),
  ])('yields all of its rows with %s', async (_, rows) => {
    const { records } = await importBytes(feedback(rows));
    expect(records.map(({ count }) => count)).toEqual([3, 4]);
  });

  it.each(['iso-2022-jp', 'shift_jis', 'euc-jp'])(
    'is decoded with its declared encoding: %s',
    async encoding => {
      const escaped = {
        'iso-2022-jp': '\x1b$BF|K\\\x1b(B',
        shift_jis: '\x93\xfa\x96\x7b',
        'euc-jp': '\xc6\xfc\xcb\xdc',
      }[encoding]!;
      const filler = `<extra_contact_info>${'x'.repeat(700)}${escaped.repeat(300)}</extra_contact_info>`;
      const xml = aggregateXml()
        .replace('UTF-8', encoding)
        .replace('Receiver.example', escaped)
        .replace('</report_id>', `</report_id>${filler}`);
      const { records, skipped } = await importBytes(Buffer.from(xml, 'latin1'));
      expect([records[0].reporter, skipped]).toEqual(['日本', []]);
    },
  );

  const hasXmllint = hasProgram('xmllint');
  it.skipIf(!hasXmllint)(
    'yields at least the rows that libxml2 reads in recovery mode (needs xmllint)',
    { tags: 'slow' },
    async () => {
      const whole = feedback(...Array.from({ length: 6 }, (_, index) => comment('a & b', index + 1)));
      const damage = fc.record({
        at: fc.integer({ min: 400, max: whole.length - 1 }),
        length: fc.nat({ max: 12 }),
        text: fc.constantFrom('', '&', '<', '>', '</', '&nbsp;', '</spf>', '<x>', '<![CDATA['),
      });
      await fc.assert(
        fc.asyncProperty(fc.array(damage, { minLength: 1, maxLength: 2 }), async damages => {
          let xml = whole;
          for (const { at, length, text } of damages) xml = xml.slice(0, at) + text + xml.slice(at + length);
          const { records, skipped } = await importBytes(xml);
          const rows = rowsOfLibxml2(xml).filter(({ ip, count }) => ip !== '' && /^\d+$/.test(count));
          const skippedRecords = skipped.filter(text => /, record \d+ /.test(text)).length;
          expect(records.length + skippedRecords).toBeGreaterThanOrEqual(rows.length);
        }),
        runs(6, 300),
      );
    },
  );
});

/** Returns the rows that libxml2 reads in recovery mode. */
function rowsOfLibxml2(xml: string): { ip: string; count: string }[] {
  const xpath = '//feedback/record[identifiers]/row[policy_evaluated/spf]';
  const read = (field: string) => {
    const { stdout } = spawnSync(
      'xmllint',
      ['--recover', '--nowarning', '--xpath', `${xpath}/${field}/text()`, '-'],
      {
        input: xml,
        encoding: 'utf8',
      },
    );
    return stdout.split('\n').filter(line => line.trim() !== '');
  };
  const [ips, counts] = [read('source_ip'), read('count')];
  return ips.slice(0, counts.length).map((ip, index) => ({ ip, count: counts[index]!.trim() }));
}
