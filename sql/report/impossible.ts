import { hasSources, type Judge, judgeOf, type Policy, parsePolicy, type Violation } from '@sightline/csp';
import { LRUCache } from 'lru-cache';

/** A CSP report, as far as its own policy judges it. */
export interface ReportedViolation {
  uri: string;
  directive: string;
  blockedUri: string;
  policy: string;
  sample?: string | undefined;
}

/** Characters of a policy that is judged by: a longer one may have been cut. */
const LONGEST_POLICY = 60_000;
/** Policies that are kept as they were read, and characters of all of them. */
const MOST_POLICIES = 500;
const MOST_CHARACTERS = 2_000_000;

/** Verdicts that are kept of each, and characters of what they are of. */
const MOST_VERDICTS = 2000;
const LONGEST_VIOLATION = 300;

interface KnownPolicy {
  policy: Policy;
  judge: Judge;
  /** Whether the violation is impossible. */
  verdicts: Map<string, boolean>;
}

const known = new LRUCache<string, KnownPolicy>({ max: MOST_POLICIES, maxSize: MOST_CHARACTERS });

const NONCE = /'nonce-[^']*'/g;

/** Tells whether the report's own policy allows what it says was blocked: then something else has blocked it. */
export function isImpossible({ uri, directive, blockedUri, policy, sample }: ReportedViolation): boolean {
  // A comma stands between policies, of which one alone was violated.
  if (directive === '' || policy === '' || policy.length > LONGEST_POLICY || policy.includes(','))
    return false;
  const judging = knownPolicy(policy);
  const { verdicts } = judging;
  // The page counts as far as it is an origin, and few violations come again and again.
  const end = uri.indexOf('/', uri.indexOf('//') + 2);
  const page = end < 0 ? uri : uri.slice(0, end + 1);
  const violation = { directive, blockedUri, page, sample };
  // With the lengths, so that no violation can pass for another account's.
  const key = `${directive.length} ${page.length} ${blockedUri.length} ${directive}${page}${blockedUri}${sample ?? ''}`;
  const before = verdicts.get(key);
  if (before !== undefined) return before;
  const verdict = judged(judging, violation);
  if (key.length > LONGEST_VIOLATION) return verdict;
  if (verdicts.size >= MOST_VERDICTS) verdicts.clear();
  verdicts.set(key, verdict);
  return verdict;
}

function judged({ policy, judge }: KnownPolicy, violation: Violation): boolean {
  const name = violation.directive.trim().split(/\s/, 1)[0]!.toLowerCase();
  // Nobody knows what stands in for a directive that nobody knows.
  if (!hasSources(name) && !policy.has(name)) return false;
  return judge({ ...violation, directive: name }).outcome === 'allowed';
}

function knownPolicy(text: string): KnownPolicy {
  // Nonces differ with every answer, and no report says which one was given.
  const alike = text.includes("'nonce-") ? text.replace(NONCE, "'nonce-any'") : text;
  const before = known.get(alike);
  if (before) return before;
  const policy = parsePolicy(alike);
  const made = { policy, judge: judgeOf(policy), verdicts: new Map<string, boolean>() };
  known.set(alike, made, { size: alike.length });
  return made;
}
