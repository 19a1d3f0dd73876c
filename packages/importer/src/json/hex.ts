/** Converts nginx's `\xHH` escapes in a line of JSON to JSON escapes. */
export function unescapeHex(text: string): string {
  return text.replace(/(?:\\x[0-9a-f]{2})+/gi, escaped => JSON.stringify(toBytes(escaped)).slice(1, -1));
}

/** Decodes `\xHH` escapes, which stand for UTF-8 bytes. */
export function toBytes(escaped: string): string {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex').toString();
}
