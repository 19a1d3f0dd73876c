// Printed by `npm run codegen` from packages/tools/documents/*.graphql. Changes here are overwritten.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** Whether an account is personal or belongs to a team. */
export type AccountType =
  | 'personal'
  | 'team';

/** State of a plan. A plan grants its features while it is `active` or `past_due`. */
export type PlanStatus =
  | 'active'
  | 'canceled'
  | 'past_due'
  | 'inactive';

/** Level of a plan. */
export type PlanTier =
  | 'free'
  | 'starter'
  | 'business'
  | 'enterprise';

/** Identifier of a report type. */
export type ReportTypeName =
  /** Content Security Policy */
  | 'csp'
  /** CSP Integrity */
  | 'csp_integrity'
  /** Integrity Policy */
  | 'integrity_policy'
  /** Permissions Policy */
  | 'permissions_policy'
  /** Network Error Logging */
  | 'nel'
  /** Deprecation */
  | 'deprecation'
  /** Intervention */
  | 'intervention'
  /** Crash */
  | 'crash'
  /** Cross-Origin Embedder Policy */
  | 'coep'
  /** Cross-Origin Opener Policy */
  | 'coop'
  /** DMARC */
  | 'dmarc'
  /** SMTP TLS Reporting */
  | 'tls_rpt'
  /** Certificate Transparency */
  | 'certificate_transparency'
  /** Connection Allowlist */
  | 'connection_allowlist'
  /** Other types */
  | 'other';

/** The origin of a blocked resource relative to the page. */
export type SourceClass =
  /** An extension of the visitor's browser. */
  | 'extension'
  /** The browser itself. */
  | 'browser'
  /** The policy in the report allows the resource that was reported as blocked. */
  | 'impossible'
  /** Inline script or style. */
  | 'inline'
  /** Code that is evaluated from a string. */
  | 'eval'
  /** A `data:` address. */
  | 'data'
  /** A `blob:` address, which the page created. */
  | 'blob'
  /** The page's scheme, host and port. */
  | 'sameOrigin'
  /** The page's registrable domain, by the public suffix list. */
  | 'sameSite'
  /** Any other host. */
  | 'external'
  /** The report does not contain this information. */
  | 'unknown';

/** Filters for reports. A filter that does not apply to the report type causes an error. */
export type ReportFilter = {
  /** The origins of the blocked resource. */
  sourceClass?: Array<SourceClass> | null | undefined;
  /** Whether the message was aligned. */
  aligned?: boolean | null | undefined;
  /** Whether the policy was enforced or only reported. */
  disposition?: string | null | undefined;
  /** Result of the DKIM evaluation. */
  dkim?: string | null | undefined;
  /** Result of the SPF evaluation. */
  spf?: string | null | undefined;
  /** The complete name of the sender. */
  sender?: string | null | undefined;
  /** IP address of the sender. */
  sourceIp?: string | null | undefined;
  /** Network of the sender's address: an IPv4 /24 or an IPv6 /48. */
  sourceNetwork?: string | null | undefined;
  /** Organisation that sent the report. */
  reporter?: string | null | undefined;
  /** Kind of the policy. */
  policyType?: string | null | undefined;
  /** Kind of a failure. */
  resultType?: string | null | undefined;
  /** Whether sessions failed. */
  hasFailures?: boolean | null | undefined;
  /** IP address of the server. */
  serverIp?: string | null | undefined;
  /** Kind of the violation. */
  violation?: string | null | undefined;
  /** The reason for the crash. */
  reason?: string | null | undefined;
  /** Identifier of the browser feature. */
  featureId?: string | null | undefined;
  /** The browser's name for the report type. */
  wireType?: string | null | undefined;
  /** Whether the policy was enforced or only reported. */
  action?: string | null | undefined;
  /** Host names of the page or of its equivalent for this type; `*` matches any characters. */
  hostnames?: Array<string> | null | undefined;
  /** Paths of the page; `*` matches any characters. */
  paths?: Array<string> | null | undefined;
  /** The violated directive. */
  effectiveDirective?: string | null | undefined;
  /** Host names of the blocked resource; `*` matches any characters. */
  blockedHostnames?: Array<string> | null | undefined;
  /** Paths of the blocked resource; `*` matches any characters. */
  blockedPaths?: Array<string> | null | undefined;
  /** Host names of the subresource; `*` matches any characters. */
  subresourceHostnames?: Array<string> | null | undefined;
  /** Paths of the subresource; `*` matches any characters. */
  subresourcePaths?: Array<string> | null | undefined;
  /** Hashes of the subresource. */
  subresourceHashes?: Array<string> | null | undefined;
  /** Name of the browser. */
  browser?: string | null | undefined;
  /** Name of the operating system or platform. */
  platform?: string | null | undefined;
  /** Type of the network error. */
  nelType?: string | null | undefined;
  /** Phase of the request. */
  phase?: string | null | undefined;
  /** Part of the autonomous system's organisation. */
  organisation?: string | null | undefined;
  /** Identifier of one report. */
  id?: string | null | undefined;
  /** Whether it is a certificate or a precertificate. */
  certType?: string | null | undefined;
  /** Part of the issuer's distinguished name. */
  issuer?: string | null | undefined;
  /** SHA-256 of the public key info. */
  sha256Spki?: string | null | undefined;
  /** Identifier of the CSP policy. */
  policyId?: string | null | undefined;
  /** Part of the browser's message. */
  message?: string | null | undefined;
  /** The original policy; consecutive white space counts as one space. */
  policy?: string | null | undefined;
  /** The policy-controlled feature. */
  property?: string | null | undefined;
  /** Fetch destination of the resource. */
  destination?: string | null | undefined;
  /** `true`: only matches of threat intelligence. Needs the Threat Intelligence feature. */
  ioc?: boolean | null | undefined;
  /** `true`: only algorithmically generated domains. Needs the Threat Intelligence feature. */
  generatedDomain?: boolean | null | undefined;
  /** `true`: only domains on the Suspicious watch-list. Needs the Threat Intelligence feature. */
  suspicious?: boolean | null | undefined;
  /** `true`: only newly registered domains. Needs the Threat Intelligence feature. */
  newlyRegisteredDomain?: boolean | null | undefined;
  /** Only hosts with at most this reputation score, 0 to 100. Needs the Threat Intelligence feature. */
  domainReputationScore?: number | null | undefined;
  /** `true`: only reports with any threat-intelligence signal; the individual filters are then ignored. Needs the Threat Intelligence feature. */
  anyThreatIntel?: boolean | null | undefined;
};

