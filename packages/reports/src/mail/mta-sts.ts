import { formatCount, READINESS_RULES, type Readiness } from './readiness.ts';

/** The effect of a TLS failure once an MTA-STS policy is enforced. */
export type TlsEffect = 'refused' | 'unprotected' | 'none';

/** Result types of RFC 8460, section 4.3, mapped to what a sender does in mode `enforce` (RFC 8461, section 5). */
const EFFECTS: Readonly<Record<string, TlsEffect>> = {
  'starttls-not-supported': 'refused',
  'certificate-host-mismatch': 'refused',
  'certificate-expired': 'refused',
  'certificate-not-trusted': 'refused',
  'validation-failure': 'refused',
  // Without a valid policy, senders deliver unprotected.
  'sts-policy-fetch-error': 'unprotected',
  'sts-policy-invalid': 'unprotected',
  'sts-webpki-invalid': 'unprotected',
};

/** DANE failures concern a different policy. */
export const getTlsEffect = (resultType: string): TlsEffect => EFFECTS[resultType.toLowerCase()] ?? 'none';

/** A policy as senders see it. */
export interface StsPolicy {
  mode: string;
  mx: string[];
  maxAge: number;
}

/** One week. RFC 8461 recommends weeks or more for an enforced policy. */
const USUAL_AGE = 604_800;
const LONGEST_AGE = 31_557_600;

/**
 * Parses an MTA-STS policy (RFC 8461, section 3.2) from the policy strings of reports, each of which is one or several
 * lines. Returns undefined if it names no mail exchanger.
 */
export function parseStsPolicy(lines: readonly string[]): StsPolicy | undefined {
  const fields = lines
    .flatMap(line => line.split(/[\r\n]+|,\s*(?=[a-z_]+\s*:)/i))
    .flatMap(line => {
      const [, name, value] = /^\s*([a-z_]+)\s*:\s*(.*?)\s*$/i.exec(line) ?? [];
      return name === undefined ? [] : [[name.toLowerCase(), value!] as const];
    });
  const get = (name: string) => fields.find(([own]) => own === name)?.[1];
  const mx = [...new Set(fields.filter(([name]) => name === 'mx').map(([, value]) => value.toLowerCase()))];
  const isSound = mx.length > 0 && mx.every(host => /^(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host));
  if (!isSound) return undefined;
  const age = Number(get('max_age'));
  return {
    mode: get('mode')?.toLowerCase() ?? '',
    mx,
    maxAge: Number.isInteger(age) && age > 0 && age <= LONGEST_AGE ? age : USUAL_AGE,
  };
}

/** Formats the policy file. Lines end with CRLF, as RFC 8461 requires. */
export function formatStsPolicy({ mode, mx, maxAge }: StsPolicy): string {
  const lines = ['version: STSv1', `mode: ${mode}`, ...mx.map(host => `mx: ${host}`), `max_age: ${maxAge}`];
  return lines.map(line => `${line}\r\n`).join('');
}

/** Mail sessions to a domain with an MTA-STS policy. */
export interface StsSessions {
  sessions: number;
  /** Sessions that an enforced policy refuses, and sessions that it does not protect. */
  refused: number;
  unprotected: number;
  /** The number of UTC days with reports. */
  days: number;
  /** The mail exchangers of refused sessions, those with the most sessions first. */
  exchangers: readonly string[];
}

/** The fraction of refused sessions from which on a repair is needed. Senders retry after isolated failures. */
const REFUSED = 0.001;
const MOST_NAMES = 3;

/** Decides whether mail would be lost if the policy were enforced. */
export function assessSts({
  sessions,
  refused,
  unprotected,
  days,
  exchangers,
}: StsSessions): Omit<Readiness, 'alignedShare' | 'sendersToRepair'> {
  const isKnown = days >= READINESS_RULES.days && sessions >= READINESS_RULES.messages;
  const isBroken = refused > REFUSED * sessions;
  return {
    state: isBroken ? 'repair' : isKnown ? 'ready' : 'wait',
    reasons: [
      `${formatCount(refused)} of ${formatCount(sessions, 'session')} would be refused, in reports of ${formatCount(days, 'day')}.`,
      ...(isBroken && exchangers.length > 0
        ? [`Repair first: ${exchangers.slice(0, MOST_NAMES).join(', ')}.`]
        : []),
      ...(unprotected > 0
        ? [
            `Senders could not fetch or read the policy in ${formatCount(unprotected, 'session')}, which it does not protect.`,
          ]
        : []),
      ...(isKnown
        ? []
        : [`Wait for reports of ${READINESS_RULES.days} days and ${READINESS_RULES.messages} sessions.`]),
    ],
  };
}
