/**
 * A seeded pseudo-random generator (sfc32): small, fast, and the same on every machine. Not for secrets. Each purpose
 * has a sequence of its own, so that changes to one part of the demo do not affect the others.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;

  constructor(seed: number, purpose: string) {
    this.#a = hash(`${purpose}/a/${seed}`);
    this.#b = hash(`${purpose}/b/${seed}`);
    this.#c = hash(`${purpose}/c/${seed}`);
    for (let round = 0; round < 12; round++) this.next();
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    const sum = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4294967296;
  }

  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Returns a random item of a non-empty list. */
  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)]!;
  }

  /** Lower-case hexadecimal digits. */
  hex(digits: number): string {
    let text = '';
    while (text.length < digits) text += this.integer(0x1000000, 0x1ffffff).toString(16).slice(1);
    return text.slice(0, digits);
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return value;
}

/** A weighted random choice. */
export class Choice<T> {
  readonly items: readonly T[];
  readonly #upTo: Float64Array;
  readonly #total: number;

  constructor(items: readonly T[], weight: (item: T, index: number) => number) {
    this.items = items;
    this.#upTo = new Float64Array(items.length);
    let total = 0;
    items.forEach((item, index) => {
      total += weight(item, index);
      this.#upTo[index] = total;
    });
    this.#total = total;
  }

  pick(random: Random): T {
    const wanted = random.next() * this.#total;
    let low = 0;
    let high = this.items.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#upTo[middle]! > wanted) high = middle;
      else low = middle + 1;
    }
    return this.items[low]!;
  }
}

/** Heavy-tailed weights: the n-th item is chosen `n ** exponent` times less often than the first. */
export function heavyTail(exponent: number): (item: unknown, index: number) => number {
  return (_item, index) => 1 / (index + 1) ** exponent;
}
