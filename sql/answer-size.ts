/** Bytes of an answer's body, in UTF-8: a list of records ends before the one that would make it longer. */
export const LONGEST_ANSWER = 32 * 1024 * 1024;

/** Adds up the items of a JSON list, and says where the list has to end. */
export class AnswerSize {
  #left: number;
  #isEmpty = true;

  /** @param around the body without an item, at its longest */
  constructor(around: string) {
    this.#left = LONGEST_ANSWER - Buffer.byteLength(around);
  }

  /** Whether the next item, of so many bytes, still fits. The first one always does. */
  takes(bytes: number): boolean {
    const wanted = this.#isEmpty ? bytes : bytes + COMMA;
    if (wanted > this.#left && !this.#isEmpty) return false;
    this.#left -= wanted;
    this.#isEmpty = false;
    return true;
  }
}

const COMMA = 1;

/** The items before the first one that does not fit, for a list that has no item yet. */
export function fitting<Item>(items: Item[], size: AnswerSize): Item[] {
  // Measuring costs as much as writing, and few lists come near the bound.
  if (mostBytes(items) < LONGEST_ANSWER / 2) return items;
  const end = items.findIndex(item => !size.takes(Buffer.byteLength(JSON.stringify(item))));
  return end < 0 ? items : items.slice(0, end);
}

/** UTF-8 and the escapes of JSON take no more for each of JavaScript's characters: `\u0000`. */
const LONGEST_CHARACTER = 6;

/** Bytes of a number, `false` or `null`. */
const LONGEST_OTHER = 25;

/** Bytes of a value's JSON at most, without writing it. */
function mostBytes(value: unknown): number {
  if (typeof value === 'string') return LONGEST_CHARACTER * value.length + 2;
  if (typeof value !== 'object' || value === null) return LONGEST_OTHER;
  let sum = 2;
  for (const name in value) {
    sum += LONGEST_CHARACTER * name.length + 4 + mostBytes((value as Record<string, unknown>)[name]);
  }
  return sum;
}
