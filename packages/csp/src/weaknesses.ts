import { CspEvaluator } from 'csp_evaluator/dist/evaluator.js';
import { Severity, Type } from 'csp_evaluator/dist/finding.js';
import { CspParser } from 'csp_evaluator/dist/parser.js';

/** A weakness of a policy, as Google's CSP Evaluator finds it. */
export interface Weakness {
  directive: string;
  value: string | null;
  severity: string;
  description: string;
}

/** The destination of a policy's reports is not its strength: another check tells it. */
const NOT_WEAK: ReadonlySet<Type> = new Set([Type.REPORTING_DESTINATION_MISSING, Type.REPORT_TO_ONLY]);

export function weaknessesOf(policy: string): Weakness[] {
  const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
  return findings
    .filter(({ type }) => !NOT_WEAK.has(type))
    .sort((one, other) => one.severity - other.severity)
    .map(({ directive, value, severity, description }) => ({
      directive,
      value: value ?? null,
      severity: severityOf(severity),
      description,
    }));
}

function severityOf(severity: Severity): string {
  if (severity === Severity.HIGH || severity === Severity.HIGH_MAYBE) return 'high';
  if (severity === Severity.SYNTAX) return 'syntax';
  return severity === Severity.MEDIUM || severity === Severity.MEDIUM_MAYBE ? 'medium' : 'info';
}
