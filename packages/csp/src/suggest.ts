import { getDomain, getHostname } from 'tldts';
import { directiveToChange, openedBy, sourceFor } from './change.ts';
import { judgeOf } from './judge.ts';
import type { Policy } from './policy.ts';
import { byReach, type Reach, type ReportedViolation, reachOf } from './reach.ts';

/** A source that would end reports. */
export interface Suggestion extends Reach {
  directive: string;
  source: string;
  /** The sources that a wildcard stands for; the source itself otherwise. */
  covers: string[];
  opens: string | null;
  isAdded: boolean;
}

/**
 * Suggests sources that would allow the violations that the baseline blocks. Only sources that name a place are
 * added unasked.
 */
export function suggestionsFor(
  baseline: Policy,
  violations: readonly ReportedViolation[],
  allowed: ReadonlySet<string>,
): Suggestion[] {
  const judge = judgeOf(baseline);
  const found = new Map<string, { directive: string; source: string; violations: ReportedViolation[] }>();
  for (const violation of violations) {
    if (judge(violation).outcome !== 'blocked') continue;
    const directive = directiveToChange(baseline, violation.directive);
    const source = sourceFor(violation.blockedUri, violation.page);
    if (directive === undefined || source === undefined) continue;
    const key = `${directive} ${source}`;
    const known = found.get(key) ?? { directive, source, violations: [] };
    known.violations.push(violation);
    found.set(key, known);
  }
  return withWildcards([...found.values()])
    .map(({ directive, source, covers, violations }) => {
      const opens = openedBy(source) ?? null;
      const isAdded = opens === null || allowed.has(source);
      return { directive, source, covers, opens, isAdded, ...reachOf(violations) };
    })
    .sort(byReach);
}

interface Found {
  directive: string;
  source: string;
  violations: ReportedViolation[];
}

/** Hosts of one site in one directive from which on their wildcard is suggested. */
const HOSTS_OF_WILDCARD = 3;

/** Replaces the hosts of one site by its wildcard, where there are three or more. */
function withWildcards(found: readonly Found[]): (Found & { covers: string[] })[] {
  const bySite = new Map<string, Found[]>();
  for (const one of found) {
    const wildcard = wildcardOf(one.source);
    const key = wildcard ? `${one.directive} ${wildcard}` : `${one.directive} ${one.source}`;
    bySite.set(key, [...(bySite.get(key) ?? []), one]);
  }
  return [...bySite.values()].flatMap(alike => {
    if (alike.length < HOSTS_OF_WILDCARD) return alike.map(one => ({ ...one, covers: [one.source] }));
    const { directive, source } = alike[0]!;
    return {
      directive,
      source: wildcardOf(source)!,
      covers: alike.map(one => one.source).sort(),
      violations: alike.flatMap(one => one.violations),
    };
  });
}

/** Undefined for a site's own name, and for what is no host: hosts of a shared domain are sites of their own. */
function wildcardOf(source: string): string | undefined {
  const [, scheme, port = ''] = /^(https?|wss?):\/\/[^/:]+(:\d+)?$/.exec(source) ?? [];
  if (!scheme) return undefined;
  const site = getDomain(source, { allowPrivateDomains: true });
  return site === null || getHostname(source) === site ? undefined : `${scheme}://*.${site}${port}`;
}
