import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { toTar } from './archives.ts';
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

interface ZipParts {
  method: number;
  flags: number;
  /** The extra fields of the header before the file and of the directory, and the comment of the file. */
  localExtra: Buffer;
  extra: Buffer;
  comment: string;
  /** The fields of the directory that are stored with 64 bits. */
  wide: readonly ('size' | 'packed' | 'offset')[];
  /** The offset of the directory, as the archive states it. */
  directory: number;
  /** The bytes before the archive, and the comment at its end. */
  before: string;
  after: string;
  /** A value that is added to the offset of the file. */
  shift: number;
}

/** Builds a zip archive with a report in two files, whose headers can be unusual. */
function buildZip(parts: Partial<ZipParts>): Buffer {
  const {
    method = 8,
    flags = 0,
    localExtra = Buffer.alloc(0),
    extra = Buffer.alloc(0),
    comment = '',
  } = parts;
  const { wide = [], before = '', after = '', shift = 0 } = parts;
  const plain = Buffer.from(report);
  const packed = method === 0 ? plain : deflateRawSync(plain);
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(flags, 2);
  shared.writeUInt16LE(method, 4);
  shared.writeUInt32LE(crc32(plain), 10);
  shared.writeUInt32LE(packed.length, 14);
  shared.writeUInt32LE(plain.length, 18);
  shared.writeUInt16LE(1, 22);
  const local = Buffer.from(shared);
  local.writeUInt16LE(localExtra.length, 24);
  const file = Buffer.concat([Buffer.from('PK\x03\x04'), local, Buffer.from('r'), localExtra, packed]);
  const values = { size: plain.length, packed: packed.length, offset: shift };
  const positions = { size: 18, packed: 14, offset: 36 };
  const end = Buffer.concat([shared, Buffer.alloc(14)]);
  end.writeUInt32LE(shift, 36);
  const field = Buffer.alloc(4 + 8 * wide.length);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(8 * wide.length, 2);
  for (const [index, name] of wide.entries()) {
    end.writeUInt32LE(0xffff_ffff, positions[name]);
    field.writeBigUInt64LE(BigInt(values[name]), 4 + 8 * index);
  }
  const extras = wide.length === 0 ? extra : Buffer.concat([extra, field]);
  end.writeUInt16LE(extras.length, 24);
  end.writeUInt16LE(comment.length, 26);
  const entry = Buffer.concat([
    Buffer.from('PK\x01\x02\0\0'),
    end,
    Buffer.from('r'),
    extras,
    Buffer.from(comment),
  ]);
  // The second file is found only behind the extra fields and the comment of the first one.
  const tail = Buffer.alloc(22);
  tail.write('PK\x05\x06', 'latin1');
  tail.writeUInt32LE(2 * entry.length, 12);
  tail.writeUInt32LE(parts.directory ?? file.length, 16);
  tail.writeUInt16LE(after.length, 20);
  return Buffer.concat([Buffer.from(before), file, entry, entry, tail, Buffer.from(after)]);
}

