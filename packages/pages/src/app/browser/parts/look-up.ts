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
 * Where to read who sends: of an address its registry, of a name a search. Never the sender's own host: an attacker
 * would see who looks. @returns undefined for what is no sender
 */
export function lookUpOf(by: GroupBy, value: string): string | undefined {
  if (!SENDERS.has(by) || value === '') return undefined;
  return ADDRESS.test(value)
    ? `https://stat.ripe.net/resource/${value}`
    : `https://duckduckgo.com/?q=${encodeURIComponent(`"${value}"`)}`;
}