/** A dimension by which reports of some types can be grouped. */
export type GroupBy =
  /** The day in UTC, `YYYY-MM-DD`. */
  | 'DAY'
  /** The hour in UTC, `YYYY-MM-DDTHH`. */
  | 'HOUR'
  /** The minute in UTC, `YYYY-MM-DDTHH:MM`. */
  | 'MINUTE'
  /** The browser's name for the report type. */
  | 'WIRE_TYPE'
  /** Certificate or precertificate. */
  | 'CERT_TYPE'
  /** Distinguished name of the issuer. */
  | 'ISSUER'
  /** Kinds of failures. */
  | 'RESULT_TYPE'
  /** Kind of the policy. */
  | 'POLICY_TYPE'
  /** Result of the SPF evaluation. */
  | 'SPF'
  /** Result of the DKIM evaluation. */
  | 'DKIM'
  /** Whether the message was aligned. */
  | 'ALIGNED'
  /** Organisation that sent the report. */
  | 'REPORTER'
  /** Country of the sender's address. */
  | 'COUNTRY'
  /** The sender, as determined by its network, DKIM or SPF. */
  | 'SENDER'
  /** Organisation of the sender's autonomous system. */
  | 'SOURCE_ORGANISATION'
  /** Network of the sender's address: an IPv4 /24 or an IPv6 /48. */
  | 'SOURCE_NETWORK'
  /** IP address of the sender. */
  | 'SOURCE_IP'
  /** Domain of the From header. */
  | 'HEADER_FROM'
  /** Domain of the published policy. */
  | 'DOMAIN'
  /** Hash of the subresource. */
  | 'HASH'
  /** Address of the subresource, without its query. */
  | 'SUBRESOURCE'
  /** Host name of the subresource. */
  | 'SUBRESOURCE_HOST'
  /** Fetch destination of the resource. */
  | 'DESTINATION'
  /** Kind of the violation. */
  | 'VIOLATION'
  /** The reason for the crash. */
  | 'REASON'
  /** The browser's message. */
  | 'MESSAGE'
  /** Identifier of the feature. */
  | 'FEATURE_ID'
  /** The policy-controlled feature. */
  | 'PROPERTY'
  /** Organisation of the autonomous system. */
  | 'ORGANISATION'
  /** IP address of the server. */
  | 'SERVER_IP'
  /** Status code of the response. */
  | 'STATUS_CODE'
  /** Phase of the request. */
  | 'PHASE'
  /** Type of the network error. */
  | 'NEL_TYPE'
  /** Whether the policy was enforced; for DMARC, the receiver's handling of the message. */
  | 'DISPOSITION'
  /** Whether the policy was enforced or only reported. */
  | 'ACTION'
  /** Name of the operating system or platform. */
  | 'PLATFORM'
  /** Name of the browser. */
  | 'BROWSER'
  /** The origin of the blocked resource. */
  | 'SOURCE_CLASS'
  /** The first characters of inline code, if the policy requests them. */
  | 'SAMPLE'
  /** Address of the script that caused the report, without its query. */
  | 'SOURCE_FILE'
  /** Address of the blocked resource without its query, or the keyword or scheme that replaces it. */
  | 'BLOCKED_URI'
  /** Scheme, host and port of the blocked resource, or the keyword or scheme that replaces it. */
  | 'BLOCKED_ORIGIN'
  /** Host name of the blocked resource. */
  | 'BLOCKED_HOST'
  /** Identifier of the CSP policy. */
  | 'POLICY_ID'
  /** The violated directive. */
  | 'DIRECTIVE'
  /** Address of the page, without its query. */
  | 'PAGE'
  /** Scheme, host and port of the page. */
  | 'PAGE_ORIGIN'
  /** Path of the page. */
  | 'PAGE_PATH'
  /** Host name of the page or of its equivalent for the report type. */
  | 'PAGE_HOST';

