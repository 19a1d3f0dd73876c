import type { VerdictSubject } from '@sightline/feed';
import type { VerdictRow } from '../../sql/team-verdicts.ts';
import type { Insight, InsightKind } from '../insight.ts';
import { isCurrent } from '../team-verdicts.ts';

/** Kinds of insights whose subjects can have a verdict. */
const SUBJECTS: Partial<Record<InsightKind, VerdictSubject>> = {
  newSender: 'sender',
  senderFails: 'sender',
  newBlockedHost: 'blockedSource',
  lookAlikeHost: 'blockedSource',
  growth: 'blockedSource',
  manyNewHosts: 'blockedSource',
  newIssuer: 'issuer',
};

/** The growth factor at which a verdict on an insight expires. */
const GROWN = 2;

/** Matches a text against a pattern in which `*` stands for any characters, in linear time. */
export function matchesWildcards(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const plain = text.toLowerCase();
  if (rest.length === 0) return plain === first;
  const last = rest.pop()!;
  if (!plain.startsWith(first) || !plain.slice(first.length).endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const next = plain.indexOf(part, at);
    if (next < 0) return false;
    at = next + part.length;
  }
  return at <= plain.length - last.length;
}

/** Finds the team's verdict on an insight: one on its id, or else one on its subject for all sites. */
export function findVerdict(
  insight: Insight,
  verdicts: readonly VerdictRow[],
  now: Date,
): VerdictRow | undefined {
  const current = verdicts.filter(verdict => isCurrent(verdict, now));
  const kind = SUBJECTS[insight.kind];
  return (
    current.find(
      ({ subjectKind, subject, count }) =>
        subjectKind === 'insight' &&
        subject === insight.id &&
        (count === null || insight.count < GROWN * Math.max(1, count)),
    ) ??
    current.find(
      ({ subjectKind, siteKey, subject }) =>
        subjectKind === kind && siteKey === '' && matchesWildcards(insight.subject, subject),
    )
  );
}
