/** Keys of one generation: two of them take at most 100 MB. */
const GENERATION = 250_000;

/**
 * Counts how often something came before. Of very many different things only the newest are known, so that memory
 * stays bounded: equal rows and retries stand near one another.
 */
export class Ordinals {
  #newer = new Map<string, number>();
  #older = new Map<string, number>();

  /** 0 for what comes for the first time. */
  next(key: string): number {
    const ordinal = this.#newer.get(key) ?? this.#older.get(key) ?? 0;
    if (this.#newer.size >= GENERATION) [this.#older, this.#newer] = [this.#newer, new Map()];
    this.#newer.set(key, ordinal + 1);
    return ordinal;
  }
}
