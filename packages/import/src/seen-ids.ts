/** Bytes of a digest by which it is known, which a number holds exactly, and characters of base64 that they take. */
const BYTES = 6;
const CHARACTERS = 8;

/**
 * Remembers ids that came before. It stores a few bytes of their digests in base64url, in an eighth of the room of
 * a `Set`.
 */
export class SeenIds {
  #most: number;
  #size = 0;
  /** Open addressing; 0 is an empty slot. */
  #slots = new Float64Array(1024);

  /** @param most ids that are kept: what comes behind them is taken for new */
  constructor(most: number) {
    this.#most = most;
  }

  /** Answers with whether it came before, and keeps it. */
  add(id: string): boolean {
    const value = Buffer.from(id.slice(0, CHARACTERS), 'base64url').readUIntBE(0, BYTES) + 1;
    const slot = this.#slotOf(value);
    if (this.#slots[slot] === value) return true;
    if (this.#size === this.#most) return false;
    this.#slots[slot] = value;
    if (++this.#size * 2 > this.#slots.length) this.#grow();
    return false;
  }

  #slotOf(value: number): number {
    let slot = value % this.#slots.length;
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== value) slot = (slot + 1) % this.#slots.length;
    return slot;
  }

  #grow(): void {
    const before = this.#slots;
    this.#slots = new Float64Array(before.length * 2);
    for (const value of before) if (value !== 0) this.#slots[this.#slotOf(value)] = value;
  }
}