/** The order of groups. Equal groups are ordered by their keys. */
export type GroupOrder =
  /** The largest sum of counts. */
  | 'COUNT'
  /** The most reports. */
  | 'REPORTS'
  /** The most recently seen groups first. */
  | 'LAST_SEEN'
  /** The newest groups first, by their first report. */
  | 'FIRST_SEEN'
  /** By key, ascending. */
  | 'KEY'
  /** The greatest rise of the count over the previous period of the same length first, among the 1,000 largest groups. */
  | 'RISE';

/** The subject of a Watch: scripts, data connections, frames or policies. */
export type WatchProduct =
  | 'script'
  | 'data'
  | 'frame'
  | 'policy';

/** A decision of the team. */
export type VerdictName =
  /** It belongs to the team or acts on its behalf. */
  | 'mine'
  /** It does not belong to the team but is accepted. */
  | 'accepted'
  /** It forwards mail of others, for which SPF fails. */
  | 'forwarder'
  /** It does not belong to the team and is not accepted. */
  | 'notMine';

/** On whose behalf a sender sends messages. */
export type DmarcSenderKind =
  /** The sender is yours, according to a verdict or because it sends aligned messages. */
  | 'mine'
  /** The sender forwards messages, according to a verdict or because its messages pass only by DKIM. */
  | 'forwarder'
  /** The sender is not known to be yours. */
  | 'other';

/** A reason why messages fail DMARC. */
export type DmarcFailureCause =
  /** The reports contain no signature. */
  | 'noDkim'
  /** There are signatures, but none of them passes. */
  | 'dkimFails'
  /** A signature of another domain passes. */
  | 'dkimUnaligned'
  /** The return path does not authorise the server. */
  | 'spfFails'
  /** SPF passes for the return path of another domain. */
  | 'returnPathUnaligned'
  /** The messages were forwarded: SPF of your own domain fails, or the receiver says so. */
  | 'forwarded';

/** Whether a policy can be enforced. */
export type MailReadinessState =
  /** According to the reports, none of your own mail would be lost. */
  | 'ready'
  /** Some of your own mail would be lost. First repair the senders named in `reasons`. */
  | 'repair'
  /** There are too few reports. */
  | 'wait';

/** The kind of an insight. Each kind has its own rule. */
export type InsightKind =
  /** A third-party host that was not blocked in the previous 28 days, with 5 reports within 7 days from 2 browsers, or 3 reports if threat intelligence flags it. A host that was blocked earlier counts as new again with 10 reports in a day. The insight is an incident if the host runs script or receives connections or forms on a page for payment, login or accounts, and a threat if 3 browsers report that. */
  | 'newBlockedHost'
  /** A new blocked host whose domain differs from one of the account's domains by up to 2 characters, looks the same, has another public suffix, or begins with it. */
  | 'lookAlikeHost'
  /** A host that was blocked before, and whose share of the reports is 1.5 times that of the previous week in two consecutive weeks, with 20 reports in the second one. */
  | 'growth'
  /** A script with a new hash, with 3 reports from 2 browsers. A script that changed 3 times in the previous 28 days is left out. If 3 or more scripts of a domain change within an hour, this is one insight. */
  | 'scriptChanged'
  /** A host of the account's own site that is blocked now and hardly was before, for example after a deployment. */
  | 'ownHostBlocked'
  /** New hosts that are reported together: 100 or more in a day, or 50 or more of one domain. The cause is probably an extension. */
  | 'manyNewHosts'
  /** A type, directive, page or blocked host with at least 20 reports in an hour, or a type, feature, message or crashing page with at least 10 in a day. The number must exceed 2 times the median of the same hours or of the days, and the median by 6 deviations. */
  | 'spike'
  /** A crashing page, a host outside of a connection allowlist, or the feature, message or reason of a deprecation, intervention, permissions policy violation or crash, with 5 reports and none in the previous 28 days. */
  | 'newFeature'
  /** A spike, as above, in one kind of network error on a host. Simultaneous spikes of 2 or more hosts are one insight, which names the network if 60 % of them come from it. */
  | 'networkError'
  /** A sender with 90 % of its messages aligned, until 20 more messages failed than passed. */
  | 'senderFails'
  /** A sender for which DKIM or SPF used to pass for 90 % of the messages, and now passes for less than 50 % of the messages and of the reports' rows (at least 20 messages and 3 rows), while the other check keeps the messages aligned. */
  | 'authenticationFails'
  /** A sender of at least 100 messages that sent none in the previous 28 days. */
  | 'newSender'
  /** A domain for which more than 1 % of a day's mail sessions fail: at least 20 sessions and 3 times the usual number, in 2 reports, or in one report if 10 % of the day's sessions fail. */
  | 'tlsFailures'
  /** An organisation that issued no certificate in the previous 90 days. */
  | 'newIssuer'
  /** A certificate for a host that is outside the sites of the filters or, without such sites, was in no certificate in the previous 90 days. */
  | 'unknownHostCertificate'
  /** A host or policy that no watch of the account had found before, if the watch had found nothing new for 14 days. */
  | 'newFinding'
  /** A type that arrived in nearly every hour, and is missing while 20 reports would be usual; a type or reporter that arrived daily, and is missing for 48 hours, or for 72 if it arrives by mail; a site that arrived daily, and is missing for 24 hours and 20 usual reports; or no reports at all for 30 hours. */
  | 'silence'
  /** At the current pace, the quota will not last until the end of the month. */
  | 'quota'
  /** Insights of several types that name the same host and began within an hour. */
  | 'correlated'
  /** Insights of a kind that are omitted because there are too many. */
  | 'more';

