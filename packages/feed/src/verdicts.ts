/** The kinds of subjects that verdicts can have. */
export const VERDICT_SUBJECTS = ['sender', 'blockedSource', 'issuer', 'script', 'insight'] as const;
export type VerdictSubject = (typeof VERDICT_SUBJECTS)[number];

/** The verdicts that a team can give. `forwarder` applies only to senders. */
export const VERDICTS = ['mine', 'accepted', 'forwarder', 'notMine'] as const;
export type VerdictName = (typeof VERDICTS)[number];
