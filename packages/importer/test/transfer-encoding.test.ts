import { describe, expect, it } from 'vitest';
import { bodyDecoded, decodeTransferEncoding } from '../src/containers/transfer-encoding.ts';
import { inParts } from './reports.ts';

async function toText(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

async function* inTwo(bytes: Buffer, length: number) {
  yield bytes.subarray(0, length);
  yield bytes.subarray(length);
}

const FORMS = [
  ['a soft line break', 'quoted-printable', 'one=\r\ntwo', 'onetwo'],
  ['a soft line break with blanks', 'quoted-printable', 'one= \t \r\ntwo', 'onetwo'],
  ['a soft line break without CR', 'quoted-printable', 'one=\ntwo=\n', 'onetwo'],
  ['encoded bytes', 'Quoted-Printable', 'caf=C3=A9=3D=e2=82=ac', 'café=€'],
  ['all of these', 'Quoted-Printable', 'a=3Db=\r\nc= \t\r\nd=C3=a9=\ne=', 'a=bcdée='],
  ['a lone sign at the end', 'quoted-printable', 'one=', 'one='],
  ['a sign before other letters', 'quoted-printable', 'a=b c=XY=0', 'a=b c=XY=0'],
  ['lines', 'base64', 'Y2Fm\r\nw6kg\r\n4oKs', 'café €'],
  ['padding before the last line', 'base64', 'aGVsbG8=\r\nIHdvcmxk', 'hello world'],
  ['padding', 'BASE64 ', 'Y2Fmw6k=', 'café'],
  ['padding in the middle', 'base64', 'b25l\r\ndHdvLg==\r\ndGhyZWU=', 'onetwo.three'],
  ['without padding', 'base64', 'b25lLg', 'one.'],
  ['characters outside the alphabet', 'base64', 'b*2-5\tl', 'one'],
  ['no encoding, with a sign', '8bit', 'a=3D', 'a=3D'],
  ['no encoding', '8bit', 'one=3D\r\n', 'one=3D\r\n'],
  ['a name of an object', 'toString', 'one=3D', 'one=3D'],
] as const;

describe('a body', () => {
  it.each(FORMS)('with %s in %s is decoded, wherever its chunks end', async (_, encoding, encoded, text) => {
    const bytes = Buffer.from(encoded, 'latin1');
    for (let length = 1; length <= bytes.length; length++) {
      for (const parts of [inParts(bytes, length), inTwo(bytes, length)])
        expect(await toText(decodeTransferEncoding(parts, encoding))).toBe(text);
    }
  });

  it.each([
    ['base64', '<feedback/>', '<feedback/>'],
    ['base64', '\ufeff  <feedback/>', '\ufeff  <feedback/>'],
    ['base64', '{"a":1}', '{"a":1}'],
    ['base64', '[1]', '[1]'],
    ['Base64', 'PD94bWw/Pg==', '<?xml?>'],
    [' Base64 ', '<feedback/>', '<feedback/>'],
    ['base64', 'PK12', '<\xad'],
    ['7bit', '<?xml version=3D"1.0"?>=3D', '<?xml version="1.0"?>='],
    ['7bit', '\ufeff\n<?xml version=3d"1.0"?>', '\ufeff\n<?xml version="1.0"?>'],
    ['7bit', `<?xml ${' '.repeat(70)}version=3D"1.0"?>`, `<?xml ${' '.repeat(70)}version="1.0"?>`],
    ['7bit', '<?xml version="1.0"?>=3D', '<?xml version="1.0"?>=3D'],
    ['constructor', '<a>=3D</a>', '<a>=3D</a>'],
    ['quoted-printable', '<a>=3D</a>', '<a>=3D</a>'.replace('=3D', '=')],
  ])('declared as %s that begins with %j is decoded as what it is', async (declared, body, text) => {
    const decoded = bodyDecoded(inParts(Buffer.from(body)), declared);
    const bytes: Uint8Array[] = [];
    for await (const chunk of decoded) bytes.push(chunk);
    const encoding = text === '<\xad' ? 'latin1' : 'utf8';
    expect(Buffer.concat(bytes).toString(encoding).slice(0, text.length)).toBe(text);
  });

  it.each([
    ['gzip', [0x1f, 0x8b, 0x08, 0x00]],
    ['zip', [0x50, 0x4b, 0x03, 0x04]],
  ])('declared as base64 that is %s is not decoded', async (_, bytes) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bodyDecoded(inParts(Buffer.from(bytes)), 'base64')) chunks.push(chunk);
    expect([...Buffer.concat(chunks)]).toEqual(bytes);
  });
});