describe('a file of a zip', () => {
  const other = Buffer.from([0x55, 0x54, 5, 0, 1, 2, 3, 4, 5]);
  it.each<[string, Partial<ZipParts>]>([
    ['a plain header', {}],
    ['no compression', { method: 0 }],
    ['the flag of a size behind the file', { flags: 8 }],
    ['the flag of a name in UTF-8', { flags: 0x800 }],
    ['the flags of the best compression', { flags: 6 }],
    ['other fields in the header before it', { localExtra: other }],
    ['other fields in the directory', { extra: other }],
    ['a comment', { comment: 'checked' }],
    ['an archive with a comment', { after: 'made by a tool' }],
    ['other bytes before the archive', { before: 'PK\x03\x04..' }],
    ['a size of 64 bits', { wide: ['packed'] }],
    ['two sizes of 64 bits', { wide: ['size', 'packed'] }],
    ['an offset of 64 bits', { wide: ['offset'] }],
    ['an original size of 64 bits', { wide: ['size'] }],
    ['all fields of 64 bits, behind other ones', { wide: ['size', 'packed', 'offset'], extra: other }],
    ['a directory at an offset of 64 bits', { wide: ['packed'], directory: 0xffff_ffff }],
  ])('is read with %s', async (_, parts) => {
    const { records, skipped } = await importBytes(buildZip(parts));
    expect(skipped).toEqual([]);
    expect(records.map(({ count }) => count)).toEqual([3, 4, 3, 4]);
  });

  it.each<[string, Partial<ZipParts>, string[]]>([
    [
      'an unknown compression',
      { method: 12 },
      Array(2).fill('file, member r uses an unknown compression method: method 12'),
    ],
    ['encryption', { flags: 9 }, Array(2).fill('file, member r is encrypted')],
    ['a wrong offset', { shift: 1 }, ['file is a broken zip: a member is not at the declared position']],
    ['an offset behind the end', { shift: 1_000_000 }, ['file is a broken zip: it ends too early']],
  ])('is reported with %s', async (_, parts, sentences) => {
    const { records, skipped } = await importBytes(buildZip(parts));
    expect([records, skipped]).toEqual([[], sentences]);
  });

  it('is reported with what is wrong in its compressed bytes', async () => {
    const bytes = toZip({ name: 'r', bytes: report });
    // A block of the reserved type (RFC 1951, section 3.2.3).
    bytes[31] = 7;
    expect((await importBytes(bytes)).skipped).toEqual([
      'file, member r is a broken zip: invalid block type',
    ]);
  });

  it.each([true, false])(
    'is read if it is longer than one piece, with its checksum: stored %j',
    async stored => {
      const rows = [{ count: 3 }, { xml: `<!--${randomBytes(150_000).toString('base64')}-->` }, { count: 4 }];
      const { records, skipped } = await importBytes(toZip({ name: 'a', bytes: aggregateXml(rows), stored }));
      expect([records.map(({ count }) => count), skipped]).toEqual([[3, 4], []]);
    },
  );

  it('is read after a zip that is stored without compression', async () => {
    const inner = { name: 'a', bytes: toZip({ name: 'b', bytes: report }), stored: true };
    const { records, skipped } = await importBytes(toZip(inner, { name: 'c', bytes: report }));
    expect([records.length, skipped]).toEqual([4, []]);
  });

  it('is left out if it is a folder or hidden, on any level', async () => {
    const names = [
      'a/',
      '.a',
      'a/.b/c',
      '__MACOSX/a',
      'a/__MACOSX/b',
      './a',
      '../b',
      'a.b/c',
      '...',
      'a__MACOSX',
    ];
    const { skipped } = await importBytes(toZip(...names.map(name => ({ name, bytes: 'x' }))));
    expect(skipped).toEqual(
      ['./a', '../b', 'a.b/c', 'a__MACOSX'].map(name => `file, member ${name} is in an unknown format`),
    );
  });

  it.each([
    [2, []],
    [1, ['file has too many members: over 1']],
  ])('is read up to the number of members: %i', async (members, sentences) => {
    const bytes = toZip({ name: 'a', bytes: report }, { name: 'b', bytes: report });
    expect((await importBytes(bytes, { bounds: { members } })).skipped).toEqual(sentences);
  });

  it.each([0, 1])('is read up to the size of the archive: %i bytes more', async more => {
    const bytes = toZip({ name: 'a', bytes: report });
    const { skipped } = await importBytes(bytes, { bounds: { compressed: bytes.length - more } });
    expect(skipped).toEqual(more === 0 ? [] : ['file is compressed, and too large']);
  });
});

