import { judgeOf, type Outcome, type Verdict } from './judge.ts';
import type { Policy } from './policy.ts';
import { byReach, type Reach, ReachSum, type ReportedViolation } from './reach.ts';

export interface Example {
  page: string;
  blockedUri: string;
}

export interface Effect extends Reach {
  violated: string;
  directive: string | null;
  blocked: string;
  source: string | null;
  reason: string | null;
  examples: Example[];
}

export interface Outcomes extends Reach {
  effects: Effect[];
  otherEffects: number;
}

/** The effects of a policy on violations, by outcome. */
export type Replayed = Record<Outcome, Outcomes>;

/** Replays violations under a policy. */
export function replay(policy: Policy, violations: readonly ReportedViolation[]): Replayed {
  const judge = judgeOf(policy);
  const [allowed, blocked, unknown] = [new OutcomeSum(), new OutcomeSum(), new OutcomeSum()];
  const sums: Record<Outcome, OutcomeSum> = { allowed, blocked, unknown };
  for (const violation of violations) {
    const verdict = judge(violation);
    sums[verdict.outcome].add(violation, verdict);
  }
  return { allowed: allowed.total(), blocked: blocked.total(), unknown: unknown.total() };
}

/** Effects that are shown of each outcome. */
const MOST_EFFECTS = 200;
const EXAMPLES = 3;

/** Sums up the reports of one outcome, by what decides and what was blocked. */
class OutcomeSum {
  readonly #all = new ReachSum();
  readonly #effects = new Map<string, { sum: ReachSum; effect: Omit<Effect, keyof Reach> }>();

  add(violation: ReportedViolation, verdict: Verdict): void {
    this.#all.add(violation);
    const { directive: violated, page, blockedUri } = violation;
    const [directive, source, reason] = [
      verdict.directive ?? null,
      verdict.source ?? null,
      verdict.reason ?? null,
    ];
    const blocked = originOf(blockedUri);
    const key = [violated, directive, blocked, source, reason].join('\n');
    const known = this.#effects.get(key) ?? {
      sum: new ReachSum(),
      effect: { violated, directive, blocked, source, reason, examples: [] },
    };
    this.#effects.set(key, known);
    known.sum.add(violation);
    if (known.effect.examples.length < EXAMPLES) known.effect.examples.push({ page, blockedUri });
  }

  total(): Outcomes {
    const effects = [...this.#effects.values()].map(({ sum, effect }) => ({ ...effect, ...sum.total() }));
    return {
      ...this.#all.total(),
      effects: effects.sort(byReach).slice(0, MOST_EFFECTS),
      otherEffects: Math.max(0, effects.length - MOST_EFFECTS),
    };
  }
}

function originOf(blockedUri: string): string {
  return /^[^:/?#]+:\/\/[^/?#]*/.exec(blockedUri)?.[0] ?? blockedUri.split(':', 1)[0]!;
}

/**
 * The addresses that a site requests, by their origin, each with a page.
 * @param seen addresses that it was seen to load on some page
 */
export function placesOf(violations: readonly ReportedViolation[], seen: readonly string[], site: string) {
  const page = `https://${site}/`;
  const places = new Map<string, string>();
  for (const { blockedUri, page: own } of violations) places.set(originOf(blockedUri), own || page);
  for (const uri of seen) places.set(originOf(uri), page);
  return places;
}
