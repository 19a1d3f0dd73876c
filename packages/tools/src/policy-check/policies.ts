/** Where a policy is defined in a file, and to which pages it applies. */
export interface Place {
  /** The line number, from 1. */
  line: number;
  /** The location as written in the file; undefined for all pages. */
  location?: string | undefined;
  /** Path patterns, in which `*` stands for any characters; undefined for all paths. */
  paths?: readonly string[] | undefined;
  /** The hosts that send the policy, with `*.` for subdomains; undefined for all hosts. */
  hosts?: readonly string[] | undefined;
}

/** A policy in a file. */
export interface ProposedPolicy extends Place {
  isEnforced: boolean;
  text: string;
}

/** A policy in a file that cannot be checked. */
export interface UnreadablePolicy extends Place {
  reason: string;
}

export interface FilePolicies {
  policies: ProposedPolicy[];
  refusals: UnreadablePolicy[];
}

/** Common directives without sources, by which a text is recognised as a policy. */
export const DIRECTIVES_WITHOUT_SOURCES: ReadonlySet<string> = new Set([
  'report-uri',
  'report-to',
  'sandbox',
  'upgrade-insecure-requests',
  'trusted-types',
]);

export const ENFORCED = 'Content-Security-Policy';
export const REPORT_ONLY = 'Content-Security-Policy-Report-Only';

export const getHeaderName = ({ isEnforced }: { isEnforced: boolean }) =>
  isEnforced ? ENFORCED : REPORT_ONLY;

/**
 * Returns whether browsers enforce the policy in a header of this name, or undefined if such a header contains no
 * policy.
 */
export function readHeaderName(name: string): { isEnforced: boolean } | undefined {
  const lower = name.trim().toLowerCase();
  if (lower === ENFORCED.toLowerCase()) return { isEnforced: true };
  return lower === REPORT_ONLY.toLowerCase() ? { isEnforced: false } : undefined;
}

/** Collects the policies in a file. */
export class PolicyCollector implements FilePolicies {
  readonly policies: ProposedPolicy[] = [];
  readonly refusals: UnreadablePolicy[] = [];

  /** Adds a header if it contains policies. Its value can contain several, separated by commas. */
  addHeader(name: string, value: string, place: Place): void {
    const header = readHeaderName(name);
    if (!header) return;
    const reason = findReason(value);
    if (reason) {
      this.refuse(reason, place);
      return;
    }
    for (const text of withPlainNonces(value).split(',').map(normalize))
      if (text !== '') this.policies.push({ ...place, ...header, text });
  }

  refuse(reason: string, place: Place): void {
    this.refusals.push({ ...place, reason });
  }
}

const normalize = (text: string) => text.replace(/[\t\n\f\r ]+/g, ' ').trim();

/** Matches a placeholder for the nonce that a server or template inserts into each response. */
const NONCE_VARIABLE = /'nonce-(?:\$\{?\w+\}?|\{[^{}']{1,200}\}|\{\{[^{}']{1,200}\}\}|<%=?[^%']{1,200}%>)'/gi;
const VARIABLE = /\$\{?\w+\}?|\{\{|\{[$\w]|<%/;

/** Replaces placeholders for nonces. All are replaced by the same one, because reports do not show nonces. */
const withPlainNonces = (text: string) => text.replace(NONCE_VARIABLE, "'nonce-check'");

/** Returns the reason why a value cannot be checked, or undefined if it can. */
function findReason(value: string): string | undefined {
  if (normalize(value).replaceAll(',', '').trim() === '') return 'It is empty.';
  if (/^v=DMARC1\b/i.test(value.trim())) return DMARC;
  if (/[\r\n\0]/.test(value))
    return 'It has a line break, which a header cannot contain: write it on one line.';
  const variable = VARIABLE.exec(withPlainNonces(value))?.[0];
  if (variable)
    return `It has the variable ${variable}: check the policy as the server sends it, such as from "curl -sI".`;
}

/** The reason for a DMARC record, which is only checked with `--domain`. */
export const DMARC = 'It is a DMARC record. Check it in a separate file, with --domain.';
