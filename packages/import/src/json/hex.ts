/** A line of JSON in which nginx has written bytes as `\xHH`, as JSON. */
export function unescapeHex(text: string): string {
  return text.replace(/(?:\\x[0-9a-f]{2})+/gi, escaped => JSON.stringify(bytesOf(escaped)).slice(1, -1));
}

/** The text behind `\xHH`, which stands for bytes of UTF-8. */
export function bytesOf(escaped: string): string {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex').toString();
}
