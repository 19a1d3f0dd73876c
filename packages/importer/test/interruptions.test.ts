import { describe, expect, it } from 'vitest';
import { groupByPlace, type Outcome } from '../../../test/support/group-outcomes.ts';
import { toTar } from './archives.ts';
import { issueForDay, onDay, toCsp } from './dated-inputs.ts';
import { importAsOf } from './recorded-imports.ts';
import { aggregateXml, gzip, mailWith, toMbox, toZip } from './reports.ts';

const report = onDay(aggregateXml([{}, { count: 2 }, { count: 3 }]));
const large = onDay(aggregateXml([{}, { xml: `<!--${'x'.repeat(100_000)}-->` }, { count: 3 }]));
const table =
  'org_name,report_id,begin_date,domain,source_ip_address,count\r\n' +
  ['a', 'b', 'c'].map(id => `r.example,${id},2026-11-20 00:00:00,a.example,192.0.2.1,1\r\n`).join('');
const { pem } = issueForDay(['a.example']);
const files = ['a', 'b'].map(name => ({ name, bytes: onDay(aggregateXml([{}], name)) }));
/** More than is examined to recognize a format. */
const largeFiles = ['a', 'b'].map(name => ({ name, bytes: large.replace('report-1', name) }));

const INPUTS: readonly [name: string, bytes: Buffer][] = [
  ['an aggregate report', Buffer.from(report)],
  ['a gzip', gzip(report)],
  ['a large report', Buffer.from(large)],
  ['a large tar', toTar(largeFiles)],
  ['a large mail', Buffer.from(mailWith(...largeFiles))],
  ['a large mbox', Buffer.from(toMbox(...largeFiles.map(file => mailWith(file))))],
  ['a zip', toZip(...files)],
  ['a tar', toTar(files)],
  ['a compressed tar', gzip(toTar(files))],
  ['a mail', Buffer.from(mailWith(...files))],
  ['an mbox', Buffer.from(toMbox(...files.map(file => mailWith(file))))],
  ['base64', Buffer.from(gzip(report).toString('base64'))],
  ['a list', Buffer.from(`[${toCsp(1)},${toCsp(2)}]`)],
  ['lines of JSON', Buffer.from(`${toCsp(1)}\n${toCsp(2)}\n`)],
  ['a log', Buffer.from(`POST ${toCsp(1)}\nPOST ${toCsp(2)}\n`)],
  ['a table', Buffer.from(table)],
  ['certificates', Buffer.from(pem + pem.trimEnd())],
];

/** Yields some of the bytes in parts, and fails. */
async function* failAfter(bytes: Buffer, length: number, error: Error): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < length; start += 500)
    yield bytes.subarray(start, Math.min(start + 500, length));
  throw error;
}

const toAbort = () => Object.assign(new Error('The operation was aborted'), { name: 'AbortError' });

describe('a file that cannot be read to its end', () => {
  const places = ({ length }: Buffer): [string, number][] => [
    ['at once', 0],
    ['after a third', Math.ceil(length / 3)],
    ['after two thirds', Math.ceil((length * 2) / 3)],
    ['at the last byte', length - 1],
    ['at the end', length],
  ];

  it('is imported up to that place, and reported once', async () => {
    const outcomes: Outcome[] = [];
    for (const [name, bytes] of INPUTS)
      for (const [place, length] of places(bytes)) {
        const content = failAfter(bytes, length, new Error('EIO: i/o error, read'));
        const { records, skipped, items } = await importAsOf('', {}, { content });
        outcomes.push([
          `${name}: (${place})`,
          [`${records.length} records, ${items} items`, ...skipped].join('; '),
        ]);
      }
    await expect(groupByPlace(outcomes)).toMatchFileSnapshot('./recorded/interruptions.txt');
  });

  it.each(INPUTS)('because the import is aborted is not reported: %s', async (_, bytes) => {
    for (const [, length] of places(bytes)) {
      const importing = importAsOf('', {}, { content: failAfter(bytes, length, toAbort()) });
      await expect(importing).rejects.toThrow(toAbort());
    }
  });

  it.each(INPUTS)('is closed: %s', async (_, bytes) => {
    let isClosed = false;
    const content = (async function* () {
      try {
        yield* failAfter(bytes, bytes.length, new Error('EIO'));
      } finally {
        isClosed = true;
      }
    })();
    await importAsOf('', {}, { content });
    expect(isClosed).toBe(true);
  });
});
