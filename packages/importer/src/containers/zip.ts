import { crc32 } from 'node:zlib';
import { Inflate } from 'fflate';
import type { Bounds } from '../bounds.ts';
import { type Content, collect } from '../content.ts';
import { toUnreadable, Unreadable } from '../unreadable.ts';
import type { DecompressedCounter } from './decompressed.ts';
import { isHiddenMember, toShownName } from './member-name.ts';

/** A file in a zip. */
export interface ZipMember {
  /** The name for messages. It is never used as a path. */
  name: string;
  /** True for folders and hidden files, which are not read. */
  isLeftOut: boolean;
  isEncrypted: boolean;
  method: number;
  crc: number;
  /** The stored bytes of the file. */
  bytes: Buffer;
}

const [STORED, DEFLATED] = [0, 8];
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const ZIP64 = 0x0001;
const UNKNOWN = 0xffff_ffff;
const UNKNOWN_COUNT = 0xffff;
const BROKEN = 'is a broken zip';

interface ZipDirectory {
  members: ZipMember[];
  /** False if the directory is damaged after these members. */
  isComplete: boolean;
}

/**
 * Yields the files of a zip archive (APPNOTE 6.3.10), without folders and hidden files. The list comes from the central
 * directory, because the header before a file does not always contain its size.
 * @throws {Unreadable} after the files before the damage, or if there are none
 */
export async function* zipMembers(content: Content, bounds: Bounds): AsyncGenerator<ZipMember, void> {
  const zip = await collect(content, bounds.compressed, 'is compressed, and too large');
  const { members, isComplete } = readDirectory(zip, bounds.members);
  const files = members.filter(({ isLeftOut }) => !isLeftOut);
  yield* files;
  if (!isComplete) throw new Unreadable(BROKEN, 'its directory is damaged, so members are missing');
  if (files.length === 0) throw new Unreadable('is an empty zip');
}

function readDirectory(zip: Buffer, most: number): ZipDirectory {
  try {
    return listMembers(zip, most);
  } catch (error) {
    if (error instanceof RangeError) throw new Unreadable(BROKEN, 'it ends too early');
    throw error;
  }
}

function listMembers(zip: Buffer, most: number): ZipDirectory {
  const end = zip.lastIndexOf(Buffer.of(0x50, 0x4b, 5, 6));
  if (end === -1) throw new Unreadable(BROKEN, 'it has no directory');
  const members: ZipMember[] = [];
  const declared = zip.readUInt16LE(end + 10);
  // Bytes before the archive shift its content, but not the offsets stored in it.
  const size = zip.readUInt32LE(end + 12);
  const written = zip.readUInt32LE(end + 16);
  const moved = written === UNKNOWN || size === UNKNOWN ? 0 : Math.max(0, end - size - written);
  let at = written === UNKNOWN ? zip.indexOf(Buffer.of(0x50, 0x4b, 1, 2)) : written + moved;
  while (at >= 0 && at + 4 <= zip.length && zip.readUInt32LE(at) === CENTRAL_HEADER) {
    if (members.length === most) throw new Unreadable('has too many members', `over ${most}`);
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset =>
      zip.readUInt16LE(at + offset),
    );
    const name = zip.subarray(at + 46, at + 46 + nameLength!);
    const extra = zip.subarray(at + 46 + nameLength!, at + 46 + nameLength! + extraLength!);
    members.push({
      name: toShownName(name.toString()),
      isLeftOut: isHiddenMember(name.toString()),
      isEncrypted: (zip.readUInt16LE(at + 8) & 1) === 1,
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      bytes: toBytes(zip, at, extra, moved),
    });
    at += 46 + nameLength! + extraLength! + commentLength!;
  }
  return { members, isComplete: declared === UNKNOWN_COUNT || members.length >= declared };
}

function toBytes(zip: Buffer, at: number, extra: Buffer, moved: number): Buffer {
  const fields = [24, 20, 42].map(offset => zip.readUInt32LE(at + offset));
  const [, size, header] = withZip64(fields, extra);
  const local = header! + moved;
  if (zip.readUInt32LE(local) !== LOCAL_HEADER)
    throw new Unreadable(BROKEN, 'a member is not at the declared position');
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  return zip.subarray(start, start + size!);
}

/** Size, compressed size and offset, in this order; values over 32 bits are stored in the extra field. */
function withZip64(fields: number[], extra: Buffer): number[] {
  if (!fields.includes(UNKNOWN)) return fields;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== ZIP64) continue;
    let next = at + 4;
    return fields.map(field => {
      if (field !== UNKNOWN) return field;
      next += 8;
      return Number(extra.readBigUInt64LE(next - 8));
    });
  }
  return fields;
}

const SLICE = 4 * 1024;
const STORED_SLICE = 64 * 1024;

/**
 * Decompresses a file of a zip archive.
 * @throws {Unreadable} after the readable part
 */
export async function* unzip(member: ZipMember, decompressed: DecompressedCounter): Content {
  const { method, isEncrypted, bytes } = member;
  if (isEncrypted) throw new Unreadable('is encrypted');
  if (method !== STORED && method !== DEFLATED) {
    throw new Unreadable('uses an unknown compression method', `method ${method}`);
  }
  // Throws before decompression starts if the limit is already exceeded.
  decompressed.add(0);
  let crc = 0;
  for (const chunk of method === STORED ? inSlices(bytes) : inflate(bytes)) {
    decompressed.add(chunk.length);
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== member.crc) throw new Unreadable(BROKEN, 'its checksum differs, so the records can be wrong');
}

function* inSlices(bytes: Buffer): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += STORED_SLICE)
    yield bytes.subarray(start, start + STORED_SLICE);
}

function* inflate(bytes: Buffer): Generator<Uint8Array> {
  const out: Uint8Array[] = [];
  const stream = new Inflate(chunk => {
    if (chunk.length > 0) out.push(chunk);
  });
  try {
    for (let start = 0; start < bytes.length; start += SLICE) {
      stream.push(bytes.subarray(start, start + SLICE), start + SLICE >= bytes.length);
      yield* out.splice(0);
    }
  } catch (error) {
    throw new Unreadable(BROKEN, toUnreadable(error).detail);
  }
}
