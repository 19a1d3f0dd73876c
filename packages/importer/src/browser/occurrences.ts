/** Minimum time in milliseconds before a browser retries a failed delivery. Chromium waits 60 seconds minus a tenth. */
const LEAST_RETRY = 54_000;

/** Number of entries per generation. Two generations use about 60 MB. */
const GENERATION = 250_000;

/** Number of leading characters of a digest that serve as its key. */
const KEPT = 12;

/** Maximum number of remembered deliveries per report, which limits the time of a search. */
const MOST_AGES = 100;

/** Equal reports of one second: their number, and the age of each at its last delivery. */
interface Equal {
  count: number;
  ages: number[];
}

/**
 * Numbers equal reports of the same second in a log. They count as reports of different visitors, unless the age of one
 * exceeds that of an earlier one by a minute: then a browser retried the delivery.
 */
export class Occurrences {
  #generation: number;
  #newer = new Map<string, Equal>();
  #older = new Map<string, Equal>();

  /** @param generation minimum number of distinct reports that are remembered */
  constructor(generation = GENERATION) {
    this.#generation = generation;
  }

  /**
   * Returns the number of the report among its equals, from 0; a retry gets the number of its first delivery.
   * @param digest of content and second, in base64
   * @param age milliseconds from the event to the delivery
   */
  next(digest: string, age: number): number {
    const equal = this.#getEqual(digest.slice(0, KEPT));
    const { ages } = equal;
    const sent = age < LEAST_RETRY ? -1 : ages.findIndex(before => age - before >= LEAST_RETRY);
    if (sent !== -1) {
      ages[sent] = age;
      return sent;
    }
    if (ages.length < MOST_AGES) ages.push(age);
    return equal.count++;
  }

  #getEqual(key: string): Equal {
    const equal = this.#newer.get(key) ?? this.#older.get(key) ?? { count: 0, ages: [] };
    if (this.#newer.size >= this.#generation) [this.#older, this.#newer] = [this.#newer, new Map()];
    this.#newer.set(key, equal);
    return equal;
  }
}
