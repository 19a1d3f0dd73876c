import type { TextBounds } from '@sightline/feed';

/** Truncates a text to a number of UTF-8 bytes and appends the mark. */
export function cutText(text: string, bytes: number, mark = ''): string {
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const head = Buffer.from(text.slice(0, bytes)).subarray(0, bytes - Buffer.byteLength(mark));
  return head.toString().replace(/\u{FFFD}{1,3}$/u, '') + mark;
}

/** Replaces characters that PostgreSQL or UTF-8 cannot represent with U+FFFD. */
export function storableText(text: string): string {
  const stored = text.includes('\0') ? text.replaceAll('\0', '\u{FFFD}') : text;
  return stored.isWellFormed() ? stored : stored.toWellFormed();
}

/** Fits values to the limits of the feed, and records whether a text was truncated. */
export class TextFitter {
  isCut = false;

  /** Returns the value with storable texts within the feed's limits, or the value itself if nothing changes. */
  fit(value: unknown, bounds: TextBounds | undefined): unknown {
    if (typeof value === 'string') return this.#fitText(value, bounds?.most);
    if (Array.isArray(value)) return this.#fitList(value, bounds?.item);
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

  #fitList(items: readonly unknown[], bounds: TextBounds | undefined): readonly unknown[] {
    const fitting = items.map(item => this.fit(item, bounds));
    return fitting.every((item, index) => item === items[index]) ? items : fitting;
  }

  #fitText(text: string, most = Number.POSITIVE_INFINITY): string {
    const stored = storableText(text);
    const cut = cutText(stored, most);
    if (cut !== stored) this.isCut = true;
    return cut;
  }
}
