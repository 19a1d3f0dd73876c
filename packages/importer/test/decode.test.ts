import { expect, it } from 'vitest';
import { decode } from '../src/text/decode.ts';

async function decodeParts(...parts: Uint8Array[]): Promise<string> {
  const content = (async function* () {
    yield* parts;
  })();
  let text = '';
  for await (const part of decode(content)) text += part;
  return text;
}

it.each(['aé€😀b', '😀', 'é\n€'])('characters are decoded wherever a text is split: %s', async text => {
  const bytes = Buffer.from(text);
  for (let at = 1; at < bytes.length; at++)
    expect(await decodeParts(bytes.subarray(0, at), bytes.subarray(at))).toBe(text);
});

it.each([
  ['encoding="iso-8859-2"', '\xb1', 'ą'],
  ["encoding = 'windows-1251'", '\xe0', 'а'],
  ['ENCODING="iso-8859-2"', '\xb1', 'ą'],
  [`version="1.0"${' '.repeat(120)}encoding="iso-8859-2"`, '\xb1', 'ą'],
  ['encoding="UTF-8"', '\xe9', 'é'],
  ['encoding="utf-16"', '\xe9', 'é'],
  ['encoding="unknown"', '\xe9', 'é'],
  ['encoding="iso-8859-1"', '\x80\x93', '€“'],
  ['encoding="us-ascii"', '\x80', '€'],
  ['', '\x80\xe9\x99', '€é™'],
  ['encoding="shift_jis"', '\x83\x65\x83', 'テ\ufffd'],
])(
  'a text that is not UTF-8 is decoded as declared, or as windows-1252: %s',
  async (declared, byte, expected) => {
    const head = `<?xml ${declared}?>`;
    expect(await decodeParts(Buffer.from(head + byte, 'latin1'))).toBe(head + expected);
    const lines = Buffer.from(`${head}\n${byte}\n\n${byte}`, 'latin1');
    expect(await decodeParts(lines)).toBe(`${head}\n${expected}\n\n${expected}`);
  },
);

it.each([
  ['a zero byte before a letter', [0, 0x61], 'a'],
  ['a letter before a zero byte', [0x61, 0], 'a'],
  ['a zero byte alone', [0], '\0'],
  ['a letter alone', [0x61], 'a'],
  ['two zero bytes', [0, 0], '\0\0'],
  ['half of a byte order mark', [0xfe, 0x61], 'þa'],
  ['half of the other byte order mark', [0xff, 0x61], 'ÿa'],
])('UTF-16 is detected by the first two bytes: %s', async (_, bytes, text) => {
  expect(await decodeParts(Buffer.from(bytes))).toBe(text);
});

it.each([
  [64 * 1024, 0],
  [64 * 1024 + 1, 64 * 1024 + 1],
])(
  'of a line that is not UTF-8, %i bytes wait for its end, or %i characters are read',
  async (length, read) => {
    const content = (async function* () {
      yield Buffer.from(`${'\xe9'.repeat(length - 1)}x`, 'latin1');
      yield Buffer.from('y\n');
    })();
    const texts: string[] = [];
    for await (const text of decode(content)) texts.push(text);
    expect(texts[0]).toHaveLength(read);
    expect(texts.join('')).toBe(`${'é'.repeat(length - 1)}xy\n`);
  },
);

it.each<[string, Buffer[], string]>([
  ['a mark in two parts', ['\xef', '\xbb\xbfa'].map(part => Buffer.from(part, 'latin1')), 'a'],
  ['a second mark', ['\u{feff}a\n', '\u{feff}b'].map(part => Buffer.from(part)), 'a\n\u{feff}b'],
  ['UTF-16 after an empty part', [Buffer.alloc(0), Buffer.from('ab', 'utf16le')], 'ab'],
  ['lines in two encodings', [Buffer.from('\xc3\xa9\n\xe9\n\xc3\xa9', 'latin1')], 'é\né\né'],
])(
  'only the first byte order mark is left out, and each line has its encoding: %s',
  async (_, parts, text) => {
    expect(await decodeParts(...parts)).toBe(text);
  },
);
