import { getDomain } from 'tldts';
import type { AlignmentMode, DmarcAction, DmarcPolicy } from './policy.ts';

/** Messages with the same row in aggregate reports, added up. Domains are in lower case. */
export interface ReportedMessages {
  sender: string;
  /** The domain of the From header, and the domain whose policy was applied. */
  headerFrom: string;
  policyDomain: string;
  /** The receiver's evaluation: `pass`, `fail`, or '' if absent. */
  dkim: string;
  spf: string;
  isAligned: boolean;
  /** The published alignment modes. */
  adkim: AlignmentMode;
  aspf: AlignmentMode;
  disposition: string;
  /** The receiver's reasons for not following the policy. */
  overrides: readonly string[];
  /** The domains of signatures and return paths, by whether they passed. */
  dkimPassed: readonly string[];
  dkimFailed: readonly string[];
  spfPassed: readonly string[];
  spfFailed: readonly string[];
  count: number;
}

/** The effect of a policy on messages, with its reason. */
export interface MessageOutcome {
  /** The action that the policy requests. `none` delivers the message. */
  action: DmarcAction;
  dkim: boolean;
  spf: boolean;
  /** True if the report contains too little to be sure. */
  isUncertain: boolean;
}

/** Looks up and caches organizational domains of the Public Suffix List. */
export class OrganizationalDomains {
  readonly #found = new Map<string, string>();

  get(domain: string): string {
    const existing = this.#found.get(domain);
    if (existing !== undefined) return existing;
    const found = getDomain(domain) ?? domain;
    this.#found.set(domain, found);
    return found;
  }

  /** True if two domains are aligned (RFC 9989, section 4.4). */
  areAligned(one: string, other: string, mode: AlignmentMode): boolean {
    return one === other || (mode === 'r' && this.get(one) === this.get(other));
  }
}

/**
 * Creates a function that applies a domain's policy to messages. It returns undefined for messages to which the policy
 * does not apply.
 */
export function createDmarcJudge(
  policy: DmarcPolicy,
  domain: string,
  organizations: OrganizationalDomains,
): (messages: ReportedMessages) => MessageOutcome | undefined {
  return messages => {
    if (!isPolicyOf(domain, messages, organizations)) return undefined;
    const isSubdomain = messages.headerFrom !== domain;
    const dkim = judgeCheck(toDkim(policy, messages), messages.headerFrom, organizations);
    const spf = judgeCheck(toSpf(policy, messages), messages.headerFrom, organizations);
    const isAligned = dkim.isAligned || spf.isAligned;
    const requested = isAligned ? 'none' : isSubdomain ? policy.sp : policy.p;
    return {
      action: policy.isTest ? lowerAction(requested) : requested,
      dkim: dkim.isAligned,
      spf: spf.isAligned,
      isUncertain:
        (!isAligned && (dkim.isUncertain || spf.isUncertain || (isSubdomain && policy.np !== policy.sp))) ||
        contradictsReceiver(isAligned, policy, messages),
    };
  };
}

/** With `t=y` receivers apply the policy one level lower (RFC 9989, section 4.7). */
function lowerAction(action: DmarcAction): DmarcAction {
  return action === 'reject' ? 'quarantine' : 'none';
}

/**
 * True if the policy applies to the messages: to its own domain, and to subdomains of an organizational domain that
 * have no record of their own (RFC 9989, section 4.10.1). Whether a subdomain has a record follows from the domain of
 * the policy that the receiver applied.
 */
function isPolicyOf(
  domain: string,
  { headerFrom, policyDomain }: ReportedMessages,
  organizations: OrganizationalDomains,
): boolean {
  if (headerFrom === domain) return true;
  if (!headerFrom.endsWith(`.${domain}`) || policyDomain === headerFrom) return false;
  return policyDomain === domain || organizations.get(headerFrom) === domain;
}

interface CheckResult {
  isAligned: boolean;
  isUncertain: boolean;
}

/** The inputs of the DKIM or SPF check of messages. */
interface Check {
  evaluated: string;
  passed: readonly string[];
  failed: readonly string[];
  mode: AlignmentMode;
  published: AlignmentMode;
}

const toDkim = ({ adkim: mode }: DmarcPolicy, messages: ReportedMessages): Check => ({
  evaluated: hasEvaluation(messages) || !messages.isAligned ? messages.dkim : 'pass',
  passed: messages.dkimPassed,
  failed: messages.dkimFailed,
  mode,
  published: messages.adkim,
});

const toSpf = ({ aspf: mode }: DmarcPolicy, messages: ReportedMessages): Check => ({
  evaluated: messages.spf,
  passed: messages.spfPassed,
  failed: messages.spfFailed,
  mode,
  published: messages.aspf,
});

/** Reports of other tools may contain only whether messages were aligned. */
const hasEvaluation = ({ dkim, spf }: ReportedMessages) => dkim !== '' || spf !== '';

/** Judges by the listed results, as a receiver does (RFC 9989, sections 4.4 and 5.3.4). */
function judgeCheck(check: Check, headerFrom: string, organizations: OrganizationalDomains): CheckResult {
  const { passed, failed, mode } = check;
  if (passed.length + failed.length === 0) return judgeUnlisted(check);
  return {
    isAligned: passed.some(domain => organizations.areAligned(domain, headerFrom, mode)),
    isUncertain: false,
  };
}

/** Falls back to the receiver's evaluation if no results are listed. It may not hold for a stricter mode. */
function judgeUnlisted({ evaluated, mode, published }: Check): CheckResult {
  const isStricter = mode === 's' && published === 'r';
  return {
    isAligned: evaluated === 'pass' && !isStricter,
    isUncertain: evaluated === 'pass' && isStricter,
  };
}

/** True if the outcome differs from the receiver's under the same modes. Its list of results is then incomplete. */
function contradictsReceiver(
  isAligned: boolean,
  { adkim, aspf }: DmarcPolicy,
  messages: ReportedMessages,
): boolean {
  const isSame = adkim === messages.adkim && aspf === messages.aspf;
  return isSame && hasEvaluation(messages) && isAligned !== messages.isAligned;
}
