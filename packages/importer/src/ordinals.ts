/** Number of keys per generation. Two generations use about 30 MB. */
const GENERATION = 250_000;

/** Number of characters stored per key: 72 bits of a digest in base64. */
const KEPT = 12;

/**
 * Counts the occurrences of digests. Only recent digests are remembered, which limits memory: in an endless stream,
 * equal items are close together.
 */
export class Ordinals {
  #generation: number;
  #newer = new Map<string, number>();
  #older = new Map<string, number>();

  /** @param generation minimum number of different items that are remembered */
  constructor(generation = GENERATION) {
    this.#generation = generation;
  }

  /**
   * Returns the number of earlier occurrences.
   * @param more a short suffix that is counted separately
   */
  next(digest: string, more = ''): number {
    const key = digest.slice(0, KEPT) + more;
    const ordinal = this.#newer.get(key) ?? this.#older.get(key) ?? 0;
    if (this.#newer.size >= this.#generation) [this.#older, this.#newer] = [this.#newer, new Map()];
    this.#newer.set(key, ordinal + 1);
    return ordinal;
  }
}
