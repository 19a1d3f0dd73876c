import { createHash } from 'node:crypto';

/** Texts that an endpoint could mistake for syntax. Each of them fills a text of any length. */
export const ALPHABETS = {
  'four bytes a character': '😀𝒳🏴',
  'quotes and formulas': `=+-@"'\`;,|<!--&amp;\t\\`,
  'patterns and paths': '%_*?[](){}^$#~%00%2F../+:',
  'controls and directions': '\u0001\b\n\r\u001b\u007f\u0085\u00a0\u200f\u202e\u2028\u2029\ufeff\ufffe\uffff',
  /** Text that does not compress, so an index must store all of it. */
  'nothing that repeats': '',
} as const;

export type Alphabet = keyof typeof ALPHABETS;

/** Text sizes in bytes that are limits somewhere, the largest first. */
export const BOUNDS = [1024 * 1024, 64 * 1024, 2048, 1024, 255, 254, 253];

const SIGNS = '"\\\n=%*\u{202e}\u{1f600}é';

const made = new Map<string, string>();

/** Returns a text of this many bytes in UTF-8. Different marks give different texts. */
export function extreme(alphabet: Alphabet, bytes: number, mark = ''): string {
  const name = `${alphabet} ${bytes} ${mark}`;
  const text = made.get(name) ?? make(alphabet, bytes, mark);
  made.set(name, text);
  return text;
}

function make(alphabet: Alphabet, bytes: number, mark: string): string {
  const sign = ALPHABETS[alphabet];
  const rest = bytes - Buffer.byteLength(mark);
  if (sign === '') {
    const noise = createHash('shake256', { outputLength: bytes }).update(mark).digest('base64url');
    return mark + SIGNS + noise.slice(0, rest - Buffer.byteLength(SIGNS));
  }
  const whole = sign.repeat(Math.floor(rest / Buffer.byteLength(sign)));
  return mark + whole + 'x'.repeat(rest - Buffer.byteLength(whole));
}
