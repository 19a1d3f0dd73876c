import parse from 'content-security-policy-parser';

/** The values of each directive, by its name in lower case, in the order in which the policy has them. */
export type Policy = ReadonlyMap<string, readonly string[]>;

const WHITE_SPACE = /[\t\n\f\r ]+/g;

/** Reads one serialized policy (CSP Level 3, 2.2.1). A directive that comes again is ignored, as browsers do. */
export function parsePolicy(text: string): Policy {
  // The parser takes quadratic time for long runs of white space, and a policy may be a stranger's.
  return parse(text.replace(WHITE_SPACE, ' '));
}

/** The text of a policy, as a header has it. */
export function policyText(policy: Policy): string {
  return [...policy].map(([name, values]) => [name, ...values].join(' ')).join('; ');
}
