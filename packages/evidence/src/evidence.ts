import { Inventory, type Scope, type Script } from './inventory.ts';
import type { Answer, Authorisation, SentPolicy } from './question.ts';
import { type Week, weeksOf } from './weeks.ts';

export interface Evidence {
  scope: Scope;
  scripts: Script[];
  /** Authorised scripts that no browser reported in the period. */
  gone: Authorisation[];
  policies: SentPolicy[];
  weeks: Week[];
  /** True if there was more than one question answers with: then the inventory is not whole. */
  isCut: boolean;
  /** The limits of this evidence, in words. */
  limits: string[];
}

const LIMITS = [
  'Browsers report a script only where a policy or an integrity header asks them to. A page without one is not seen.',
  'Not every browser sends reports, and a visitor may forge one. A script that is here may never have been loaded.',
  'Hashes are known of scripts that a Content-Security-Policy with report-sha256 reported, and of no others.',
  'The bodies and the other headers of pages are not looked at.',
];

/** Puts together what browsers reported of the scripts of a site. */
export function evidenceOf(scope: Scope, answer: Answer): Evidence {
  const { loaded, element, attribute, script, authorisations, watches } = answer;
  const violations = [element, attribute, script];
  const inventory = new Inventory();
  inventory.add(loaded, false);
  for (const groups of violations) inventory.add(groups, true);
  const scripts = inventory.scripts(authorisations);
  const policies = watches.filter(({ site }) => isSame(site, scope.site)).flatMap(({ findings }) => findings);
  const inPeriod = policies.filter(
    ({ firstSeen, lastSeen }) => firstSeen < scope.to && lastSeen >= scope.from,
  );
  const isSeen = (one: Authorisation) => scripts.some(({ authorisation }) => authorisation === one);
  return {
    scope,
    scripts,
    gone: authorisations.filter(one => !isSeen(one)),
    policies: inPeriod.sort((one, other) => (one.firstSeen < other.firstSeen ? -1 : 1)),
    weeks: weeksOf(scope, scripts, policies),
    isCut: [loaded, ...violations].some(({ truncated }) => truncated),
    limits: LIMITS,
  };
}

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