describe('a file of a tar', () => {
  /** Changes the header of the first file. */
  const tarWith = (
    change: (header: Buffer) => void,
    checksum = (sum: string) => `${sum}\0 `,
    first = report,
  ) => {
    const tar = toTar([
      { name: 'a', bytes: first },
      { name: 'b', bytes: report },
    ]);
    change(tar);
    tar.write('        ', 148);
    const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    tar.write(checksum(sum.toString(8).padStart(6, '0')), 148);
    return tar;
  };

  it.each<[string, (sum: string) => string]>([
    ['as in POSIX', sum => `${sum}\0 `],
    ['with a space before its end', sum => `${sum} \0`],
    ['with spaces at the begin', sum => ` ${sum}\0`],
    ['with spaces in place of zeros', sum => `${sum.replace(/^0+/, ' ')}\0 `.padEnd(8)],
    ['of its shortest form', sum => `${sum.replace(/^0+/, '')}\0`.padEnd(8)],
  ])('is recognised by a checksum %s', async (_, checksum) => {
    const { records, skipped } = await importBytes(tarWith(() => {}, checksum));
    expect([records.length, skipped]).toEqual([4, []]);
  });

  it.each<[string, (header: Buffer) => void, number, string[]]>([
    ['a link', header => header.write('2', 156), 2, ['file, member a is no regular file: symlink']],
    ['a hard link', header => header.write('1', 156), 2, ['file, member a is no regular file: link']],
    ['hidden', header => header.write('.a', 0), 2, []],
    ['in a hidden folder', header => header.write('.a/b', 0), 2, []],
    ['in the folder itself', header => header.write('./b', 0), 4, []],
    ['of an older format', header => header.write('\0', 156), 4, []],
  ])('is left out or reported if it is no visible file: %s', async (_, change, count, sentences) => {
    const { records, skipped } = await importBytes(tarWith(change));
    expect([records.length, skipped]).toEqual([count, sentences]);
  });

  it('is read after a folder without a slash at its end', async () => {
    const tar = tarWith(header => header.write('5', 156), undefined, '');
    const { records, skipped } = await importBytes(tar);
    expect([records.length, skipped]).toEqual([2, []]);
  });

  it('is read after a file that is not read to its end', async () => {
    const bytes = toTar([
      { name: 'a', bytes: 'x'.repeat(300_000) },
      { name: 'b', bytes: report },
    ]);
    const { records, skipped } = await importBytes(bytes);
    expect([records.length, skipped]).toEqual([2, ['file, member a is in an unknown format']]);
  });

  it('is named with at most 255 characters', async () => {
    const name = `a${'b'.repeat(300)}`;
    expect((await importBytes(toZip({ name, bytes: 'x' }))).skipped).toEqual([
      `file, member ${name.slice(0, 255)} is in an unknown format`,
    ]);
  });

  it('is named without control characters', async () => {
    const tar = toTar([{ name: '\u001b[31ma', bytes: 'x' }]);
    expect((await importBytes(tar)).skipped).toEqual(['file, member \u{fffd}[31ma is in an unknown format']);
  });
});

describe('a zip whose directory is damaged', () => {
  const second = aggregateXml([{ sourceIp: '192.0.2.3', count: 1 }]);
  const zip = toZip({ name: 'a.xml', bytes: report }, { name: 'b.xml', bytes: second });
  const broken = 'file is a broken zip: its directory is damaged, so members are missing';

  it('is reported after its readable members are imported', async () => {
    const damaged = Buffer.from(zip);
    damaged.write('X', damaged.lastIndexOf('PK\x01\x02', undefined, 'latin1'));
    const { records, skipped } = await importBytes(damaged);
    expect([records.length, skipped]).toEqual([2, [expect.stringContaining(broken)]]);
    expect((await importBytes(zip)).records).toHaveLength(3);
  });

  it('is not called empty', async () => {
    const damaged = Buffer.from(zip);
    damaged.write('X', damaged.indexOf('PK\x01\x02', 0, 'latin1'));
    const { records, skipped } = await importBytes(damaged);
    expect([records, skipped]).toEqual([[], [broken]]);
  });

  it('is complete if it does not state the number of its members', async () => {
    const uncounted = Buffer.from(zip);
    uncounted.writeUInt16LE(0xffff, zip.length - 12);
    const { records, skipped } = await importBytes(uncounted);
    expect([records.length, skipped]).toEqual([3, []]);
  });

  it('is complete if it has no members', async () => {
    for (const zip of [toZip(), toZip({ name: 'a/', bytes: '' })])
      expect((await importBytes(zip)).skipped).toEqual(['file is an empty zip']);
  });
});
