import { describe, expect, it } from 'vitest';
import { aggregateXml, gzip, ids, importBytes, mailWith, toMbox, toZip } from './reports.ts';

const report = aggregateXml([{ count: 3 }, { sourceIp: '192.0.2.2', count: 4 }]);
const forwarded = (mail: string) =>
  `From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="of${mail.length}"\r\n\r\n` +
  `--of${mail.length}\r\nContent-Type: message/rfc822\r\n\r\n${mail}\r\n--of${mail.length}--\r\n`;

describe('a contained report', () => {
  const base64 = Buffer.from(gzip(report)).toString('base64');
  it.each<[string, Uint8Array | string]>([
    ['in a gzip', gzip(report)],
    ['in a gzip followed by other bytes', Buffer.concat([gzip(report), Buffer.from('\r\n-- \r\nsome')])],
    ['in a gzip within a gzip', gzip(gzip(report))],
    ['in a zip', toZip({ name: 'report.xml', bytes: report })],
    ['in a zip without compression', toZip({ name: 'report.xml', bytes: report, stored: true })],
    [
      'in a zip preceded by other bytes',
      Buffer.concat([Buffer.from('PK\x03\x04 '), toZip({ name: 'r', bytes: report })]),
    ],
    ['in a zip within a zip', toZip({ name: 'a.zip', bytes: toZip({ name: 'report.xml', bytes: report }) })],
    [
      'in a zip next to hidden files',
      toZip({ name: '__MACOSX/._r', bytes: 'x' }, { name: 'r.xml', bytes: report }),
    ],
    ['in a zip under a path that leads out of it', toZip({ name: '../../etc/passwd', bytes: report })],
    ['in a mail', mailWith({ bytes: gzip(report), type: 'application/gzip' })],
    [
      'in a zip that the mail calls a gzip',
      mailWith({ bytes: toZip({ name: 'r', bytes: report }), type: 'application/gzip' }),
    ],
    [
      'in a gzip that the mail calls a zip',
      mailWith({ bytes: gzip(report), type: 'application/zip', name: 'r.zip' }),
    ],
    ['in a mail next to an unrelated attachment', mailWith({ bytes: 'unused' }, { bytes: gzip(report) })],
    ['in a mail, encoded twice in base64', mailWith({ bytes: base64, type: 'application/gzip' })],
    ['in a forwarded mail', forwarded(mailWith({ bytes: gzip(report) }))],
    [
      'in a mail that was forwarded twice',
      forwarded(forwarded(mailWith({ bytes: report, type: 'text/xml' }))),
    ],
    ['in an mbox', toMbox(mailWith({ bytes: gzip(report) }))],
    ['in an mbox with an invalid date', toMbox(mailWith({ bytes: report })).replace('2026', 'Z026')],
    [
      'in an mbox with two consecutive separator lines',
      `From a Sat Nov 21 10:00:00 2026\nFrom b\n${toMbox(mailWith({ bytes: report }))}`,
    ],
    ['in a gzip with an mbox', gzip(toMbox(mailWith({ bytes: gzip(report) })))],
    ['in UTF-16', Buffer.from(`\u{feff}${report}`, 'utf16le')],
    ['in little-endian UTF-16 without a byte order mark', Buffer.from(report, 'utf16le')],
    ['in big-endian UTF-16 without a byte order mark', Buffer.from(report, 'utf16le').swap16()],
    ['after a byte order mark', `\u{feff}${report}`],
  ])('has the same records and ids %s', async (_, bytes) => {
    const plain = await importBytes(report);
    const packed = await importBytes(bytes);
    expect(packed.skipped).toEqual([]);
    expect(ids(packed)).toEqual(ids(plain));
    expect(packed.records.map(({ count }) => count).sort()).toEqual([3, 4]);
  });
});

describe('unreadable input', () => {
  const encrypted = toZip({ name: 'report.xml', bytes: report, flags: 1 });
  const broken = toZip({ name: 'report.xml', bytes: report });
  broken.writeUInt8(broken.readUInt8(60) ^ 0xff, 60);
  const otherwise = toZip({ name: 'report.xml', bytes: report, stored: true });
  // The report remains well-formed, so only the checksum reveals the change.
  otherwise.writeUInt8('7'.charCodeAt(0), otherwise.indexOf('<count>') + '<count>'.length);
  const many = toZip(...Array.from({ length: 6 }, (_, index) => ({ name: `${index}`, bytes: 'x' })));
  const bomb = gzip(Buffer.concat([Buffer.from('<feedback>'), Buffer.alloc(3_000_000, ' ')]));
  it.each<[string, Uint8Array | string, string]>([
    ['an empty file', '', 'file is empty'],
    ['a file of an unknown format', 'hello', 'file is in an unknown format'],
    ['an encrypted zip', encrypted, 'file, member report.xml is encrypted'],
    ['a corrupted zip', broken, 'file, member report.xml is a broken zip'],
    ['a zip without its directory', broken.subarray(0, 80), 'file is a broken zip: it has no directory'],
    ['a zip with too many members', many, 'file has too many members: over 5'],
    [
      'too many nested zips',
      toZip({ name: 'a', bytes: toZip({ name: 'b', bytes: toZip({ name: 'c', bytes: 'x' }) }) }),
      'file, member a, member b is nested too deeply',
    ],
    ['a gzip that decompresses to too much', bomb, 'file decompresses to too much'],
    ['a truncated gzip', gzip(report).subarray(0, 60), 'file is a broken gzip'],
    ['a mail without a report', mailWith({ bytes: 'unused' }), 'file is a mail without a report'],
    [
      'a mail with too many parts',
      mailWith(...Array.from({ length: 22 }, () => ({ bytes: 'x' }))),
      'file has too many parts: over 20',
    ],
    [
      'nested mails',
      Array.from({ length: 8 }).reduce<string>(forwarded, mailWith({ bytes: report })),
      'is nested too deeply',
    ],
  ])('is reported: %s', async (_, bytes, sentence) => {
    const bounds = { members: 5, parts: 20, mimeDepth: 6, decompressed: 1_000_000 };
    const { records, skipped } = await importBytes(bytes, { bounds });
    expect(records).toEqual([]);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain(sentence);
  });

  it('still yields its records if only the checksum of a zip is wrong', async () => {
    const { records, skipped } = await importBytes(otherwise);
    expect(records.map(({ count }) => count)).toContain(7);
    expect(skipped).toEqual([
      'file, member report.xml is a broken zip: its checksum differs, so the records can be wrong',
    ]);
  });

  it('does not affect its neighbours in a mailbox', async () => {
    const mails = [
      mailWith({ bytes: gzip(report).subarray(0, 60) }),
      mailWith({ bytes: report }),
      mailWith({ bytes: 'x' }),
    ];
    const { records, skipped } = await importBytes(toMbox(...mails));
    expect(records).toHaveLength(2);
    expect(skipped).toEqual([
      'file: mail 1, attachment 1 is a broken gzip: it ends too early',
      'file: mail 3 is a mail without a report: none is in attachment 1 (report)',
    ]);
  });
});
