/** Bytes of a message's type, and of its length, in which the type does not count. */
export const HEAD = 5;

/** The byte by which a message says what it is (PostgreSQL's protocol 3.0). */
export function messageType(letter: string): number {
  return letter.charCodeAt(0);
}
