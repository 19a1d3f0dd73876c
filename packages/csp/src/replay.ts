import { createJudge, type PolicyOutcome, type PolicyVerdict } from './judge.ts';
import type { Policy } from './policy.ts';
import { byReach, ReachSum, type ReportedViolation, type ViolationReach } from './reach.ts';
import { eachInTurns } from './turns.ts';

export interface Example {
  page: string;
  blockedUri: string;
}

export interface Effect extends ViolationReach {
  violated: string;
  directive: string | null;
  blocked: string;
  source: string | null;
  reason: string | null;
  examples: Example[];
}

export interface Outcomes extends ViolationReach {
  effects: Effect[];
  otherEffects: number;
}

/** The effects of a policy on violations, by outcome. */
export type ReplayResult = Record<PolicyOutcome, Outcomes>;

/** Replays violations under a policy. */
export async function replay(
  policy: Policy,
  violations: readonly ReportedViolation[],
): Promise<ReplayResult> {
  const judge = createJudge(policy);
  const [allowed, blocked, unknown] = [new OutcomeSum(), new OutcomeSum(), new OutcomeSum()];
  const sums: Record<PolicyOutcome, OutcomeSum> = { allowed, blocked, unknown };
  await eachInTurns(violations, violation => {
    const verdict = judge(violation);
    sums[verdict.outcome].add(violation, verdict);
  });
  return { allowed: await allowed.total(), blocked: await blocked.total(), unknown: await unknown.total() };
}

/** Replays violations under two policies: returns those that the first one blocks and the baseline does not. */
export async function replayChange(
  policy: Policy,
  baseline: Policy,
  violations: readonly ReportedViolation[],
): Promise<Outcomes> {
  const [judge, judgeBefore] = [createJudge(policy), createJudge(baseline)];
  const sum = new OutcomeSum();
  await eachInTurns(violations, violation => {
    const verdict = judge(violation);
    if (verdict.outcome === 'blocked' && judgeBefore(violation).outcome !== 'blocked')
      sum.add(violation, verdict);
  });
  return sum.total();
}

/** Maximum number of effects per outcome in the result. */
const MOST_EFFECTS = 200;
const EXAMPLES = 3;

/** Sums reports of one outcome by the deciding directive and the blocked resource. */
class OutcomeSum {
  readonly #all = new ReachSum();
  readonly #effects = new Map<string, { sum: ReachSum; effect: Omit<Effect, keyof ViolationReach> }>();

  add(violation: ReportedViolation, verdict: PolicyVerdict): void {
    this.#all.add(violation);
    const { directive: violated, page, blockedUri } = violation;
    const [directive, source, reason] = [
      verdict.directive ?? null,
      verdict.source ?? null,
      verdict.reason ?? null,
    ];
    const blocked = getOrigin(blockedUri);
    const key = [violated, directive, blocked, source, reason].join('\n');
    const existing = this.#effects.get(key) ?? {
      sum: new ReachSum(),
      effect: { violated, directive, blocked, source, reason, examples: [] },
    };
    this.#effects.set(key, existing);
    existing.sum.add(violation);
    if (existing.effect.examples.length < EXAMPLES) existing.effect.examples.push({ page, blockedUri });
  }

  async total(): Promise<Outcomes> {
    const effects: Effect[] = [];
    await eachInTurns(this.#effects.values(), ({ sum, effect }) => {
      effects.push({ ...effect, ...sum.total() });
    });
    return {
      ...this.#all.total(),
      effects: effects.sort(byReach).slice(0, MOST_EFFECTS),
      otherEffects: Math.max(0, effects.length - MOST_EFFECTS),
    };
  }
}

/** Maximum number of characters of an origin: no host or scheme is as long, but any text can be reported. */
const LONGEST_ORIGIN = 2048;

function getOrigin(blockedUri: string): string {
  const start = blockedUri.slice(0, LONGEST_ORIGIN);
  return /^[^:/?#]+:\/\/[^/?#]*/.exec(start)?.[0] ?? start.split(':', 1)[0]!;
}

/**
 * The addresses that a site requests, by their origin, each with a page.
 * @param seen addresses that the site has loaded on some page
 */
export function listPlaces(violations: readonly ReportedViolation[], seen: readonly string[], site: string) {
  const page = `https://${site}/`;
  const places = new Map<string, string>();
  for (const { blockedUri, page: own } of violations) places.set(getOrigin(blockedUri), own || page);
  for (const uri of seen) places.set(getOrigin(uri), page);
  return places;
}
