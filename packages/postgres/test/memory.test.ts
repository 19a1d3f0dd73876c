import { TextWriter } from '@sightline/postgres';
import { describe, expect, it } from 'vitest';
import { Gathering } from '../src/dial/gathering.ts';

const READY = 'Z\0\0\0\x05I';

const piece = (text: string) => Buffer.from(new TextEncoder().encode(text).buffer);

describe('records of TLS', () => {
  it('are put together until the server is ready or no more fits, and by the end of the turn', async () => {
    const given: string[] = [];
    const gathering = new Gathering(bytes => given.push(bytes.toString('latin1')), Buffer.alloc(10));
    for (const text of ['one', 'two', READY, 'three', 'fourth', 'five']) gathering.add(piece(text));
    expect(given).toEqual(['onetwo', READY, 'three']);
    gathering.add(piece('six'));
    expect(given.slice(3)).toEqual(['fourthfive']);
    await new Promise(setImmediate);
    expect(given.slice(4)).toEqual(['six']);
  });

  it('are freed, where Node can do that and nothing else has bytes there', () => {
    const gathering = new Gathering(() => {}, Buffer.alloc(10));
    const alone = piece('one');
    const neighbours = piece('twothree');
    gathering.add(alone);
    gathering.add(neighbours.subarray(0, 3));
    expect(alone).toHaveLength('transfer' in ArrayBuffer.prototype ? 0 : 3);
    expect(neighbours.toString()).toBe('twothree');
  });
});

describe('a long text', () => {
  it('lies in little more memory than it has bytes', () => {
    const writer = new TextWriter();
    for (let row = 0; row < 1000; row++) {
      writer.write('x'.repeat(1000));
      writer.settle();
    }
    const { pieces } = writer.end();
    const memory = pieces.reduce((sum, { buffer }) => sum + buffer.byteLength, 0);
    expect(memory).toBeLessThan(1.2 * writer.size);
  });
});
