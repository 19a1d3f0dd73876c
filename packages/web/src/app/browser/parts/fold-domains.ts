import type { GroupBy, GroupRowsFragment } from '../documents/documents.generated.ts';

export type Group = GroupRowsFragment['groups'][number];

/** All groups of a domain, as one row. */
export interface DomainGroups {
  domain: string;
  groups: readonly Group[];
}

/** Dimensions with hosts of others, which can be many. The hosts of pages are the account's own. */
const FOLDED: ReadonlySet<GroupBy> = new Set(['BLOCKED_HOST', 'SUBRESOURCE_HOST']);

/** The number of hosts of a domain from which they are one row. */
const LEAST = 3;

/**
 * Combines the hosts of a domain into one row, in place of its first host.
 * @param open domains whose hosts are listed separately
 */
export function foldDomains(
  groups: readonly Group[],
  [first]: readonly GroupBy[],
  open: readonly string[],
): (Group | DomainGroups)[] {
  if (!first || !FOLDED.has(first)) return [...groups];
  const byDomain = new Map<string, Group[]>();
  for (const group of groups) {
    const domain = group.keys[0]!.domain;
    if (domain && !open.includes(domain)) byDomain.set(domain, [...(byDomain.get(domain) ?? []), group]);
  }
  return groups.flatMap((group): (Group | DomainGroups)[] => {
    const domain = group.keys[0]!.domain ?? '';
    const others = byDomain.get(domain) ?? [];
    if (new Set(others.map(({ keys }) => keys[0]!.value)).size < LEAST) return [group];
    return others[0] === group ? [{ domain, groups: others }] : [];
  });
}
