/** From what may cost most to what one only wants to know. */
export const SEVERITIES = ['threat', 'incident', 'change', 'notice'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Every kind, with its rule in a sentence. */
export const KINDS = {
  newBlockedHost:
    'A host of others that was not blocked in the 28 days before, by two kinds of browsers and in five reports, or in ' +
    'three where threat intelligence knows it.',
  ownHostBlocked: 'A host of the own site that is blocked now, and was hardly before: as after a deploy.',
  manyNewHosts: 'A hundred hosts or more on a day that were not blocked before, and are not told one by one.',
  jump:
    'A type, directive, page or blocked host with an hour of at least 20 reports, twice the median of the same hour ' +
    'of 28 days and six deviations above it.',
  networkError: 'A kind of network error on a host, with a jump as above.',
  senderFails:
    'A sender whose mail was aligned to nine tenths in 28 days, and of which since then 20 more failed than passed.',
  newSender: 'A sender of at least 100 mails that sent none in the 28 days before.',
  tlsFailures:
    'A domain of which on a day more than 1 % of the mail sessions fail, 20 at least, and thrice what is usual.',
  newIssuer: 'An issuer of certificates that has issued none in the 90 days before.',
  unknownHostCertificate:
    'A certificate for a host that is none of the sites of the filters; without sites, for one that no certificate ' +
    'named in the 90 days before.',
  newFinding: 'Something new that a watch found, after 14 days in which it had found nothing new.',
  silence:
    'A type that came in nearly every hour and is missing while 20 reports were usual, or a type or reporter that came ' +
    'daily and is missing for two days.',
  quota: 'At the pace of the month, the quota will not last until its end.',
  together: 'Signs of several types that name one host and began within an hour.',
  more: 'Signs of a kind that are left out, since there are too many.',
} as const;
export type Kind = keyof typeof KINDS;

/** Something that was not so before, and that somebody should look at. */
export interface Sign {
  id: string;
  kind: Kind;
  severity: Severity;
  title: string;
  detail: string;
  subject: string;
  firstSeen: string;
  lastSeen: string;
  count: number;
  usual: number;
  link: string;
  query: string | null;
}
