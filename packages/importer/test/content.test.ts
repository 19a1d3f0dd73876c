import { describe, expect, it } from 'vitest';
import { asBuffer, collect, limitContent, peek } from '../src/content.ts';

/** A stream of these chunks that ends with an error, if there is one; with what was read of it. */
function toStream(chunks: readonly string[], error?: Error) {
  const state = { read: 0, isClosed: false };
  const content = (async function* () {
    try {
      for (const chunk of chunks) {
        state.read++;
        yield Buffer.from(chunk);
      }
      if (error) throw error;
    } finally {
      state.isClosed = true;
    }
  })();
  return { content, state };
}

async function readAll(content: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  try {
    for await (const chunk of content) text += Buffer.from(chunk).toString();
    return text;
  } catch (error) {
    return `${text} ${(error as Error).message}`;
  }
}

describe('the first bytes of a stream', () => {
  it.each<[number, string, number]>([
    [0, '', 0],
    [1, 'a', 1],
    [2, 'ab', 1],
    [3, 'abc', 2],
    [5, 'abcde', 3],
    [6, 'abcde', 3],
  ])('are %i, of as few chunks as possible, and are read again with the rest', async (bytes, head, read) => {
    const { content, state } = toStream(['ab', 'cd', 'e']);
    const peeked = await peek(content, bytes);
    expect([peeked.head.toString(), state.read]).toEqual([head, read]);
    expect(await readAll(peeked.whole)).toBe('abcde');
    expect(state.isClosed).toBe(true);
  });

  it('of an empty stream are none', async () => {
    const { head, whole } = await peek(toStream([]).content, 10);
    expect([head.length, await readAll(whole)]).toEqual([0, '']);
  });

  it('are returned before an error, which is thrown behind them', async () => {
    const { head, whole } = await peek(toStream(['ab', 'c'], new Error('EIO')).content, 10);
    expect([head.toString(), await readAll(whole)]).toEqual(['abc', 'abc EIO']);
    const exact = await peek(toStream(['ab'], new Error('EIO')).content, 2);
    expect([exact.head.toString(), await readAll(exact.whole)]).toEqual(['ab', 'ab EIO']);
  });

  it('are not returned if the stream fails before them or is aborted', async () => {
    await expect(peek(toStream([], new Error('EIO')).content, 10)).rejects.toThrow('EIO');
    const abort = new DOMException('ended', 'AbortError');
    await expect(peek(toStream(['ab'], abort).content, 10)).rejects.toBe(abort);
  });

  it('leave the stream open until it is closed', async () => {
    const { content, state } = toStream(['ab', 'cd', 'e']);
    const { whole } = await peek(content, 1);
    for await (const chunk of whole) {
      expect([Buffer.from(chunk).toString(), state.isClosed]).toEqual(['ab', false]);
      break;
    }
    expect([state.read, state.isClosed]).toEqual([1, true]);
  });
});

describe('a stream with a limit', () => {
  it.each([
    [5, 'abcde'],
    [4, 'abcd is too large'],
    [3, 'ab is too large'],
    [0, ' is too large'],
  ])('of %i bytes is %j', async (limit, text) => {
    const { content, state } = toStream(['ab', 'cd', 'e']);
    expect(await readAll(limitContent(content, limit, 'is too large'))).toBe(text);
    expect(state.isClosed).toBe(true);
    const reading = collect(toStream(['ab', 'cd', 'e']).content, limit, 'is too large');
    if (limit === 5) expect((await reading).toString()).toBe(text);
    else await expect(reading).rejects.toMatchObject({ reason: 'is too large', detail: '' });
  });

  it('is collected as no bytes if it is empty', async () => {
    expect(await collect(toStream([]).content, 0, 'is too large')).toEqual(Buffer.alloc(0));
  });

  it('is collected without a copy of a single chunk', async () => {
    const bytes = new Uint8Array(Buffer.from('xabcx')).subarray(1, 4);
    const content = (async function* () {
      yield bytes;
    })();
    const collected = await collect(content, 3, 'is too large');
    expect([collected.toString(), collected.buffer === bytes.buffer]).toEqual(['abc', true]);
    expect([asBuffer(bytes).toString(), asBuffer(collected) === collected]).toEqual(['abc', true]);
  });
});
