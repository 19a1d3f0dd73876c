import { Directive, Version } from 'csp_evaluator/dist/csp.js';
import { DEFAULT_CHECKS } from 'csp_evaluator/dist/evaluator.js';
import { type Finding, Severity } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';
import { type Policy, policyText } from './policy.ts';
import { nextTurn } from './turns.ts';

/** A weakness of a policy, as Google's CSP Evaluator finds it. */
export interface Weakness {
  directive: string;
  value: string | null;
  severity: string;
  description: string;
}

const KNOWN_DIRECTIVES: ReadonlySet<string> = new Set(Object.values(Directive));

/** Maximum number of examined sources and directives, because the evaluator compares each with hundreds of hosts. */
const MOST = { sources: 200, directives: 50 };

/** Finds weaknesses check by check, yielding to the event loop in between. Skipped parts are named. */
export async function findWeaknesses(policy: Policy): Promise<Weakness[]> {
  const directives = [...policy].sort(([one], [other]) => rank(one) - rank(other));
  const examined = directives.slice(0, MOST.directives);
  const cut = examined.filter(([, values]) => values.length > MOST.sources).map(([name]) => name);
  const text = policyText(new Map(examined.map(([name, values]) => [name, values.slice(0, MOST.sources)])));
  const findings: Finding[] = [];
  const effective = new CspParser(text).csp.getEffectiveCsp(Version.CSP3, findings);
  for (const check of DEFAULT_CHECKS) {
    findings.push(...check(effective));
    await nextTurn();
  }
  const [unexamined] = directives[MOST.directives] ?? [];
  return [
    ...toWeaknesses(findings),
    ...cut.map(name => toNote(name, `Only the first ${MOST.sources} sources were looked at.`)),
    ...(unexamined ? [toNote(unexamined, `Only ${MOST.directives} directives were looked at.`)] : []),
  ];
}

/** Known directives come first, so that many others cannot hide one from the checks. */
const rank = (directive: string) => Number(!KNOWN_DIRECTIVES.has(directive));

function toWeaknesses(findings: readonly Finding[]): Weakness[] {
  return [...findings]
    .sort((one, other) => one.severity - other.severity)
    .map(({ directive, value, severity, description }) => ({
      directive,
      value: value ?? null,
      severity: describeSeverity(severity),
      description,
    }));
}

const toNote = (directive: string, description: string): Weakness => ({
  directive,
  value: null,
  severity: 'info',
  description,
});

function describeSeverity(severity: Severity): string {
  if (severity === Severity.HIGH || severity === Severity.HIGH_MAYBE) return 'high';
  if (severity === Severity.SYNTAX) return 'syntax';
  return severity === Severity.MEDIUM || severity === Severity.MEDIUM_MAYBE ? 'medium' : 'info';
}
