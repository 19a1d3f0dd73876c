import { parseAddress, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '@sightline/reports';
import {
  listChangedScripts,
  type ScriptHash,
  type ScriptPages,
  sampleScriptPages,
} from '../../sql/insights/scripts.ts';
import { RULES } from '../insight-rules.ts';
import { estimated, type InsightCandidate, moment, plural, shortenText } from './candidate.ts';
import { groupBy } from './group-by.ts';
import { getRegistrableDomain } from './look-alike.ts';
import { type InsightScope, LEARNING_DAYS, toWindow, USUAL_DAYS } from './scope.ts';
import { SENSITIVE_PATTERN } from './sensitive.ts';

/** The maximum number of changes whose pages are looked up. */
const MOST = 20;

/** A script with a new hash, and the hash before it. */
interface ScriptChange extends ScriptHash {
  former: ScriptHash;
  /** The script's host. */
  host: string;
}

/** Finds scripts whose content changed. */
export async function scriptInsights(scope: InsightScope): Promise<InsightCandidate[]> {
  const window = toWindow(scope, USUAL_DAYS);
  const { hashes, began } = await listChangedScripts(scope.database, window);
  if (began === undefined) return [];
  const begin = Math.max(began + LEARNING_DAYS * SECONDS_PER_DAY, Date.parse(window.since) / 1000);
  const changes = [...groupBy(hashes, ({ script }) => script).values()]
    .flatMap(own => findChanges(own, begin))
    .sort((one, other) => other.browsers - one.browsers || other.reports - one.reports);
  const groups = groupByDeploy(changes);
  const sampled = groups.slice(0, MOST).map(([first]) => first!);
  const pages = await sampleScriptPages(scope.database, window, sampled, SENSITIVE_PATTERN);
  return groups.map(group => changeDraft(group, pages.get(group[0]!.hash)));
}

/** Finds the new hashes of scripts that rarely change. */
function findChanges(hashes: readonly ScriptHash[], begin: number): ScriptChange[] {
  const { reports, browsers, changes } = RULES.scriptChanged;
  return hashes.flatMap((one, index) => {
    const earlier = hashes.slice(0, index);
    const former = earlier.findLast(({ first }) => first < one.first);
    const isEnough = one.reports >= reports && one.browsers >= browsers && one.first >= begin;
    const host = parseAddress(one.script)?.host;
    if (!former || !isEnough || !host) return [];
    const recent = earlier.slice(1).filter(({ first }) => first >= one.first - USUAL_DAYS * SECONDS_PER_DAY);
    return recent.length >= changes ? [] : [{ ...one, former, host }];
  });
}

/** Many scripts of a domain that change within an hour are a deployment. */
function groupByDeploy(changes: readonly ScriptChange[]): ScriptChange[][] {
  const byDomain = [...groupBy(changes, ({ host }) => getRegistrableDomain(host) ?? host).values()];
  return byDomain.flatMap(own => {
    const runs: ScriptChange[][] = [];
    for (const change of own.toSorted((one, other) => one.first - other.first)) {
      const run = runs.at(-1);
      if (run && change.first - run[0]!.first <= SECONDS_PER_HOUR) run.push(change);
      else runs.push([change]);
    }
    return runs.flatMap(run =>
      run.length >= RULES.scriptChanged.scriptsTogether ? [run] : run.map(change => [change]),
    );
  });
}

function changeDraft(group: readonly ScriptChange[], found: ScriptPages | undefined): InsightCandidate {
  const [change] = group as [ScriptChange];
  const domain = getRegistrableDomain(change.host);
  const isOwn = (found?.pageHosts ?? []).some(host => getRegistrableDomain(host) === domain);
  const isSensitive = found?.isSensitive ?? false;
  const script = change.script.replace(/^https?:\/\//, '');
  const where = isSensitive ? ` on ${shortenText(found!.path, 30)}` : '';
  return {
    kind: 'scriptChanged',
    severity: isOwn
      ? isSensitive && group.length === 1
        ? 'incident'
        : 'change'
      : isSensitive
        ? 'threat'
        : 'incident',
    ...(group.length > 1
      ? describeDeploy(group, domain ?? change.host, where)
      : {
          title: `The content of ${shortenText(script)} changed${where}`,
          detail: describeChange(change, found),
        }),
    subject: group.length > 1 ? (domain ?? change.host) : change.script,
    key: group.length > 1 ? `${domain ?? change.host} together` : `${change.script} ${change.hash}`,
    first: Math.min(...group.map(({ first }) => first)),
    last: Math.max(...group.map(({ last }) => last)),
    count: group.reduce((sum, { reports }) => sum + reports, 0),
    baseline: 0,
    reports: {
      type: 'csp_integrity',
      filters: group.length > 1 ? { subresourceHostnames: change.host } : { subresourceHashes: change.hash },
    },
    hosts: [change.host],
    rank:
      Math.min(change.browsers, 4) * 1e6 +
      Math.min(found?.pages ?? 1, 5) * 1e5 +
      Math.min(change.reports, 1e5),
  };
}

function describeChange(
  { reports, browsers, first, hash, former }: ScriptChange,
  found?: ScriptPages,
): string {
  const pages = found
    ? ` on ${estimated(found.sampled < reports, plural(found.pages, 'page'))}, such as ${shortenText(found.path) || '/'},`
    : '';
  const old =
    former.last > first
      ? `The former hash is still seen elsewhere, last ${moment(former.last)}`
      : `The former hash was seen last ${moment(former.last)}`;
  return `${plural(reports, 'report')}${pages} by ${plural(browsers, 'browser')} have the new hash ${shortenText(hash, 24)} since ${moment(first)}. ${old}. If nobody deployed it, compare the contents.`;
}

function describeDeploy(group: readonly ScriptChange[], domain: string, where: string) {
  const [{ first }] = group as [ScriptChange];
  const names = group.slice(0, 3).map(({ script }) => shortenText(script, 80));
  return {
    title: `${plural(group.length, 'script')} of ${shortenText(domain)} changed within an hour${where}`,
    detail: `Since ${moment(first)}: ${names.join(', ')}${group.length > names.length ? ' and others' : ''}. If nobody deployed them, compare the contents.`,
  };
}
