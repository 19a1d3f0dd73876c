/** Keys of one generation of a stream: two of them take 30 MB. */
const GENERATION = 250_000;

/** Characters of a key that are kept: 72 bits of a digest in base64, in a text that V8 does not share. */
const KEPT = 12;

/**
 * Counts how often something came before, by its digest in base64. A stream without end keeps the newest digests alone,
 * so that memory stays bounded: equal things stand near to one another there.
 */
export class Ordinals {
  #generation: number;
  #newer = new Map<string, number>();
  #older = new Map<string, number>();

  /** @param generation how many different things are surely known */
  constructor(generation = GENERATION) {
    this.#generation = generation;
  }

  /**
   * 0 for what comes for the first time.
   * @param more short, and counted apart
   */
  next(digest: string, more = ''): number {
    const key = digest.slice(0, KEPT) + more;
    const ordinal = this.#newer.get(key) ?? this.#older.get(key) ?? 0;
    if (this.#newer.size >= this.#generation) [this.#older, this.#newer] = [this.#newer, new Map()];
    this.#newer.set(key, ordinal + 1);
    return ordinal;
  }
}
