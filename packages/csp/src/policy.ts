import parse from 'content-security-policy-parser';

/** The values of each directive by its lower-case name, in the order of the policy. */
export type Policy = ReadonlyMap<string, readonly string[]>;

const WHITE_SPACE = /[\t\n\f\r ]+/g;

/** Reads one serialized policy (CSP Level 3, 2.2.1). Repeated directives are ignored, as in browsers. */
export function parsePolicy(text: string): Policy {
  // The parser takes quadratic time for long runs of white space, and a policy can be untrusted.
  return parse(text.replace(WHITE_SPACE, ' '));
}

/** Formats a policy as in a header. */
export function policyText(policy: Policy): string {
  return [...policy].map(([name, values]) => [name, ...values].join(' ')).join('; ');
}
