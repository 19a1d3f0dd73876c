/** The location of a line: the index of its source, and its number within it. */
interface LinePosition {
  position: number;
  number: number;
}

/** A set of line numbers, stored as one bit per line, since every line of a feed can be bad. */
export class LineSet {
  #sources: Uint8Array[] = [];

  add({ position, number }: LinePosition): void {
    const index = number >> 3;
    const existing = this.#sources[position] ?? new Uint8Array(64);
    const bits = index < existing.length ? existing : grown(existing, index);
    this.#sources[position] = bits;
    bits[index]! |= 1 << (number & 7);
  }

  has({ position, number }: LinePosition): boolean {
    return ((this.#sources[position]?.[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}

function grown(bits: Uint8Array, index: number): Uint8Array {
  const larger = new Uint8Array(Math.max(bits.length * 2, index + 1));
  larger.set(bits);
  return larger;
}
