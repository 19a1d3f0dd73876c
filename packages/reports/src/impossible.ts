import {
  addressReader,
  directiveName,
  hasSources,
  type Judge,
  judgeOf,
  type Policy,
  parsePolicy,
} from '@sightline/csp';
import { LRUCache } from 'lru-cache';

/** The parts of a CSP report that are compared with its policy. An unknown value is ''. */
export interface CspViolation {
  /** The page's URL, or its origin. */
  uri: string;
  directive: string;
  blockedUri: string;
  policy: string;
}

/** Policies longer than this, in characters, may have been truncated. */
const LONGEST_POLICY = 60_000;
/** Limits of the cache of parsed policies: their number and their total length. */
const MOST_POLICIES = 500;
const MOST_CHARACTERS = 2_000_000;

interface KnownPolicy {
  policy: Policy;
  judge: Judge;
}

const seen = new LRUCache<string, KnownPolicy>({ max: MOST_POLICIES, maxSize: MOST_CHARACTERS });

/** A site's policies are compared with the same few addresses. */
const readAddress = addressReader();

const NONCE = /'nonce-[^']*'/g;

/** True if the report's own policy allows the blocked resource. Then something else blocked it. */
export function isImpossible(violation: CspViolation, sample?: string): boolean {
  const { uri, blockedUri, policy: text } = violation;
  if (violation.directive === '' || text === '' || text.length > LONGEST_POLICY) return false;
  const policies = getCachedPolicy(text);
  if (!policies) return false;
  const { policy, judge } = policies;
  const directive = directiveName(violation.directive);
  // The fallback of an unknown directive is not known either.
  if (!hasSources(directive) && !policy.has(directive)) return false;
  // The check depends only on the page's origin, and there are few origins.
  const end = uri.indexOf('/', uri.indexOf('//') + 2);
  const page = end < 0 ? uri : uri.slice(0, end);
  return judge({ directive, blockedUri, page, sample }).outcome === 'allowed';
}

/** Returns undefined for a comma-separated list of policies, since only one of them was violated. */
function getCachedPolicy(text: string): KnownPolicy | undefined {
  // Nonces differ in each response, and reports do not contain the valid one.
  const alike = text.includes("'nonce-") ? text.replace(NONCE, "'nonce-any'") : text;
  const before = seen.get(alike);
  if (before) return before;
  if (text.includes(',')) return undefined;
  const policy = parsePolicy(alike);
  const made = { policy, judge: judgeOf(policy, readAddress) };
  seen.set(alike, made, { size: alike.length });
  return made;
}
