/** Compiles a table of RFC 3454, given as characters and ranges, to a regular expression. */
function table(codes: string): RegExp {
  const range = (text: string) =>
    text
      .split('-')
      .map(code => `\\u{${code}}`)
      .join('-');
  return new RegExp(`[${codes.split(' ').map(range).join('')}]`, 'gu');
}

/** Characters that are mapped to a space (C.1.2), and characters that are removed (B.1). */
const SPACES = table('a0 1680 2000-200b 202f 205f 3000');
const NOTHING = table('ad 34f 1806 180b-180d 200c-200d 2060 fe00-fe0f feff');

/** Prohibited characters: C.2 to C.9. */
const PROHIBITED = table(
  '0-1f 7f-9f 6dd 70f 180e 2028-2029 2061-2063 206a-206f fff9-ffff 1d173-1d17a d800-dfff e000-f8ff f0000-10ffff ' +
    '340-341 200e-200f 202a-202e 2ff0-2ffb fdd0-fdef e0001 e0020-e007f',
);

/**
 * Prepares a password as PostgreSQL does: by SASLprep (RFC 4013), or unchanged if that rejects it. Unassigned
 * characters of Unicode 3.2 and bidirectional text are not checked.
 */
export function preparedPassword(password: string): string {
  const mapped = password.replace(SPACES, ' ').replace(NOTHING, '').normalize('NFKC');
  return mapped === '' || mapped.search(PROHIBITED) >= 0 ? password : mapped;
}
