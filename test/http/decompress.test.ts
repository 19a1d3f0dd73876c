import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { decompress } from '../../src/http/decompress.ts';
import { splitTarget } from '../../src/http/incoming.ts';

const TEXT = Buffer.from('a body that is sent compressed');

/**
 * A stored block of raw deflate (RFC 1951, section 3.2.4) whose padding makes its first byte that of a zlib header, and
 * an empty last block.
 */
function storedBlock(text: Buffer): Buffer {
  const head = Buffer.from([0x08, text.length, 0, ~text.length & 0xff, 0xff]);
  return Buffer.concat([head, text, Buffer.from([0x03, 0x00])]);
}

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    [' gzip ', gzipSync(TEXT)],
    ['gzip, identity', gzipSync(TEXT)],
    ['identity,gzip', gzipSync(TEXT)],
    ['gzip,', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['deflate', deflateRawSync(TEXT)],
    ['deflate', storedBlock(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['identity', TEXT],
    ['', TEXT],
    [undefined, TEXT],
  ])('is decoded with Content-Encoding: %s', async (coding, body) => {
    expect((await decompress(body, coding, TEXT.length)).toString()).toBe(TEXT.toString());
  });

  it.each(['zstd', 'compress', 'gzip, br', 'gzip, gzip', 'constructor'])(
    'is refused with Content-Encoding: %s, with the supported ones',
    async coding => {
      await expect(decompress(gzipSync(TEXT), coding, 1000)).rejects.toMatchObject({
        refusal: 'unsupportedCoding',
        headers: { 'Accept-Encoding': 'gzip, deflate, br' },
      });
    },
  );

  it('can have as many bytes as the limit', async () => {
    await expect(decompress(gzipSync(TEXT), 'gzip', TEXT.length - 1)).rejects.toMatchObject({
      refusal: 'bodyTooLarge',
    });
    await expect(decompress(TEXT, 'gzip', 1000)).rejects.toMatchObject({ refusal: 'malformedCoding' });
  });

  it('can be empty, whatever its coding', async () => {
    for (const coding of ['gzip', 'zstd'])
      expect(await decompress(Buffer.alloc(0), coding, 1)).toEqual(Buffer.alloc(0));
  });
});

describe('the target of a request', () => {
  it.each([
    ['/v1/me', '/v1/me', ''],
    ['/v1/me?', '/v1/me', ''],
    ['/v1/me?a=b?c', '/v1/me', 'a=b?c'],
    ['http://host:80/v1/me?a', '/v1/me', 'a'],
    ['HTTPS://host/v1', '/v1', ''],
    ['https://host', '/', ''],
    ['https://host?a=1', '/', 'a=1'],
    ['https://host//a', '//a', ''],
    ['https:///a', '/a', ''],
    ['ftp://host/a', 'ftp://host/a', ''],
    ['/https://host/', '/https://host/', ''],
    ['*', '*', ''],
  ])('%s has the path %s and the query %s', (target, path, query) => {
    expect(splitTarget(target)).toEqual({ path, query });
  });
});
