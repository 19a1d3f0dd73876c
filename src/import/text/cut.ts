/** Bytes of a text that the feed takes. */
const LONGEST_TEXT = 64 * 1024;

/** A text of at most so many bytes of UTF-8; the mark stands in place of what was cut. */
export function cutText(text: string, bytes: number, mark = ''): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const head = Buffer.from(text.slice(0, bytes)).subarray(0, bytes - Buffer.byteLength(mark));
  return head.toString().replace(/\u{FFFD}{1,3}$/u, '') + mark;
}

/** A text that PostgreSQL can store and UTF-8 can write: U+FFFD stands in place of what they cannot. */
export function storableText(text: string): string {
  const stored = text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text;
  return stored.isWellFormed() ? stored : stored.toWellFormed();
}

/** The value with texts that can be stored, none longer than the feed takes: itself, where it is so already. */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return cutText(storableText(value), LONGEST_TEXT);
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const name in fields) {
    const stored = storable(fields[name]);
    if (stored === fields[name]) continue;
    copy ??= { ...fields };
    copy[name] = stored;
  }
  return copy ?? fields;
}
