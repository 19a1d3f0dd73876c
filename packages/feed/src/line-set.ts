/** Where a line is: the position of its source among the sources, and its number in it. */
interface Place {
  position: number;
  number: number;
}

/** Lines that are kept in mind, at a bit for each line up to the last of them: all of a feed may be bad. */
export class LineSet {
  #sources: Uint8Array[] = [];

  add({ position, number }: Place): void {
    const index = number >> 3;
    const known = this.#sources[position] ?? new Uint8Array(64);
    const bits = index < known.length ? known : grown(known, index);
    this.#sources[position] = bits;
    bits[index]! |= 1 << (number & 7);
  }

  has({ position, number }: Place): boolean {
    return ((this.#sources[position]?.[number >> 3] ?? 0) & (1 << (number & 7))) !== 0;
  }
}

function grown(bits: Uint8Array, index: number): Uint8Array {
  const larger = new Uint8Array(Math.max(bits.length * 2, index + 1));
  larger.set(bits);
  return larger;
}
