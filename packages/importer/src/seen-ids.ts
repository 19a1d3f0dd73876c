/**
 * Number of digest bytes that identify an id, and their length in base64. A JavaScript number can represent 6 bytes
 * exactly.
 */
const BYTES = 6;
const CHARACTERS = 8;

/** A set of ids that stores only the first bytes of each digest, which takes much less memory than a `Set`. */
export class SeenIds {
  #most: number;
  #size = 0;
  /** A hash table with open addressing; 0 marks an empty slot. */
  #slots = new Float64Array(1024);

  /** @param most maximum number of remembered ids; later ones count as new */
  constructor(most: number) {
    this.#most = most;
  }

  has(id: string): boolean {
    const value = toValue(id);
    return this.#slots[this.#findSlot(value)] === value;
  }

  /** Returns whether the id was added before, and adds it. */
  add(id: string): boolean {
    const value = toValue(id);
    const slot = this.#findSlot(value);
    if (this.#slots[slot] === value) return true;
    if (this.#size === this.#most) return false;
    this.#slots[slot] = value;
    if (++this.#size * 2 > this.#slots.length) this.#grow();
    return false;
  }

  #findSlot(value: number): number {
    let slot = value % this.#slots.length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== value) slot = (slot + 1) % this.#slots.length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const value of before) if (value !== 0) this.#slots[this.#findSlot(value)] = value;
  }
}

function toValue(id: string): number {
  return Buffer.from(id.slice(0, CHARACTERS), 'base64url').readUIntBE(0, BYTES) + 1;
}
