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
  const byDomain = new Map<string, { hosts: Set<string>; row: DomainGroups & { groups: Group[] } }>();
  for (const group of groups) {
    const { value, domain } = group.keys[0]!;
    if (!domain || open.includes(domain)) continue;
    const existing = byDomain.get(domain) ?? { hosts: new Set(), row: { domain, groups: [] } };
    byDomain.set(domain, existing);
    existing.hosts.add(value);
    existing.row.groups.push(group);
  }
  return groups.flatMap((group): (Group | DomainGroups)[] => {
    const { hosts, row } = byDomain.get(group.keys[0]!.domain ?? '') ?? {};
    if (!hosts || !row || hosts.size < LEAST) return [group];
    return row.groups[0] === group ? [row] : [];
  });
}