/** How urgent an insight is. */
export type InsightSeverity =
  /** A possible attack. */
  | 'threat'
  /** Something of yours fails, or somebody misuses your name. */
  | 'incident'
  /** Something has changed. */
  | 'change'
  /** For information. */
  | 'notice';

/** Whether an insight is ongoing. */
export type InsightState =
  /** It began within the last day. */
  | 'new'
  /** It began earlier and continues. */
  | 'ongoing'
  /** It continues and grows. */
  | 'escalating'
  /** It is over: there were no reports of it for a day, or for longer if its reports are rare. */
  | 'resolved';

export type AuditEventsQueryVariables = Exact<{
  limit: number;
}>;


export type AuditEventsQuery = { viewer: { auditLog: { events: Array<{ timestamp: string, event: string, message: string, loggedByEmail: string, requestIp: string }> } | null } | null };

export type CheckDmarcQueryVariables = Exact<{
  domain: string;
  policy: string;
  from: string;
}>;


export type CheckDmarcQuery = { viewer: { plan: { dataRetentionDays: number }, dmarcReplay: { messages: number, delivered: number, quarantined: number, rejected: number, uncertain: number, published: string | null, record: string, notes: Array<string>, otherSenders: number, otherRecords: number, otherCount: number, days: number, limits: Array<string>, readiness: { state: MailReadinessState, reasons: Array<string> }, senders: Array<{ sender: string, kind: DmarcSenderKind, messages: number, delivered: number, reasons: Array<{ cause: DmarcFailureCause, messages: number, domain: string | null }> }> } | null } | null };

export type CheckHostBrowsersQueryVariables = Exact<{
  site: string;
  from: string;
  hosts: Array<string> | string;
}>;


export type CheckHostBrowsersQuery = { viewer: { reportGroups: { groups: Array<{ keys: Array<{ value: string }> }> } | null } | null };

export type BrowserGroupsFragment = { groups: Array<{ keys: Array<{ value: string }> }> };

export type CheckKeywordBrowsersQueryVariables = Exact<{
  site: string;
  from: string;
}>;


export type CheckKeywordBrowsersQuery = { viewer: { reportGroups: { groups: Array<{ keys: Array<{ value: string }> }> } | null } | null };

export type CheckOverviewQueryVariables = Exact<{
  site: string;
  from: string;
}>;


export type CheckOverviewQuery = { viewer: { plan: { dataRetentionDays: number }, policyReplay: { otherCount: number, allowed: { count: number }, unknown: { count: number }, blocked: { count: number }, noise: { count: number } } | null } | null };

export type CheckReplayQueryVariables = Exact<{
  site: string;
  policy: string;
  baseline?: string | null | undefined;
  paths?: Array<string> | string | null | undefined;
  from: string;
}>;


export type CheckReplayQuery = { viewer: { policyReplay: { policy: string, otherCount: number, blocked: { count: number, pages: number, otherEffects: number, effects: Array<{ violated: string, directive: string | null, blocked: string, count: number, reports: number, pages: number, days: number, firstSeen: string | null, lastSeen: string | null, examples: Array<{ page: string, blockedUri: string }> }> }, newlyBlocked: { count: number, pages: number, otherEffects: number, effects: Array<{ violated: string, directive: string | null, blocked: string, count: number, reports: number, pages: number, days: number, firstSeen: string | null, lastSeen: string | null, examples: Array<{ page: string, blockedUri: string }> }> } | null, allowed: { count: number }, unknown: { count: number }, noise: { count: number }, unused: Array<{ directive: string, source: string }>, ignored: Array<{ directive: string, source: string }>, trial: { isWatched: boolean, since: string | null } } | null } | null };

export type CheckOutcomesFragment = { count: number, pages: number, otherEffects: number, effects: Array<{ violated: string, directive: string | null, blocked: string, count: number, reports: number, pages: number, days: number, firstSeen: string | null, lastSeen: string | null, examples: Array<{ page: string, blockedUri: string }> }> };

export type EvidenceQueryVariables = Exact<{
  site: string;
  hosts: Array<string> | string;
  paths?: Array<string> | string | null | undefined;
  from: string;
  to: string;
}>;


