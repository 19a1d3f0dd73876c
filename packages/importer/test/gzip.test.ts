import { randomBytes } from 'node:crypto';
import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { aggregateXml, ids, importBytes } from './reports.ts';

const FLAGS = { text: 1, checksum: 2, extra: 4, name: 8, comment: 16 };
const report = aggregateXml([{ count: 3 }, { sourceIp: '192.0.2.2', count: 4 }]);
/** A report that is too long to be decompressed in one call. */
const long = aggregateXml([
  { count: 3 },
  { xml: `<!--${randomBytes(150_000).toString('base64')}-->` },
  { count: 4 },
]);

interface Header {
  flags?: number;
  method?: number;
}

/** A member as defined in RFC 1952, with every part that the flags announce. */
function member(text: string, { flags = 0, method = 8 }: Header = {}): Buffer {
  const bytes = Buffer.from(text);
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(bytes), 0);
  trailer.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([
    Buffer.from([0x1f, 0x8b, method, flags, 1, 2, 3, 4, 0, 3]),
    // The extra field: its length, and bytes that include a zero, which would end a name.
    flags & FLAGS.extra ? Buffer.from([5, 0, 0x41, 0, 0x1f, 0x8b, 0]) : Buffer.alloc(0),
    flags & FLAGS.name ? Buffer.from('report.xml\0') : Buffer.alloc(0),
    flags & FLAGS.comment ? Buffer.from('\0') : Buffer.alloc(0),
    flags & FLAGS.checksum ? Buffer.from([9, 9]) : Buffer.alloc(0),
    deflateRawSync(bytes, { level: 1 }),
    trailer,
  ]);
}
const read = async (bytes: Uint8Array) => {
  const { records, skipped } = await importBytes(bytes);
  return { counts: records.map(({ count }) => count), skipped };
};
const WHOLE = { counts: [3, 4], skipped: [] };

describe.each([
  ['short', report],
  ['long', long],
])('a gzip of a %s report', (_, text) => {
  it('is read with any combination of header fields', { tags: 'slow' }, async () => {
    for (let flags = 0; flags < 32; flags++)
      expect([flags, await read(member(text, { flags }))]).toEqual([flags, WHOLE]);
  });

  it('is read with trailing bytes and with empty members', async () => {
    for (const more of ['\r\n', '\x1f', '\x1f\x8c', '\0'])
      expect(await read(Buffer.concat([member(text), Buffer.from(more, 'latin1')]))).toEqual(WHOLE);
    expect(await read(Buffer.concat([member(''), member(text), member('')]))).toEqual(WHOLE);
  });

  it('is read if it consists of several members', async () => {
    for (const at of [1, 100, text.length - 1]) {
      const parts = [text.slice(0, at), text.slice(at)].map((part, flags) =>
        member(part, { flags: 8 * flags }),
      );
      expect(await read(Buffer.concat(parts))).toEqual(WHOLE);
    }
  });

  it('is read with a long name in its header', async () => {
    const bytes = member(text, { flags: FLAGS.name });
    const begin = bytes.indexOf('report.xml');
    const parts = [bytes.subarray(0, begin), Buffer.alloc(5000, 'n'), bytes.subarray(begin)];
    expect(await read(Buffer.concat(parts))).toEqual(WHOLE);
  });

  it('is reported as broken but yields its records if the checksum or length is wrong', async () => {
    for (const behind of [8, 5, 4, 1]) {
      const bytes = member(text);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - behind) ^ 1, bytes.length - behind);
      expect(await read(bytes)).toEqual({
        counts: [3, 4],
        skipped: ['file is a broken gzip: its checksum differs, so the records can be wrong'],
      });
    }
  });

  it('is reported as truncated if trailing bytes are missing', async () => {
    for (const missing of [1, 4, 7, 8, 9])
      expect([missing, (await read(member(text).subarray(0, -missing))).skipped]).toEqual([
        missing,
        [expect.stringContaining('file is a broken gzip: it ends too early')],
      ]);
  });
});

it('a gzip with a truncated header or an unknown method is reported', async () => {
  const bytes = member(report, { flags: 31 });
  // The header has 31 bytes: 10 fixed, 7 of the extra field, 11 of the name, 1 of the comment and 2 of the checksum.
  for (let length = 3; length < 31; length++)
    expect([length, (await read(bytes.subarray(0, length))).skipped]).toEqual([
      length,
      ['file is a broken gzip: it ends too early'],
    ]);
  expect((await read(member(report, { method: 7 }))).skipped).toEqual([
    'file is a broken gzip: its compression method is unknown',
  ]);
});

it('a gzip is reported with what is wrong in its compressed bytes', async () => {
  const bytes = member(report);
  // A block of the reserved type (RFC 1951, section 3.2.3).
  bytes[10] = 7;
  expect((await read(bytes)).skipped).toEqual(['file is a broken gzip: invalid block type']);
});

it('a gzip is read to its end if its first member has 64 KiB', async () => {
  const packed = (text: string) => {
    const bytes = member(text);
    const uncompressed = deflateRawSync(Buffer.from(text), { level: 0 });
    return Buffer.concat([bytes.subarray(0, 10), uncompressed, bytes.subarray(-8)]);
  };
  const begin = report.lastIndexOf('</feedback>');
  const first = report.slice(0, begin);
  const spaces = ' '.repeat(64 * 1024 - packed(first + ' '.repeat(60_000)).length + 60_000);
  const members = [packed(first + spaces), packed(report.slice(begin))];
  expect(members[0]).toHaveLength(64 * 1024);
  expect(await read(Buffer.concat(members))).toEqual(WHOLE);
});

it('records from a truncated gzip have the same ids as those from the complete one', async () => {
  const whole = ids(await importBytes(member(long)));
  expect(ids(await importBytes(member(long).subarray(0, -6)))).toEqual(whole);
});

it('a gzip is read if its checksum begins at the end of a piece that is decompressed at once', async () => {
  // Without compression, each block of up to 65535 bytes has 5 bytes more.
  const padded = (length: number) => {
    const begin = long.lastIndexOf('</feedback>');
    const text = `${long.slice(0, begin)}${' '.repeat(length)}${long.slice(begin)}`;
    return { text, packed: deflateRawSync(Buffer.from(text), { level: 0 }) };
  };
  const length = padded(0).packed.length;
  for (const behind of [1, 7, 8]) {
    const { text, packed } = padded(4096 + 4096 - behind - (length % 4096));
    const whole = member(text);
    const bytes = Buffer.concat([whole.subarray(0, 10), packed, whole.subarray(-8)]);
    expect([4096 - (packed.length % 4096), await read(bytes)]).toEqual([behind, WHOLE]);
  }
});
