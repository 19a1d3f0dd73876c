import { expect, it } from 'vitest';
import { DEFAULT_BOUNDS } from '../src/bounds.ts';
import { parseJson } from '../src/json/parse.ts';
import { ResourceBudget } from '../src/resource-budget.ts';
import { toTar } from './archives.ts';
import { aggregateXml, gzip, importBytes, mailWith, toMbox, toZip } from './reports.ts';

/** Two of these exceed the 4 MB that any item may become. */
const toLarge = (id: string) => gzip(aggregateXml([{}], id) + ' '.repeat(2_500_000));
const mails = ['a', 'b'].map(id => mailWith({ bytes: toLarge(id), name: 'r.xml.gz' }));
const mbox = toMbox(...mails);

it.each<[string, Uint8Array | string, string[], string[]]>([
  ['mails of an mbox', mbox, ['a', 'b'], []],
  ['parts of a mail', mailWith(...['a', 'b'].map(id => ({ bytes: toLarge(id) }))), ['a'], ['file']],
  ['members of a zip', toZip(...['a', 'b'].map(name => ({ name, bytes: toLarge(name) }))), ['a'], ['file']],
  ['members of a tar', toTar(['a', 'b'].map(name => ({ name, bytes: toLarge(name) }))), ['a'], ['file']],
  ['mails of a compressed mbox', gzip(mbox), ['a'], ['file']],
  ['mails of an mbox in a zip', toZip({ name: 'mbox', bytes: mbox }), ['a'], ['file']],
  ['mails of an mbox in a tar', toTar([{ name: 'mbox', bytes: mbox }]), ['a'], ['file']],
  ['mails of an mbox in a mail', mailWith({ bytes: mbox, name: 'mbox' }), ['a'], ['file']],
])('what belongs to one file shares its budget: %s', async (_, bytes, read, places) => {
  const { records, skipped } = await importBytes(bytes, { bounds: { growth: 0 } });
  expect(records.map(({ reportId }) => reportId)).toEqual(read);
  expect(skipped).toEqual(
    places.map(place => expect.stringMatching(`^${place} expands too much for its size: over 4000000 bytes`)),
  );
});

it('a file that exceeds its budget is named by its place', async () => {
  const file = { place: 'reports/r.gz', name: 'r.gz' };
  const { skipped } = await importBytes(gzip(' '.repeat(4_000_001)), { bounds: { growth: 0 } }, file);
  expect(skipped).toEqual([expect.stringMatching(/^reports\/r\.gz expands too much for its size/)]);
});

it('JSON is parsed only if time is left, and within the values of the budget', () => {
  const budget = new ResourceBudget(DEFAULT_BOUNDS);
  const lookedAt: string[] = [];
  budget.look = () => {
    lookedAt.push('time');
    throw new Error('no time is left');
  };
  expect(() => parseJson('{}', { bounds: DEFAULT_BOUNDS, budget })).toThrow('no time is left');
  expect(lookedAt).toEqual(['time']);
});

it.each<[string, number, number, string | undefined]>([
  // Commas and brackets are counted in texts of more than 256 KiB; an item of this size may have 40,000 values.
  ['few values', 40_000, 300_000, undefined],
  ['too many values', 40_001, 300_000, 'has too many values: over 40000'],
  ['many values of a short text', 100_000, 256 * 1024, undefined],
  ['many values of a longer text', 100_000, 256 * 1024 + 1, 'has too many values: over 40000'],
])('a JSON text has at most the values that its budget allows: %s', (_, values, length, message) => {
  const budget = new ResourceBudget(DEFAULT_BOUNDS);
  const text = `[${'0,'.repeat(values - 1)}0]`.padEnd(length);
  const parse = () => parseJson(text, { bounds: DEFAULT_BOUNDS, budget });
  if (message === undefined) expect(parse()).toHaveLength(values);
  else expect(parse).toThrow(message);
});

it.each([
  [0, []],
  [-1, ['file is too large']],
])('base64 is read up to the size of a compressed file: %i bytes more', async (more, skipped) => {
  const text = gzip(aggregateXml()).toString('base64');
  const found = await importBytes(text, { bounds: { compressed: text.length + more } });
  expect([found.skipped, found.records.length]).toEqual([skipped, 1 - skipped.length]);
});

const xml = aggregateXml();
const file = (bytes: Uint8Array | string) => ({ name: 'r', bytes });
const mail = mailWith(file(gzip(xml)));

it.each<[string, Uint8Array, number]>([
  ['a gzip', gzip(xml), xml.length],
  ['a gzip in a gzip', gzip(gzip(xml)), gzip(xml).length + xml.length],
  ['a gzip in a zip', toZip(file(gzip(xml))), gzip(xml).length + xml.length],
  ['a zip in a zip', toZip(file(toZip(file(xml)))), toZip(file(xml)).length + xml.length],
  ['two files in a zip', toZip(file(xml), file(xml)), 2 * xml.length],
  ['two gzips in a tar', toTar([file(gzip(xml)), file(gzip(xml))]), 2 * xml.length],
  ['a gzip in a compressed mail', gzip(mail), mail.length + xml.length],
])('everything in a compressed file counts as decompressed: %s', async (_, bytes, total) => {
  const skippedWith = async (decompressed: number) =>
    (await importBytes(bytes, { bounds: { decompressed } })).skipped;
  expect(await skippedWith(total)).toEqual([]);
  const limit = `decompresses to too much: over ${total - 1} bytes`;
  expect(await skippedWith(total - 1)).toEqual([expect.stringContaining(limit)]);
});
