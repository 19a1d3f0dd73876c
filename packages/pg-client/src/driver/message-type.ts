/** Size of a message's type and length; the length does not include the type. */
export const HEAD = 5;

/** The byte that identifies a message type (PostgreSQL's protocol 3.0). */
export function messageType(letter: string): number {
  return letter.charCodeAt(0);
}
