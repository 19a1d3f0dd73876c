import { expect, it } from 'vitest';
import { changeLines } from '../../../test/support/changed-inputs.ts';
import { compareImports, importAsOf, RecordedOutcomes, recordImports } from './recorded-imports.ts';
import { aggregateXml, gzip, mailWith, toMbox, toZip } from './reports.ts';

const BEGIN = Date.UTC(2026, 10, 20) / 1000;
/** `aggregateXml` covers yesterday, and the recorded imports are of a fixed day. */
const XML = aggregateXml([{}])
  .replace(/<begin>\d+/, `<begin>${BEGIN}`)
  .replace(/<end>\d+/, `<end>${BEGIN + 86_399}`);

/** Sets each byte of a header to other values; bytes of the same outcome are recorded together. */
async function recordBytes(
  title: string,
  bytes: Buffer,
  ranges: readonly [name: string, from: number, to: number][],
) {
  const before = await importAsOf(bytes);
  const outcomes = new RecordedOutcomes();
  for (const [name, from, to] of ranges)
    for (let at = from; at < to; at++)
      for (const value of [0, 1, 0xff]) {
        if (bytes[at] === value) continue;
        const changed = Buffer.from(bytes);
        changed[at] = value;
        outcomes.add(`${name}: ${at - from}=${value}`, compareImports(before, await importAsOf(changed)));
      }
  return `# ${title}\n${before.records.length} records\n${outcomes}\n`;
}

it('archives with a changed byte have the recorded outcomes', async () => {
  const zip = toZip({ name: 'r.xml', bytes: XML, stored: true });
  const central = zip.lastIndexOf('PK\x01\x02', undefined, 'latin1');
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  const packed = gzip(XML);
  const texts = [
    await recordBytes('zip', zip, [
      ['local header', 0, 30],
      ['central header', central, central + 46],
      ['end of directory', end, zip.length],
    ]),
    await recordBytes('gzip', packed, [
      ['header', 0, 10],
      ['trailer', packed.length - 8, packed.length],
    ]),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/archives.txt');
});

it('mails with a changed line have the recorded outcomes', async () => {
  const mail = mailWith({ bytes: gzip(XML), name: 'r.xml.gz' }, { bytes: '%PDF-1.4', name: 'r.pdf' })
    .replaceAll('\r\n', '\n')
    .replace(/(?<=\n\n)H4sI[\s\S]*?(?=--part)/, () => `${Buffer.from(XML).toString('base64')}\n`);
  const mbox = toMbox(mail, mail.replace('From: ', '>From x\nFrom: '));
  const failure = mail.replace('application/octet-stream', 'message/feedback-report');
  const texts = [
    await recordImports('Mail', mail, changeLines(mail), text => text),
    await recordImports('Mbox', mbox, changeLines(mbox), text => text),
    await recordImports('Failure report', failure, [], text => text),
  ];
  await expect(texts.join('')).toMatchFileSnapshot('./recorded/mails.txt');
});

it('limits have the recorded outcomes at their edges', async () => {
  const nested = (levels: number) => `${'[{"x":'.repeat(levels)}1${'}]'.repeat(levels)}`;
  const zipped = (levels: number): Buffer =>
    toZip({ name: 'r', bytes: levels === 0 ? XML : zipped(levels - 1), stored: true });
  const layers = (count: number): Buffer => (count === 0 ? Buffer.from(XML) : gzip(layers(count - 1)));
  const members = (count: number) =>
    toZip(...Array.from({ length: count }, (_, index) => ({ name: `${index}`, bytes: XML, stored: true })));
  const files = toZip(
    ...['a/b.xml', '.r.xml', '__MACOSX/r', 'd/', './r', '\u001b[1m'].map(name => ({ name, bytes: XML })),
    { name: 'e', bytes: XML, flags: 1 },
  );
  const tries: [string, Uint8Array | string, object][] = [
    ...[0, 1, 2].map((levels): [string, Buffer, object] => [`${levels + 1} zips`, zipped(levels), {}]),
    ...[7, 8, 9].map((count): [string, Buffer, object] => [`${count} gzips`, layers(count), {}]),
    ...[2, 3, 4].map((count): [string, Buffer, object] => [
      `${count} of 3 members`,
      members(count),
      { members: 3 },
    ]),
    ...[2, 3, 4].map((levels): [string, string, object] => [
      `JSON ${levels}`,
      nested(levels),
      { jsonDepth: 6 },
    ]),
    ...[-1, 0, 1].flatMap((more): [string, Buffer, object][] => [
      [`decompressed ${more}`, gzip(XML), { decompressed: XML.length + more }],
      [`compressed ${more}`, gzip(XML), { compressed: gzip(XML).length + more }],
    ]),
    ...[-1, 0, 1].map((more): [string, string, object] => [
      `mail ${more}`,
      mailWith({ bytes: XML }),
      { mail: mailWith({ bytes: XML }).length + more },
    ]),
    ...[1, 2, 3].map((parts): [string, string, object] => [
      `parts ${parts}`,
      mailWith({ bytes: XML }),
      { parts },
    ]),
    ...[1, 2].map((mimeDepth): [string, string, object] => [
      `depth ${mimeDepth}`,
      mailWith({ bytes: XML }),
      { mimeDepth },
    ]),
    ...[3, 4, 5].map((xmlDepth): [string, string, object] => [`XML ${xmlDepth}`, XML, { xmlDepth }]),
    ...[0, 1].map((records): [string, string, object] => [`records ${records}`, XML, { records }]),
    ['names in a zip', files, {}],
    ...['BZh9', '7z\xbc\xaf\x27\x1c', 'begin 644 x', 'GIF89a', '\0\0', 'Hello', '<html>'].map(
      (text): [string, Buffer, object] => [text, Buffer.from(text, 'latin1'), {}],
    ),
  ];
  let text = '';
  for (const [name, bytes, bounds] of tries) {
    const { records, skipped } = await importAsOf(bytes, { bounds });
    text += `${JSON.stringify(name)} → ${[`${records.length} records`, ...skipped].join('; ')}\n`;
  }
  await expect(text).toMatchFileSnapshot('./recorded/limits.txt');
});
