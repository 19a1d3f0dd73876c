import type { GroupBy } from '../documents/documents.generated.ts';

const SENDERS: ReadonlySet<GroupBy> = new Set([
  'SENDER',
  'SOURCE_IP',
  'SOURCE_NETWORK',
  'ORGANISATION',
  'SERVER_IP',
]);

const ADDRESS = /^([\d.]+|[\da-f:.]*:[\da-f:.]*)(\/\d+)?$/i;

/**
 * Returns the URL of a page about a sender: a registry for an address, or a web search for a name. It is never on the
 * sender's own host, where an attacker would see the visit.
 * @returns undefined for other dimensions
 */
export function toLookUpUrl(by: GroupBy, value: string): string | undefined {
  if (!SENDERS.has(by) || value === '') return undefined;
  return ADDRESS.test(value)
    ? `https://stat.ripe.net/resource/${value}`
    : `https://duckduckgo.com/?q=${encodeURIComponent(`"${value}"`)}`;
}
