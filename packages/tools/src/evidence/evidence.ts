import { Inventory, type Scope, type Script } from './inventory.ts';
import type { EvidenceAnswer, ScriptVerdict, SentPolicy } from './question.ts';
import { listWeeks, type Week } from './weeks.ts';

export interface Evidence {
  scope: Scope;
  scripts: Script[];
  /** Authorised scripts that no browser reported in the period. */
  gone: ScriptVerdict[];
  policies: SentPolicy[];
  weeks: Week[];
  /** True if the query did not return all data, so that the inventory is incomplete. */
  isCut: boolean;
  /** Sentences that describe the limits of this evidence. */
  limits: string[];
}

const LIMITS = [
  'Browsers report a script only if a policy or an integrity header requests it. Pages without one are not covered.',
  'Not every browser sends reports, and visitors can forge them. A listed script may never have been loaded.',
  'Hashes are known only for scripts that a Content-Security-Policy with report-sha256 reported.',
  'The content and the other headers of pages are not examined.',
];

/** Compiles the evidence about a site's scripts from browsers' reports. */
export function toEvidence(scope: Scope, answer: EvidenceAnswer, now: Date): Evidence {
  const { loaded, element, attribute, script, watches } = answer;
  const verdicts = listAuthorising(answer.verdicts, scope, now);
  const violations = [element, attribute, script];
  const inventory = new Inventory();
  inventory.add(loaded, false);
  for (const groups of violations) inventory.add(groups, true);
  const scripts = inventory.scripts(verdicts);
  const policies = watches
    .filter(({ site }) => isSame(site, scope.site))
    .flatMap(({ findings }) => findings.filter((finding): finding is SentPolicy => 'policy' in finding));
  const inPeriod = policies.filter(
    ({ firstSeen, lastSeen }) => firstSeen < scope.to && lastSeen >= scope.from,
  );
  const isSeen = (one: ScriptVerdict) => scripts.some(({ verdict }) => verdict === one);
  return {
    scope,
    scripts,
    gone: verdicts.filter(one => !isSeen(one)),
    policies: inPeriod.sort((one, other) => (one.firstSeen < other.firstSeen ? -1 : 1)),
    weeks: listWeeks(scope, scripts, policies, [answer.loadedDays, answer.violationDays], now),
    isCut: [loaded, ...violations].some(groups => groups?.truncated),
    limits: LIMITS,
  };
}

/** Lists verdicts that authorise scripts and have not expired by the end of the period. */
function listAuthorising(verdicts: readonly ScriptVerdict[], { to }: Scope, now: Date): ScriptVerdict[] {
  const end = Math.min(Date.parse(to), now.getTime());
  return verdicts.filter(
    ({ verdict, expiresAt }) => verdict !== 'notMine' && (expiresAt === null || Date.parse(expiresAt) >= end),
  );
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
