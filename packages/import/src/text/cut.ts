import type { TextBounds } from '@sightline/feed/checks';

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

/** Makes of values what the feed takes, and notes if it had to cut a text. */
export class Fitting {
  isCut = false;

  /** The value with texts that can be stored, none longer than the feed takes: itself, where it is so already. */
  fit(value: unknown, bounds: TextBounds | undefined): unknown {
    if (typeof value === 'string') return this.#fitText(value, bounds?.most);
    if (Array.isArray(value)) return value.map(item => this.fit(item, bounds?.item));
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Record<string, unknown>;
    let copy: Record<string, unknown> | undefined;
    for (const name in fields) {
      const fitting = this.fit(fields[name], bounds?.fields?.[name]);
      if (fitting === fields[name]) continue;
      copy ??= { ...fields };
      copy[name] = fitting;
    }
    return copy ?? fields;
  }

  #fitText(text: string, most = Number.POSITIVE_INFINITY): string {
    const stored = storableText(text);
    const cut = cutText(stored, most);
    if (cut !== stored) this.isCut = true;
    return cut;
  }
}
