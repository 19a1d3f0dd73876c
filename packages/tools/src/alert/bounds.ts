/** Puts a text on one line, without control characters and characters that change the text direction. */
export const onOneLine = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\s]+/gu, ' ').trim();

/** Truncates a text to a number of UTF-8 bytes. */
export function cutBytes(text: string, bytes: number): string {
  const encoded = Buffer.from(text);
  if (encoded.length <= bytes) return text;
  let end = bytes - Buffer.byteLength('…');
  while (end > 0 && (encoded[end]! & 0xc0) === 0x80) end--;
  return `${encoded.toString('utf8', 0, end)}…`;
}