export type EvidenceQuery = { viewer: { loaded: { truncated: boolean, groups: Array<{ count: number, firstSeen: string, lastSeen: string, keys: Array<{ by: GroupBy, value: string }> }> } | null, element: { truncated: boolean, groups: Array<{ count: number, firstSeen: string, lastSeen: string, keys: Array<{ by: GroupBy, value: string }> }> } | null, attribute: { truncated: boolean, groups: Array<{ count: number, firstSeen: string, lastSeen: string, keys: Array<{ by: GroupBy, value: string }> }> } | null, script: { truncated: boolean, groups: Array<{ count: number, firstSeen: string, lastSeen: string, keys: Array<{ by: GroupBy, value: string }> }> } | null, loadedDays: { truncated: boolean, groups: Array<{ count: number, firstSeen: string, lastSeen: string, keys: Array<{ by: GroupBy, value: string }> }> } | null, violationDays: { truncated: boolean, groups: Array<{ count: number, firstSeen: string, lastSeen: string, keys: Array<{ by: GroupBy, value: string }> }> } | null, verdicts: Array<{ subject: string, verdict: VerdictName, owner: string | null, reason: string, decidedBy: string, decidedAt: string, expiresAt: string | null, hashes: Array<string> }>, watches: Array<{ site: string, findings: Array<
        | { policy: string, enforced: boolean, firstSeen: string, lastSeen: string }
        | Record<PropertyKey, never>
      > }> } | null };

export type SeenGroupsFragment = { truncated: boolean, groups: Array<{ count: number, firstSeen: string, lastSeen: string, keys: Array<{ by: GroupBy, value: string }> }> };

export type InsightsQueryVariables = Exact<{
  since?: string | null | undefined;
}>;


export type InsightsQuery = { viewer: { insights: Array<{ id: string, kind: InsightKind, severity: InsightSeverity, state: InsightState, title: string, detail: string, subject: string, firstSeen: string, lastSeen: string, count: number, baseline: number, link: string, query: string | null, verdict: { verdict: VerdictName } | null }> | null } | null };

export type MailQueryVariables = Exact<{
  from: string;
  first: number;
}>;


export type MailQuery = { viewer: { alignment: { otherGroups: number, totalCount: number, totalReports: number, groups: Array<{ count: number, reports: number, firstSeen: string, lastSeen: string, days: number, keys: Array<{ by: GroupBy, value: string }> }> } | null, failing: { otherGroups: number, totalCount: number, totalReports: number, groups: Array<{ count: number, reports: number, firstSeen: string, lastSeen: string, days: number, keys: Array<{ by: GroupBy, value: string }> }> } | null } | null };

export type NewFindingsQueryVariables = Exact<{
  since: string;
  first: number;
}>;


export type NewFindingsQuery = { viewer: { newFindings: { totalCount: number, otherGroups: number, groups: Array<{ product: WatchProduct, site: string, name: string, isDomain: boolean, source: string | null, findings: number, count: number, browsers: number | null, pages: number | null, days: number | null, isSensitive: boolean, firstSeen: string, lastSeen: string }> } } | null };

export type NewestReportsQueryVariables = Exact<{
  type: ReportTypeName;
  from: string;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
  first: number;
}>;


