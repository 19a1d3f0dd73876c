import { describe, expect, it, vi } from 'vitest';
import { RecordJoiner } from '../src/dial/gathering.ts';
import { SharedMemory, sharedMemory } from '../src/driver/shared-memory.ts';
import { TextWriter } from '../src/index.ts';

const READY = 'Z\0\0\0\x05I';

const piece = (text: string) => Buffer.from(new TextEncoder().encode(text).buffer);

describe('TLS records', () => {
  it('are combined until the server is ready, the buffer is full, or the turn ends', async () => {
    const given: string[] = [];
    const gathering = new RecordJoiner(bytes => given.push(bytes.toString('latin1')), Buffer.alloc(10));
    for (const text of ['one', 'two', READY, 'three', 'fourth', 'five']) gathering.add(piece(text));
    expect(given).toEqual(['onetwo', READY, 'three']);
    gathering.add(piece('six'));
    expect(given.slice(3)).toEqual(['fourthfive']);
    await new Promise(setImmediate);
    expect(given.slice(4)).toEqual(['six']);
  });

  it('are freed if Node supports it and their memory is not shared', () => {
    const gathering = new RecordJoiner(() => {}, Buffer.alloc(10));
    const alone = piece('one');
    const neighbours = piece('twothree');
    gathering.add(alone);
    gathering.add(neighbours.subarray(0, 3));
    expect(alone).toHaveLength('transfer' in ArrayBuffer.prototype ? 0 : 3);
    expect(neighbours.toString()).toBe('twothree');
  });
});

describe('a long text', () => {
  it('occupies little more memory than its bytes', () => {
    const writer = new TextWriter();
    for (let row = 0; row < 1000; row++) {
      writer.write('x'.repeat(1000));
      writer.settle();
    }
    const { pieces } = writer.end();
    const memory = pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    expect(memory).toBeLessThan(1.2 * writer.size);
  });

  it('is moved out of the buffer for new bytes above 112 KiB', () => {
    const writer = new TextWriter();
    const lengths = [112 * 1024, 1].map(count => {
      writer.write('x'.repeat(count));
      writer.settle();
      return writer.length;
    });
    expect([...lengths, writer.size]).toEqual([112 * 1024, 0, 112 * 1024 + 1]);
    writer.end().release();
  });

  it('returns its memory once, at its release', () => {
    const writer = new TextWriter();
    for (let row = 0; row < 3; row++) {
      writer.write('x'.repeat(115_000));
      writer.settle();
    }
    const { pieces, release } = writer.end();
    using give = vi.spyOn(sharedMemory, 'give');
    release();
    release();
    expect(give.mock.calls.map(([{ buffer }]) => buffer)).toEqual(pieces.map(({ buffer }) => buffer));
    expect(pieces).toHaveLength(3);
  });
});

it('the buffer for new bytes is replaced after a text for which it has grown, but not by another text', () => {
  const [first, one, other] = [new TextWriter(), new TextWriter(), new TextWriter()];
  first.write('');
  first.end().release();
  const { length } = first.bytes;
  one.makeRoom(3 * length);
  one.write('one');
  other.end().release();
  expect(one.bytes.length).toBeGreaterThanOrEqual(3 * length);
  const { pieces, release } = one.end();
  expect([Buffer.concat(pieces).toString(), one.bytes.length]).toEqual(['one', length]);
  release();
});

it('at most sixteen mebibytes of buffers are kept for reuse', () => {
  const MEBIBYTE = 1024 * 1024;
  const memory = new SharedMemory();
  const take = () => Array.from({ length: 24 }, () => memory.take(MEBIBYTE));
  for (let time = 0; time < 3; time++) {
    const taken = take();
    for (const buffer of taken) memory.give(buffer);
    const again = take();
    expect(again.filter(buffer => taken.includes(buffer))).toHaveLength(16);
    for (const buffer of again) memory.give(buffer);
  }
});

it('buffers of four kibibytes and more are reused, and smaller ones are not kept', () => {
  const memory = new SharedMemory();
  const small = Buffer.alloc(4095);
  for (let time = 0; time < 5000; time++) memory.give(small);
  for (const size of [4096, 4097, 1024 * 1024]) {
    const buffer = memory.take(size);
    memory.give(buffer);
    expect(memory.take(size)).toBe(buffer);
  }
});

it.each([
  [4095, 4095],
  [4097, 8192],
  [262_145, 524_288],
  [600_000, 655_360],
])('a buffer for %i bytes has %i', (size, length) => {
  expect(new SharedMemory().take(size)).toHaveLength(length);
});
