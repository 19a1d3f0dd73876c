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

/** A CSP report, as far as its own policy judges it. Unknown is ''. */
export interface CspViolation {
  /** The page's address, or its origin. */
  uri: string;
  directive: string;
  blockedUri: string;
  policy: string;
}

/** Characters of a policy that is judged by: a longer one may have been cut. */
const LONGEST_POLICY = 60_000;
/** Policies that are kept as they were read, and characters of all of them. */
const MOST_POLICIES = 500;
const MOST_CHARACTERS = 2_000_000;

interface KnownPolicy {
  policy: Policy;
  judge: Judge;
}

const known = new LRUCache<string, KnownPolicy>({ max: MOST_POLICIES, maxSize: MOST_CHARACTERS });

/** The policies of a site are asked for the same few addresses. */
const readAddress = addressReader();

const NONCE = /'nonce-[^']*'/g;

/** Tells whether the report's own policy allows what it says was blocked: then something else has blocked it. */
export function isImpossible(violation: CspViolation, sample?: string): boolean {
  const { uri, blockedUri, policy: text } = violation;
  if (violation.directive === '' || text === '' || text.length > LONGEST_POLICY) return false;
  const policies = knownPolicy(text);
  if (!policies) return false;
  const { policy, judge } = policies;
  const directive = directiveName(violation.directive);
  // Nobody knows what stands in for a directive that nobody knows.
  if (!hasSources(directive) && !policy.has(directive)) return false;
  // The page counts as far as it is an origin, of which there are few.
  const end = uri.indexOf('/', uri.indexOf('//') + 2);
  const page = end < 0 ? uri : uri.slice(0, end);
  return judge({ directive, blockedUri, page, sample }).outcome === 'allowed';
}

/** Undefined for several policies: a comma stands between them, and one alone was violated. */
function knownPolicy(text: string): KnownPolicy | undefined {
  // Nonces differ with every answer, and no report says which one was given.
  const alike = text.includes("'nonce-") ? text.replace(NONCE, "'nonce-any'") : text;
  const before = known.get(alike);
  if (before) return before;
  if (text.includes(',')) return undefined;
  const policy = parsePolicy(alike);
  const made = { policy, judge: judgeOf(policy, readAddress) };
  known.set(alike, made, { size: alike.length });
  return made;
}
