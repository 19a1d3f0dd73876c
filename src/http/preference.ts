import type { Header } from './reply.ts';

/** Characters of a header by which a client says what it would like best: browsers send a tenth of it. */
const LONGEST = 1024;

/**
 * Chooses the form that a client prefers (RFC 9110, section 12.5). A longer one than any client needs counts as absent:
 * to weigh its parts costs more than the answer.
 */
export function preference(header: Header): string | undefined {
  const text = header === undefined ? undefined : String(header);
  return text === undefined || text.length > LONGEST ? undefined : text;
}
