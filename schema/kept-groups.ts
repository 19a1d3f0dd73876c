import { LRUCache } from 'lru-cache';
import type { ReportGroups } from '../sql/report-groups.ts';

/** Groups of reports by what was asked and of which version of the account. */
export interface KeptGroups {
  get(name: string): ReportGroups | undefined;
  keep(name: string, groups: ReportGroups): void;
}

/** Bytes that a group takes, beside its texts. */
const GROUP = 200;

/**
 * Keeps what was asked last.
 * @param bytes about how much memory it may take; 0 keeps nothing
 */
export function keepGroups(bytes: number): KeptGroups {
  if (bytes === 0) return { get: () => undefined, keep: () => {} };
  const kept = new LRUCache<string, ReportGroups>({ maxSize: bytes });
  return {
    get: name => kept.get(name),
    keep: (name, groups) => kept.set(name, groups, { size: sizeOf(name, groups) }),
  };
}

function sizeOf(name: string, { groups }: ReportGroups): number {
  return groups.reduce(
    (sum, { values }) => sum + GROUP + 2 * values.join('').length,
    GROUP + 2 * name.length,
  );
}

/** The same of one history: after a failover, a server can come to a version again, with other data. */
export function ofTimeline(kept: KeptGroups, timeline: string): KeptGroups {
  return {
    get: name => kept.get(`${timeline} ${name}`),
    keep: (name, groups) => kept.keep(`${timeline} ${name}`, groups),
  };
}
