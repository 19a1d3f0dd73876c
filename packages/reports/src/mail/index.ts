export { OrganizationalDomains, type ReportedMessages } from './alignment.ts';
export {
  assessSts,
  formatStsPolicy,
  getTlsEffect,
  parseStsPolicy,
  type StsPolicy,
  type TlsEffect,
} from './mta-sts.ts';
export {
  type AlignmentMode,
  DMARC_ACTIONS,
  type DmarcAction,
  type DmarcPolicy,
  formatDmarcPolicy,
  formatSeenPolicy,
  InvalidPolicy,
  parseDmarcPolicy,
  parseSeenPolicy,
  type SeenPolicy,
} from './policy.ts';
export {
  assessReadiness,
  type JudgedSender,
  judgeSender,
  READINESS_RULES,
  type Readiness,
  type SenderKind,
} from './readiness.ts';
export {
  type DmarcOutcome,
  FAILURE_CAUSES,
  type FailureCause,
  type FailureReason,
  type MessageCounts,
  replayDmarc,
  type SenderOutcome,
} from './replay.ts';
