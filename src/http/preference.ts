import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

/** Characters of a header by which a client says what it would like best: browsers send a tenth of it. */
const LONGEST = 1024;

/**
 * Chooses the form that a client prefers (RFC 9110, section 12.5). A longer one than any client needs counts as absent:
 * to weigh its parts costs more than the answer.
 */
export function preference(header: string | string[] | undefined): string | undefined {
  const text = header === undefined ? undefined : String(header);
  return text === undefined || text.length > LONGEST ? undefined : text;
}

/** Tells whether a browser asks for a page: by name, since everything else accepts any type. */
export function asksForPage(method: string, { accept: header }: IncomingHttpHeaders): boolean {
  const accept = preference(header);
  if (method !== 'GET' || accept === undefined || !/text\/html/i.test(accept)) return false;
  return new Negotiator({ headers: { accept } })
    .mediaTypes()
    .some(type => type.toLowerCase() === 'text/html');
}
