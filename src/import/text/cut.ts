/** Bytes of a text that the feed takes. */
const LONGEST_TEXT = 64 * 1024;

/** A text of at most so many bytes of UTF-8; the mark stands in place of what was cut. */
export function cutText(text: string, bytes: number, mark = ''): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const head = Buffer.from(text.slice(0, bytes)).subarray(0, bytes - Buffer.byteLength(mark));
  return head.toString().replace(/\u{FFFD}{1,3}$/u, '') + mark;
}

/** What PostgreSQL cannot store, or UTF-8 cannot write, when it stands alone. */
const DOUBTFUL = /[\0\ud800-\udfff]/;

/** A text that can be stored: U+FFFD stands in place of what cannot. */
export function storableText(text: string): string {
  // Half of a surrogate pair becomes U+FFFD on its way through UTF-8.
  return DOUBTFUL.test(text) ? Buffer.from(text.replaceAll('\0', '\u{FFFD}')).toString() : text;
}

/** The value with texts that can be stored, none longer than the feed takes. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return cutText(storableText(value), LONGEST_TEXT);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  const copy: Record<string, unknown> = {};
  for (const name in value) copy[name] = storable((value as Record<string, unknown>)[name]);
  return copy;
}