export type NewestReportsQuery = { viewer: { reports: { reports: Array<
        | { action: string, uri: string, directive: string, blockedUri: string, browser: string, date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { uri: string, nelType: string, phase: string, statusCode: number, date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { headerFrom: string, sourceIp: string, sender: string, disposition: string, aligned: boolean, date: string, count: number, id: string }
        | { domain: string, policyType: string, failedSessions: number | null, successfulSessions: number | null, date: string, count: number, id: string }
        | { commonName: string, hostnames: Array<string>, issuer: string, date: string, count: number, id: string }
        | { date: string, count: number, id: string }
        | { date: string, count: number, id: string }
      > } | null } | null };

export type PolicyEffectQueryVariables = Exact<{
  from: string;
  not: ReportFilter;
  first: number;
  policies: number;
}>;


export type PolicyEffectQuery = { viewer: { policies: Array<{ policyId: string, name: string, policy: string }>, violations: { otherGroups: number, totalCount: number, totalReports: number, groups: Array<{ count: number, reports: number, firstSeen: string, lastSeen: string, days: number, keys: Array<{ by: GroupBy, value: string }> }> } | null } | null };

export type QuotaQueryVariables = Exact<{ [key: string]: never; }>;


export type QuotaQuery = { viewer: { type: AccountType, email: string | null, teamName: string | null, plan: { name: string, status: PlanStatus, tier: PlanTier, reportQuota: number, dataRetentionDays: number }, quota: { used: number, limit: number }, usageMetrics: Array<{ type: ReportTypeName, accepted: number, filtered: number, sampled: number, rejected: number }> } | null };

export type RankedGroupsQueryVariables = Exact<{
  type: ReportTypeName;
  from: string;
  by: Array<GroupBy> | GroupBy;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
  first: number;
  orderBy?: GroupOrder | null | undefined;
}>;


export type RankedGroupsQuery = { viewer: { groups: { otherGroups: number, totalCount: number, totalReports: number, groups: Array<{ count: number, reports: number, firstSeen: string, lastSeen: string, days: number, keys: Array<{ by: GroupBy, value: string }> }> } | null } | null };

export type RankedRowsFragment = { otherGroups: number, totalCount: number, totalReports: number, groups: Array<{ count: number, reports: number, firstSeen: string, lastSeen: string, days: number, keys: Array<{ by: GroupBy, value: string }> }> };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const BrowserGroupsFragmentDoc = new TypedDocumentString(`
    fragment BrowserGroups on ReportGroups {
  groups {
    keys {
      value
    }
  }
}
    `, {"fragmentName":"BrowserGroups"}) as unknown as TypedDocumentString<BrowserGroupsFragment, unknown>;
export const CheckOutcomesFragmentDoc = new TypedDocumentString(`
    fragment CheckOutcomes on PolicyOutcomes {
  count
  pages
  otherEffects
  effects {
    violated
    directive
    blocked
    count
    reports
    pages
    days
    firstSeen
    lastSeen
    examples {
      page
      blockedUri
    }
  }
}
    `, {"fragmentName":"CheckOutcomes"}) as unknown as TypedDocumentString<CheckOutcomesFragment, unknown>;
export const SeenGroupsFragmentDoc = new TypedDocumentString(`
    fragment SeenGroups on ReportGroups {
  groups {
    keys {
      by
      value
    }
    count
    firstSeen
    lastSeen
  }
  truncated
}
    `, {"fragmentName":"SeenGroups"}) as unknown as TypedDocumentString<SeenGroupsFragment, unknown>;
export const RankedRowsFragmentDoc = new TypedDocumentString(`
    fragment RankedRows on ReportGroups {
  groups {
    keys {
      by
      value
    }
    count
    reports
    firstSeen
    lastSeen
    days
  }
  otherGroups
  totalCount
  totalReports
}
    `, {"fragmentName":"RankedRows"}) as unknown as TypedDocumentString<RankedRowsFragment, unknown>;
export const AuditEventsDocument = new TypedDocumentString(`
    query AuditEvents($limit: PageLimit!) {
  viewer {
    auditLog(limit: $limit) {
      events {
        timestamp
        event
        message
        loggedByEmail
        requestIp
      }
    }
  }
}
    `, {"hash":"3e95efa00b35651c0df6f87d941ac9a54ff90ecefe8ed48b5a87b98075f7320b"}) as unknown as TypedDocumentString<AuditEventsQuery, AuditEventsQueryVariables>;
export const CheckDmarcDocument = new TypedDocumentString(`
    query CheckDmarc($domain: HostName!, $policy: DmarcText!, $from: Instant!) {
  viewer {
    plan {
      dataRetentionDays
    }
    dmarcReplay(domain: $domain, policy: $policy, from: $from) {
      messages
      delivered
      quarantined
      rejected
      uncertain
      published
      record
      notes
      readiness {
        state
        reasons
      }
      senders {
        sender
        kind
        messages
        delivered
        reasons {
          cause
          messages
          domain
        }
      }
      otherSenders
      otherRecords
      otherCount
      days
      limits
    }
  }
}
    `, {"hash":"890e36ab9370b2ecc59bcb8392295ccdb7965a9d92ddffb8dbd8da5241b8951e"}) as unknown as TypedDocumentString<CheckDmarcQuery, CheckDmarcQueryVariables>;
export const CheckHostBrowsersDocument = new TypedDocumentString(`
    query CheckHostBrowsers($site: HostPattern!, $from: Instant!, $hosts: [HostPattern!]!) {
  viewer {
    reportGroups(
      type: csp
      from: $from
      by: [DIRECTIVE, BLOCKED_HOST, BROWSER]
      where: {hostnames: [$site], blockedHostnames: $hosts}
      first: 1000
    ) {
      ...BrowserGroups
    }
  }
}
    fragment BrowserGroups on ReportGroups {
  groups {
    keys {
      value
    }
  }
}`, {"hash":"04afc8a4361891007b6c83e697e2e063ac489a2f06c80fa7d781166face2041f"}) as unknown as TypedDocumentString<CheckHostBrowsersQuery, CheckHostBrowsersQueryVariables>;
export const CheckKeywordBrowsersDocument = new TypedDocumentString(`
    query CheckKeywordBrowsers($site: HostPattern!, $from: Instant!) {
  viewer {
    reportGroups(
      type: csp
      from: $from
      by: [DIRECTIVE, BLOCKED_ORIGIN, BROWSER]
      where: {hostnames: [$site]}
      not: {sourceClass: [extension, browser, impossible, sameOrigin, sameSite, external]}
      first: 1000
    ) {
      ...BrowserGroups
    }
  }
}
    fragment BrowserGroups on ReportGroups {
  groups {
    keys {
      value
    }
  }
}`, {"hash":"ec440bee445c47692b3227a7c78efb490210271dfcb47eb1bdcf78617af8bf4b"}) as unknown as TypedDocumentString<CheckKeywordBrowsersQuery, CheckKeywordBrowsersQueryVariables>;
export const CheckOverviewDocument = new TypedDocumentString(`
    query CheckOverview($site: HostName!, $from: Instant!) {
  viewer {
    plan {
      dataRetentionDays
    }
    policyReplay(site: $site, policy: "upgrade-insecure-requests", from: $from) {
      allowed {
        count
      }
      unknown {
        count
      }
      blocked {
        count
      }
      noise {
        count
      }
      otherCount
    }
  }
}
    `, {"hash":"4fa9660776391db19379dc60ca4ac87050a74d211270f06c89252e51e5b84d51"}) as unknown as TypedDocumentString<CheckOverviewQuery, CheckOverviewQueryVariables>;
export const CheckReplayDocument = new TypedDocumentString(`
    query CheckReplay($site: HostName!, $policy: PolicyText!, $baseline: PolicyText, $paths: [PathPattern!], $from: Instant!) {
  viewer {
    policyReplay(
      site: $site
      policy: $policy
      baseline: $baseline
      paths: $paths
      from: $from
    ) {
      policy
      blocked {
        ...CheckOutcomes
      }
      newlyBlocked {
        ...CheckOutcomes
      }
      allowed {
        count
      }
      unknown {
        count
      }
      noise {
        count
      }
      otherCount
      unused {
        directive
        source
      }
      ignored {
        directive
        source
      }
      trial {
        isWatched
        since
      }
    }
  }
}
    fragment CheckOutcomes on PolicyOutcomes {
  count
  pages
  otherEffects
  effects {
    violated
    directive
    blocked
    count
    reports
    pages
    days
    firstSeen
    lastSeen
    examples {
      page
      blockedUri
    }
  }
}`, {"hash":"564d0e05794d196a006a2b960a7c1e921a92ff11c83d8b0f3c742447a503af1f"}) as unknown as TypedDocumentString<CheckReplayQuery, CheckReplayQueryVariables>;
export const EvidenceDocument = new TypedDocumentString(`
    query Evidence($site: HostName!, $hosts: [HostPattern!]!, $paths: [PathPattern!], $from: Instant!, $to: Instant!) {
  viewer {
    loaded: reportGroups(
      type: csp_integrity
      from: $from
      to: $to
      first: 1000
      by: [SUBRESOURCE, HASH, PAGE]
      where: {hostnames: $hosts, paths: $paths}
    ) {
      ...SeenGroups
    }
    element: reportGroups(
      type: csp
      from: $from
      to: $to
      first: 1000
      by: [BLOCKED_URI, PAGE]
      where: {hostnames: $hosts, paths: $paths, effectiveDirective: "script-src-elem"}
      not: {sourceClass: [extension, browser, impossible]}
    ) {
      ...SeenGroups
    }
    attribute: reportGroups(
      type: csp
      from: $from
      to: $to
      first: 1000
      by: [BLOCKED_URI, PAGE]
      where: {hostnames: $hosts, paths: $paths, effectiveDirective: "script-src-attr"}
      not: {sourceClass: [extension, browser, impossible]}
    ) {
      ...SeenGroups
    }
    script: reportGroups(
      type: csp
      from: $from
      to: $to
      first: 1000
      by: [BLOCKED_URI, PAGE]
      where: {hostnames: $hosts, paths: $paths, effectiveDirective: "script-src"}
      not: {sourceClass: [extension, browser, impossible]}
    ) {
      ...SeenGroups
    }
    loadedDays: reportGroups(
      type: csp_integrity
      from: $from
      to: $to
      first: 1000
      by: [DAY]
      where: {hostnames: $hosts, paths: $paths}
    ) {
      ...SeenGroups
    }
    violationDays: reportGroups(
      type: csp
      from: $from
      to: $to
      first: 1000
      by: [DAY]
      where: {hostnames: $hosts, paths: $paths}
    ) {
      ...SeenGroups
    }
    verdicts(subjectKind: script, site: $site) {
      subject
      verdict
      owner
      reason
      decidedBy
      decidedAt
      expiresAt
      hashes
    }
    watches(product: policy) {
      site
      findings {
        ... on PolicyWatchFinding {
          policy
          enforced
          firstSeen
          lastSeen
        }
      }
    }
  }
}
    fragment SeenGroups on ReportGroups {
  groups {
    keys {
      by
      value
    }
    count
    firstSeen
    lastSeen
  }
  truncated
}`, {"hash":"59b3b5b3108598fd582eaaaaff68d77f05d15c664020d2061f32f14d35848c82"}) as unknown as TypedDocumentString<EvidenceQuery, EvidenceQueryVariables>;
export const InsightsDocument = new TypedDocumentString(`
    query Insights($since: Instant) {
  viewer {
    insights(since: $since) {
      id
      kind
      severity
      state
      title
      detail
      subject
      firstSeen
      lastSeen
      count
      baseline
      link
      query
      verdict {
        verdict
      }
    }
  }
}
    `, {"hash":"8e384098766a3ccf58a04a13af8d9520c4f44bf37518d0fa6882cb59c1274814"}) as unknown as TypedDocumentString<InsightsQuery, InsightsQueryVariables>;
export const MailDocument = new TypedDocumentString(`
    query Mail($from: Instant!, $first: Int!) {
  viewer {
    alignment: reportGroups(
      type: dmarc
      from: $from
      by: [HEADER_FROM, ALIGNED]
      first: $first
    ) {
      ...RankedRows
    }
    failing: reportGroups(
      type: dmarc
      from: $from
      by: [SENDER, SOURCE_IP, DISPOSITION]
      where: {aligned: false}
      first: $first
    ) {
      ...RankedRows
    }
  }
}
    fragment RankedRows on ReportGroups {
  groups {
    keys {
      by
      value
    }
    count
    reports
    firstSeen
    lastSeen
    days
  }
  otherGroups
  totalCount
  totalReports
}`, {"hash":"0746f564926c455d004a32bd7bce4bfe03ae9f7d2b7e6c55f32e7f84611d9e10"}) as unknown as TypedDocumentString<MailQuery, MailQueryVariables>;
export const NewFindingsDocument = new TypedDocumentString(`
    query NewFindings($since: Instant!, $first: Int!) {
  viewer {
    newFindings: findingGroups(since: $since, first: $first) {
      totalCount
      otherGroups
      groups {
        product
        site
        name
        isDomain
        source
        findings
        count
        browsers
        pages
        days
        isSensitive
        firstSeen
        lastSeen
      }
    }
  }
}
    `, {"hash":"325ef7fcffdad9034405f83bc46f257b15b1565d050e75d5ca848e59c8864f7f"}) as unknown as TypedDocumentString<NewFindingsQuery, NewFindingsQueryVariables>;
export const NewestReportsDocument = new TypedDocumentString(`
    query NewestReports($type: ReportTypeName!, $from: Instant!, $where: ReportFilter, $not: ReportFilter, $first: Int!) {
  viewer {
    reports(type: $type, from: $from, where: $where, not: $not, first: $first) {
      reports {
        id: recordId
        date
        count
        ... on CspReport {
          action
          uri
          directive
          blockedUri
          browser
        }
        ... on NelReport {
          uri
          nelType
          phase
          statusCode
        }
        ... on DmarcReport {
          headerFrom
          sourceIp
          sender
          disposition
          aligned
        }
        ... on TlsRptReport {
          domain
          policyType
          failedSessions
          successfulSessions
        }
        ... on CertificateTransparencyReport {
          commonName
          hostnames
          issuer
        }
      }
    }
  }
}
    `, {"hash":"45b780446eb0d9d3dff48560b1023370a4061dd9a0ed430e74f53ddeb41a4cf9"}) as unknown as TypedDocumentString<NewestReportsQuery, NewestReportsQueryVariables>;
export const PolicyEffectDocument = new TypedDocumentString(`
    query PolicyEffect($from: Instant!, $not: ReportFilter!, $first: Int!, $policies: Int!) {
  viewer {
    policies(first: $policies) {
      policyId
      name
      policy
    }
    violations: reportGroups(
      type: csp
      from: $from
      by: [ACTION, DIRECTIVE, BLOCKED_HOST]
      not: $not
      first: $first
    ) {
      ...RankedRows
    }
  }
}
    fragment RankedRows on ReportGroups {
  groups {
    keys {
      by
      value
    }
    count
    reports
    firstSeen
    lastSeen
    days
  }
  otherGroups
  totalCount
  totalReports
}`, {"hash":"e0b40af6ea4dea92da6a6b7fa11067fe99af831204ccb948d7ffc12ccba0e8d2"}) as unknown as TypedDocumentString<PolicyEffectQuery, PolicyEffectQueryVariables>;
export const QuotaDocument = new TypedDocumentString(`
    query Quota {
  viewer {
    type
    email
    teamName
    plan {
      name
      status
      tier
      reportQuota
      dataRetentionDays
    }
    quota {
      used
      limit
    }
    usageMetrics {
      type
      accepted
      filtered
      sampled
      rejected
    }
  }
}
    `, {"hash":"632b59d8f26ab4f4cdd1b82f17f2d3a61a9243d976e5951942af6f10d1bb87ce"}) as unknown as TypedDocumentString<QuotaQuery, QuotaQueryVariables>;
export const RankedGroupsDocument = new TypedDocumentString(`
    query RankedGroups($type: ReportTypeName!, $from: Instant!, $by: [GroupBy!]!, $where: ReportFilter, $not: ReportFilter, $first: Int!, $orderBy: GroupOrder = COUNT) {
  viewer {
    groups: reportGroups(
      type: $type
      from: $from
      by: $by
      where: $where
      not: $not
      first: $first
      orderBy: $orderBy
    ) {
      ...RankedRows
    }
  }
}
    fragment RankedRows on ReportGroups {
  groups {
    keys {
      by
      value
    }
    count
    reports
    firstSeen
    lastSeen
    days
  }
  otherGroups
  totalCount
  totalReports
}`, {"hash":"a005cbc316c6468252bdefc239271d288b61150f79e0a32b7f6e713759cc22f3"}) as unknown as TypedDocumentString<RankedGroupsQuery, RankedGroupsQueryVariables>;