/** Puts a text on one line, without control characters and characters that change the text direction. */
export const onOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim();

/**
 * Truncates a text with an ellipsis.
 * @param length maximum length in UTF-16 code units, which no receiver counts more strictly
 */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  // The replacement removes half of a surrogate pair at the end.
  return `${text.slice(0, length - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** Truncates a text to a number of UTF-8 bytes. */
export function cutBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes - Buffer.byteLength('…');
  while (end > 0 && (encoded[end]! & 0xc0) === 0x80) end--;
  return `${encoded.toString('utf8', 0, end)}…`;
}
