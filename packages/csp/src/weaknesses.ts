import { Version } from 'csp_evaluator/dist/csp.js';
import { DEFAULT_CHECKS } from 'csp_evaluator/dist/evaluator.js';
import { type Finding, Severity, Type } from 'csp_evaluator/dist/finding.js';
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

/** Where a policy's reports are sent does not make it stronger; another check covers it. */
const NOT_WEAK: ReadonlySet<Type> = new Set([Type.REPORTING_DESTINATION_MISSING, Type.REPORT_TO_ONLY]);

/** Maximum number of examined sources and directives, because the evaluator compares each with hundreds of hosts. */
const MOST = { sources: 200, directives: 50 };

/** Finds weaknesses check by check, yielding to the event loop in between. Skipped parts are named. */
export async function findWeaknesses(policy: Policy): Promise<Weakness[]> {
  const examined = [...policy].slice(0, MOST.directives);
  const cut = examined.filter(([, values]) => values.length > MOST.sources).map(([name]) => name);
  const text = policyText(new Map(examined.map(([name, values]) => [name, values.slice(0, MOST.sources)])));
  const findings: Finding[] = [];
  const effective = new CspParser(text).csp.getEffectiveCsp(Version.CSP3, findings);
  for (const check of DEFAULT_CHECKS) {
    findings.push(...check(effective));
    await nextTurn();
  }
  return [...toWeaknesses(findings), ...cut.map(describeCut)];
}

function toWeaknesses(findings: readonly Finding[]): Weakness[] {
  return findings
    .filter(({ type }) => !NOT_WEAK.has(type))
    .sort((one, other) => one.severity - other.severity)
    .map(({ directive, value, severity, description }) => ({
      directive,
      value: value ?? null,
      severity: describeSeverity(severity),
      description,
    }));
}

const describeCut = (directive: string): Weakness => ({
  directive,
  value: null,
  severity: 'info',
  description: `Only the first ${MOST.sources} sources were looked at.`,
});

function describeSeverity(severity: Severity): string {
  if (severity === Severity.HIGH || severity === Severity.HIGH_MAYBE) return 'high';
  if (severity === Severity.SYNTAX) return 'syntax';
  return severity === Severity.MEDIUM || severity === Severity.MEDIUM_MAYBE ? 'medium' : 'info';
}
