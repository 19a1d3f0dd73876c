import { describe, expect, it } from 'vitest';
import { aggregateXml, gzip, ids, importBytes, mailWith, mboxOf, zipOf } from './reports.ts';

const report = aggregateXml([{ count: 3 }, { sourceIp: '192.0.2.2', count: 4 }]);
const forwarded = (mail: string) =>
  `From: a@example.org\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary="of${mail.length}"\r\n\r\n` +
  `--of${mail.length}\r\nContent-Type: message/rfc822\r\n\r\n${mail}\r\n--of${mail.length}--\r\n`;

describe('a report is the same', () => {
  const base64 = Buffer.from(gzip(report)).toString('base64');
  it.each<[string, Uint8Array | string]>([
    ['in a gzip', gzip(report)],
    ['in a gzip with bytes behind its end', Buffer.concat([gzip(report), Buffer.from('\r\n-- \r\nsome')])],
    ['in a gzip in a gzip', gzip(gzip(report))],
    ['in a zip', zipOf({ name: 'report.xml', bytes: report })],
    ['in a zip, stored as it is', zipOf({ name: 'report.xml', bytes: report, stored: true })],
    [
      'in a zip behind other bytes',
      Buffer.concat([Buffer.from('PK\x03\x04 '), zipOf({ name: 'r', bytes: report })]),
    ],
    ['in a zip in a zip', zipOf({ name: 'a.zip', bytes: zipOf({ name: 'report.xml', bytes: report }) })],
    [
      'in a zip beside hidden files',
      zipOf({ name: '__MACOSX/._r', bytes: 'x' }, { name: 'r.xml', bytes: report }),
    ],
    ['in a zip under a name that leads elsewhere', zipOf({ name: '../../etc/passwd', bytes: report })],
    ['in a mail', mailWith({ bytes: gzip(report), type: 'application/gzip' })],
    [
      'in a mail that calls a zip a gzip',
      mailWith({ bytes: zipOf({ name: 'r', bytes: report }), type: 'application/gzip' }),
    ],
    [
      'in a mail that calls a gzip a zip',
      mailWith({ bytes: gzip(report), type: 'application/zip', name: 'r.zip' }),
    ],
    [
      'in a mail beside an attachment that is not in use',
      mailWith({ bytes: 'unused' }, { bytes: gzip(report) }),
    ],
    ['in a mail, in base64 twice', mailWith({ bytes: base64, type: 'application/gzip' })],
    ['in a forwarded mail', forwarded(mailWith({ bytes: gzip(report) }))],
    [
      'in a forwarded mail that was forwarded',
      forwarded(forwarded(mailWith({ bytes: report, type: 'text/xml' }))),
    ],
    ['in an mbox', mboxOf(mailWith({ bytes: gzip(report) }))],
    ['in an mbox with a date that is none', mboxOf(mailWith({ bytes: report })).replace('2026', 'Z026')],
    [
      'in an mbox with two lines in place of one',
      `From a Sat Nov 21 10:00:00 2026\nFrom b\n${mboxOf(mailWith({ bytes: report }))}`,
    ],
    ['in a gzip of an mbox', gzip(mboxOf(mailWith({ bytes: gzip(report) })))],
    ['in UTF-16', Buffer.from(`\u{feff}${report}`, 'utf16le')],
    ['in UTF-16, big-endian and without a mark', Buffer.from(report, 'utf16le').swap16()],
    ['behind a byte order mark', `\u{feff}${report}`],
  ])('%s', async (_, bytes) => {
    const plain = await importBytes(report);
    const packed = await importBytes(bytes);
    expect(packed.skipped).toEqual([]);
    expect(ids(packed)).toEqual(ids(plain));
    expect(packed.records.map(({ count }) => count).sort()).toEqual([3, 4]);
  });
});

describe('what cannot be read', () => {
  const encrypted = zipOf({ name: 'report.xml', bytes: report, flags: 1 });
  const broken = zipOf({ name: 'report.xml', bytes: report });
  broken.writeUInt8(broken.readUInt8(60) ^ 0xff, 60);
  const otherwise = zipOf({ name: 'report.xml', bytes: report, stored: true });
  // Still a report that can be read: the checksum alone tells.
  otherwise.writeUInt8('7'.charCodeAt(0), otherwise.indexOf('<count>') + '<count>'.length);
  const many = zipOf(...Array.from({ length: 6 }, (_, index) => ({ name: `${index}`, bytes: 'x' })));
  const bomb = gzip(Buffer.concat([Buffer.from('<feedback>'), Buffer.alloc(3_000_000, ' ')]));
  it.each<[string, Uint8Array | string, string]>([
    ['an empty file', '', 'file is empty'],
    ['a file of no known form', 'hello', 'file is of no form that is known'],
    ['an encrypted zip', encrypted, 'file, member report.xml is encrypted'],
    ['a zip that was changed', broken, 'file, member report.xml is a broken zip'],
    ['a zip whose checksum differs', otherwise, 'is a broken zip: its checksum differs'],
    ['a zip without its directory', broken.subarray(0, 80), 'file is a broken zip: it has no directory'],
    ['a zip with too many members', many, 'file has too many members: over 5'],
    [
      'too many zips in a zip',
      zipOf({ name: 'a', bytes: zipOf({ name: 'b', bytes: zipOf({ name: 'c', bytes: 'x' }) }) }),
      'file, member a, member b is nested too deeply',
    ],
    ['a gzip that decompresses to too much', bomb, 'file decompresses to too much'],
    ['a gzip that ends too early', gzip(report).subarray(0, 60), 'file is a broken gzip'],
    ['a mail without a report', mailWith({ bytes: 'unused' }), 'file is a mail without a report'],
    [
      'a mail with too many parts',
      mailWith(...Array.from({ length: 22 }, () => ({ bytes: 'x' }))),
      'file has too many parts: over 20',
    ],
    [
      'mails in mails',
      Array.from({ length: 8 }).reduce<string>(forwarded, mailWith({ bytes: report })),
      'is nested too deeply',
    ],
  ])('is told: %s', async (_, bytes, sentence) => {
    const bounds = { members: 5, parts: 20, mimeDepth: 6, decompressed: 1_000_000 };
    const { records, skipped } = await importBytes(bytes, { bounds });
    expect(records).toEqual([]);
    expect(skipped).toHaveLength(1);
    expect(skipped[0]).toContain(sentence);
  });

  it('leaves what stands beside it', async () => {
    const mails = [
      mailWith({ bytes: gzip(report).subarray(0, 60) }),
      mailWith({ bytes: report }),
      mailWith({ bytes: 'x' }),
    ];
    const { records, skipped } = await importBytes(mboxOf(...mails));
    expect(records).toHaveLength(2);
    expect(skipped).toEqual([
      'file: mail 1, attachment 1 is a broken gzip: unexpected EOF',
      'file: mail 3 is a mail without a report',
    ]);
  });
});
