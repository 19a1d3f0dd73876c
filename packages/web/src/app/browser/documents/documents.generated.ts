// Printed by `npm run codegen` from packages/web/src/app/browser/documents/*.graphql. Changes here are overwritten.
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

/** Unit of a period of reports. */
export type ReportUnit =
  | 'hours'
  | 'days'
  | 'months';

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

/** A source that is added to a policy. */
export type AddedSource = {
  /** The directive, such as `script-src`. */
  directive: string;
  /** The source, such as `https://cdn.example.com`. */
  source: string;
};

/** A reason to review a source before allowing it. */
export type SuggestionDoubt =
  /** Threat intelligence flags the host. */
  | 'THREAT'
  /** It was first seen in the last seven days of the period. */
  | 'NEW'
  /** One kind of browser reported it. */
  | 'ONE_BROWSER'
  /** It was reported from one page. */
  | 'ONE_PAGE'
  /** It was reported on one day. */
  | 'ONE_DAY';

/** A source that allows more than was reported. */
export type UnsafeSource =
  /** Any inline code or style. */
  | 'UNSAFE_INLINE'
  /** Code that is evaluated from any string. */
  | 'UNSAFE_EVAL'
  /** WebAssembly that is compiled from any bytes. */
  | 'WASM_UNSAFE_EVAL'
  /** Any content in a `data:` address. */
  | 'DATA'
  /** Any content that a script of the page creates. */
  | 'BLOB';

/** The subject of a Watch: scripts, data connections, frames or policies. */
export type WatchProduct =
  | 'script'
  | 'data'
  | 'frame'
  | 'policy';

/** The type of the reports that a finding comes from. */
export type FindingSource =
  | 'csp'
  | 'csp_integrity'
  | 'integrity_policy';

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

/** The effect of a failure once an MTA-STS policy is enforced. */
export type MtaStsEffect =
  /** The sender does not deliver in this session. */
  | 'refused'
  /** The sender has no policy and delivers as before. */
  | 'unprotected'
  /** MTA-STS does not change the result, as with DANE. */
  | 'none';

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

export type AccountNameQueryVariables = Exact<{
  account: string | number;
}>;


export type AccountNameQuery = { account: { email: string | null, teamName: string | null } | null };

export type AccountsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type AccountsQuery = { accounts: { nodes: Array<{ id: string, type: AccountType, email: string | null, teamName: string | null, plan: { name: string, status: PlanStatus } }>, pageInfo: { endCursor: string | null, hasNextPage: boolean } } };

export type ArrivedQueryVariables = Exact<{
  account: string | number;
  from: string;
}>;


export type ArrivedQuery = { account: { lastSevenDays: Array<{ date: string, csp: number, csp_integrity: number, integrity_policy: number, permissions_policy: number, nel: number, deprecation: number, intervention: number, crash: number, coep: number, coop: number, dmarc: number, tls_rpt: number, certificate_transparency: number, connection_allowlist: number, other: number }>, violations: { totalReports: number } | null, mail: { totalReports: number } | null, sessions: { totalReports: number } | null } | null };

export type ArrivedReportsFragment = { lastSevenDays: Array<{ date: string, csp: number, csp_integrity: number, integrity_policy: number, permissions_policy: number, nel: number, deprecation: number, intervention: number, crash: number, coep: number, coop: number, dmarc: number, tls_rpt: number, certificate_transparency: number, connection_allowlist: number, other: number }>, violations: { totalReports: number } | null, mail: { totalReports: number } | null, sessions: { totalReports: number } | null };

export type AuditQueryVariables = Exact<{
  account: string | number;
  cursor?: string | null | undefined;
  event?: string | null | undefined;
  actor?: string | null | undefined;
}>;


export type AuditQuery = { account: { auditLog: { nextCursor: string | null, events: Array<{ eventId: string, timestamp: string, event: string, message: string, loggedByEmail: string, requestIp: string }> } | null } | null };

export type BlockedQueryVariables = Exact<{
  account: string | number;
  from: string;
  where: ReportFilter;
}>;


export type BlockedQuery = { account: { reportGroups: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type FindingRowsFragment = { totalCount: number, otherGroups: number, groups: Array<{ product: WatchProduct, site: string, name: string, isDomain: boolean, source: string | null, findings: number, count: number, firstSeen: string, lastSeen: string, browsers: number | null, pages: number | null, days: number | null, isSensitive: boolean }> };

export type GroupCountsFragment = { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> };

export type GroupKeysFragment = { otherGroups: number, groups: Array<{ keys: Array<{ value: string }> }> };

export type GroupReachFragment = { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> };

export type GroupRowsFragment = { otherGroups: number, otherCount: number | null, totalCount: number, groups: Array<{ count: number, countBefore: number | null, dailyCounts: Array<number> | null, days: number, firstSeen: string, lastSeen: string, keys: Array<{ value: string, domain: string | null }> }> };

export type GroupsQueryVariables = Exact<{
  account: string | number;
  type: ReportTypeName;
  unit?: ReportUnit | null | undefined;
  date?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
  by: Array<GroupBy> | GroupBy;
  orderBy?: GroupOrder | null | undefined;
  past?: string | null | undefined;
  since?: string | null | undefined;
}>;


export type GroupsQuery = { account: { groups: { otherGroups: number, otherCount: number | null, totalCount: number, groups: Array<{ count: number, countBefore: number | null, dailyCounts: Array<number> | null, days: number, firstSeen: string, lastSeen: string, keys: Array<{ value: string, domain: string | null }> }> } | null, fresh: { otherGroups: number, groups: Array<{ keys: Array<{ value: string }> }> } | null } | null };

export type MailDomainsQueryVariables = Exact<{
  account: string | number;
  from: string;
  to?: string | null | undefined;
}>;


export type MailDomainsQuery = { account: { dmarc: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, tls: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type MailReadinessQueryVariables = Exact<{
  account: string | number;
  from: string;
}>;


export type MailReadinessQuery = { account: { mailReadiness: Array<{ domain: string, isEnforced: boolean, policy: string, readiness: { state: MailReadinessState, sendersToRepair: number } }> | null } | null };

export type OneReportQueryVariables = Exact<{
  account: string | number;
  type: ReportTypeName;
  id: string | number;
}>;


export type OneReportQuery = { account: { report:
      | { recordId: string, date: string, count: number, raw: string, action: string, uri: string, directive: string, blockedUri: string, browser: string, platform: string, generatedDomain: number, indicatorOfCompromise: number, recentlyRegisteredDomain: number, lowReputationDomain: number, policyIocHosts: Array<string>, policyConcernHosts: Array<string>, suspicious: number, sourceFile: string, lineNumber: number | null, columnNumber: number | null, sample: string, statusCode: number, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, subresourceUri: string, hash: string, destination: string, resourceType: string, indicatorOfCompromise: number, recentlyRegisteredDomain: number, lowReputationDomain: number, suspicious: number, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, action: string, blockedUri: string, destination: string, indicatorOfCompromise: number, recentlyRegisteredDomain: number, lowReputationDomain: number, suspicious: number, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, property: string, disposition: string, message: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, allowAttribute: string, srcAttribute: string, potential: boolean, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, nelType: string, phase: string, protocol: string, method: string, statusCode: number, serverIp: string, referrer: string, elapsedTime: number | null, samplingFraction: number | null, organisation: string, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, featureId: string, message: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, anticipatedRemoval: string | null, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, featureId: string, message: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, reason: string, isTopLevel: boolean | null, visibilityState: string, stack: string, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, violation: string, disposition: string, blockedUri: string, destination: string, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, violation: string, disposition: string, effectivePolicy: string, previousResponseUri: string, nextResponseUri: string, openerUri: string, openeeUri: string, otherDocumentUri: string, initialPopupUri: string, referrer: string, accessedProperty: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, domain: string, headerFrom: string, envelopeFrom: string, envelopeTo: string, sourceIp: string, sourceHostname: string, organisation: string, asn: number | null, country: string, disposition: string, dkim: string, spf: string, aligned: boolean, reporter: string, reporterEmail: string, reportId: string, generator: string, sender: string, beginDate: string | null, endDate: string | null, overrideReasons: Array<{ type: string, comment: string }>, dkimResults: Array<{ domain: string, selector: string, result: string, humanResult: string }>, spfResults: Array<{ domain: string, scope: string, result: string, humanResult: string }>, publishedPolicy: { p: string, sp: string, np: string, adkim: string, aspf: string, fo: string, pct: number | null, testing: string, discoveryMethod: string } }
      | { recordId: string, date: string, count: number, raw: string, domain: string, policyType: string, policyStrings: Array<string>, mxHosts: Array<string>, successfulSessions: number | null, failedSessions: number | null, reporter: string, contactInfo: string, reportId: string, beginDate: string | null, endDate: string | null, failureDetails: Array<{ resultType: string, failedSessions: number | null, sendingMtaIp: string, receivingIp: string, receivingMxHostname: string, receivingMxHelo: string, failureReasonCode: string, additionalInformation: string }> }
      | { recordId: string, date: string, count: number, raw: string, hostnames: Array<string>, commonName: string, certType: string, issuer: string, serialNumber: string, sha256: string, sha256Spki: string, sha256Tbs: string, notBefore: string | null, notAfter: string | null, logs: Array<{ name: string, logId: string, timestamp: string | null }> }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, connection: string, disposition: string, allowlist: Array<string>, samplingRate: number | null }
      | { recordId: string, date: string, count: number, raw: string, uri: string, browser: string, platform: string, wireType: string, samplingRate: number | null }
     | null } | null };

export type OverviewQueryVariables = Exact<{
  account: string | number;
  from: string;
  begin: string;
  end?: string | null | undefined;
  threats?: ReportFilter | null | undefined;
  noise?: ReportFilter | null | undefined;
}>;


export type OverviewQuery = { account: { plan: { name: string, dataRetentionDays: number }, quota: { used: number, limit: number }, insights: Array<{ id: string, kind: InsightKind, severity: InsightSeverity, state: InsightState, title: string, detail: string, subject: string, firstSeen: string, lastSeen: string, count: number, link: string, verdict: { verdict: VerdictName, reason: string, decidedBy: string, expiresAt: string | null } | null }> | null, insightCoverage: { types: Array<{ type: ReportTypeName, reports: number, learningUntil: string | null }> } | null, days: Array<{ date: string, csp: number, csp_integrity: number, integrity_policy: number, permissions_policy: number, nel: number, deprecation: number, intervention: number, crash: number, coep: number, coop: number, dmarc: number, tls_rpt: number, certificate_transparency: number, connection_allowlist: number, other: number }>, usageMetrics: Array<{ type: ReportTypeName, accepted: number, filtered: number, sampled: number, rejected: number }>, watches: Array<{ site: string }>, findings: { totalCount: number, otherGroups: number, groups: Array<{ product: WatchProduct, site: string, name: string, isDomain: boolean, source: string | null, findings: number, count: number, firstSeen: string, lastSeen: string, browsers: number | null, pages: number | null, days: number | null, isSensitive: boolean }> }, sources: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, newHosts: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, threats: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, mail: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, sendersNow: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, senders: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, issuers: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type PastQueryVariables = Exact<{
  account: string | number;
  type: ReportTypeName;
  past: string;
  since: string;
  end?: string | null | undefined;
  before: string;
  begin: string;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
  table0: Array<GroupBy> | GroupBy;
  table1: Array<GroupBy> | GroupBy;
  table2: Array<GroupBy> | GroupBy;
  table3: Array<GroupBy> | GroupBy;
  table4: Array<GroupBy> | GroupBy;
  hasTable0: boolean;
  hasTable1: boolean;
  hasTable2: boolean;
  hasTable3: boolean;
  hasTable4: boolean;
  orderBy?: GroupOrder | null | undefined;
  isNewAsked: boolean;
  isCompared: boolean;
}>;


export type PastQuery = { fresh?: { past: { totalReports: number } | null, table0?: { otherGroups: number, groups: Array<{ keys: Array<{ value: string }> }> } | null, table1?: { otherGroups: number, groups: Array<{ keys: Array<{ value: string }> }> } | null, table2?: { otherGroups: number, groups: Array<{ keys: Array<{ value: string }> }> } | null, table3?: { otherGroups: number, groups: Array<{ keys: Array<{ value: string }> }> } | null, table4?: { otherGroups: number, groups: Array<{ keys: Array<{ value: string }> }> } | null } | null, before?: { table0?: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, table1?: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, table2?: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, table3?: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, table4?: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type PoliciesQueryVariables = Exact<{
  account: string | number;
  from: string;
}>;


export type PoliciesQuery = { account: { policies: Array<{ policyId: string, name: string, policy: string }>, wizard: { active: boolean, policy: string }, directives: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type PolicyOutcomeFragment = { count: number, pages: number, days: number, otherEffects: number, effects: Array<{ directive: string | null, violated: string, blocked: string, source: string | null, reason: string | null, count: number, pages: number, days: number, examples: Array<{ page: string, blockedUri: string }> }> };

export type ReportTypeQueryVariables = Exact<{
  account: string | number;
  type: ReportTypeName;
  unit?: ReportUnit | null | undefined;
  date?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
  notNoise?: ReportFilter | null | undefined;
  hasNoise: boolean;
  time: Array<GroupBy> | GroupBy;
  table0: Array<GroupBy> | GroupBy;
  table1: Array<GroupBy> | GroupBy;
  table2: Array<GroupBy> | GroupBy;
  table3: Array<GroupBy> | GroupBy;
  table4: Array<GroupBy> | GroupBy;
  hasTable0: boolean;
  hasTable1: boolean;
  hasTable2: boolean;
  hasTable3: boolean;
  hasTable4: boolean;
  orderBy?: GroupOrder | null | undefined;
}>;


export type ReportTypeQuery = { account: { plan: { dataRetentionDays: number }, time: { totalReports: number, otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, table0?: { otherGroups: number, otherCount: number | null, totalCount: number, groups: Array<{ count: number, countBefore: number | null, dailyCounts: Array<number> | null, days: number, firstSeen: string, lastSeen: string, keys: Array<{ value: string, domain: string | null }> }> } | null, table1?: { otherGroups: number, otherCount: number | null, totalCount: number, groups: Array<{ count: number, countBefore: number | null, dailyCounts: Array<number> | null, days: number, firstSeen: string, lastSeen: string, keys: Array<{ value: string, domain: string | null }> }> } | null, table2?: { otherGroups: number, otherCount: number | null, totalCount: number, groups: Array<{ count: number, countBefore: number | null, dailyCounts: Array<number> | null, days: number, firstSeen: string, lastSeen: string, keys: Array<{ value: string, domain: string | null }> }> } | null, table3?: { otherGroups: number, otherCount: number | null, totalCount: number, groups: Array<{ count: number, countBefore: number | null, dailyCounts: Array<number> | null, days: number, firstSeen: string, lastSeen: string, keys: Array<{ value: string, domain: string | null }> }> } | null, table4?: { otherGroups: number, otherCount: number | null, totalCount: number, groups: Array<{ count: number, countBefore: number | null, dailyCounts: Array<number> | null, days: number, firstSeen: string, lastSeen: string, keys: Array<{ value: string, domain: string | null }> }> } | null, noise?: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type ReportsQueryVariables = Exact<{
  account: string | number;
  type: ReportTypeName;
  unit?: ReportUnit | null | undefined;
  date?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
  notNoise?: ReportFilter | null | undefined;
  hasNoise: boolean;
}>;


export type ReportsQuery = { account: { plan: { dataRetentionDays: number }, reports: { truncated: boolean, reports: Array<
        | { recordId: string, date: string, count: number, directive: string, blockedUri: string, uri: string, browser: string, action: string }
        | { recordId: string, date: string, count: number, subresourceUri: string, hash: string, uri: string, browser: string }
        | { recordId: string, date: string, count: number, blockedUri: string, destination: string, action: string, uri: string, browser: string }
        | { recordId: string, date: string, count: number, property: string, disposition: string, uri: string, browser: string, message: string }
        | { recordId: string, date: string, count: number, nelType: string, phase: string, uri: string, serverIp: string, organisation: string }
        | { recordId: string, date: string, count: number, featureId: string, anticipatedRemoval: string | null, uri: string, browser: string }
        | { recordId: string, date: string, count: number, featureId: string, uri: string, browser: string, message: string }
        | { recordId: string, date: string, count: number, reason: string, visibilityState: string, uri: string, browser: string, stack: string }
        | { recordId: string, date: string, count: number, violation: string, blockedUri: string, destination: string, uri: string, browser: string }
        | { recordId: string, date: string, count: number, violation: string, disposition: string, effectivePolicy: string, uri: string, browser: string }
        | { recordId: string, date: string, count: number, headerFrom: string, sourceIp: string, sender: string, aligned: boolean, disposition: string, reporter: string }
        | { recordId: string, date: string, count: number, domain: string, policyType: string, successfulSessions: number | null, failedSessions: number | null, reporter: string }
        | { recordId: string, date: string, count: number, commonName: string, issuer: string, certType: string, notBefore: string | null, notAfter: string | null }
        | { recordId: string, date: string, count: number, connection: string, disposition: string, uri: string, browser: string }
        | { recordId: string, date: string, count: number, wireType: string, uri: string, browser: string, raw: string }
      > } | null, noise?: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type SearchAddressesQueryVariables = Exact<{
  account: string | number;
  from: string;
  source: ReportFilter;
  server: ReportFilter;
}>;


export type SearchAddressesQuery = { account: { sourceIp_dmarc: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, serverIp_nel: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type SearchHashesQueryVariables = Exact<{
  account: string | number;
  from: string;
  hash: ReportFilter;
}>;


export type SearchHashesQuery = { account: { subresourceHashes_csp_integrity: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type SearchNamesQueryVariables = Exact<{
  account: string | number;
  from: string;
  network: ReportFilter;
  issuer: ReportFilter;
  message: ReportFilter;
  feature: ReportFilter;
  property: ReportFilter;
  reason: ReportFilter;
}>;


export type SearchNamesQuery = { account: { sender_dmarc: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, organisation_nel: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, issuer_certificate_transparency: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, message_deprecation: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, message_intervention: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, featureId_deprecation: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, featureId_intervention: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, property_permissions_policy: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, reason_crash: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type SearchPagesQueryVariables = Exact<{
  account: string | number;
  from: string;
  page: ReportFilter;
}>;


export type SearchPagesQuery = { account: { hostnames_csp: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_csp_integrity: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_integrity_policy: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_permissions_policy: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_nel: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_deprecation: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_intervention: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_crash: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_coep: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_coop: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_dmarc: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_tls_rpt: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, hostnames_certificate_transparency: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type SearchPathsQueryVariables = Exact<{
  account: string | number;
  from: string;
  path: ReportFilter;
}>;


export type SearchPathsQuery = { account: { paths_csp: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, paths_csp_integrity: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, paths_permissions_policy: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, paths_nel: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, paths_deprecation: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, paths_intervention: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, paths_crash: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type SearchReportsQueryVariables = Exact<{
  account: string | number;
  from: string;
  report: ReportFilter;
}>;


export type SearchReportsQuery = { account: { id_csp: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_csp_integrity: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_integrity_policy: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_permissions_policy: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_nel: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_deprecation: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_intervention: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_crash: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_coep: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_coop: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_dmarc: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_tls_rpt: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, id_certificate_transparency: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type SearchResourcesQueryVariables = Exact<{
  account: string | number;
  from: string;
  blocked: ReportFilter;
  resource: ReportFilter;
}>;


export type SearchResourcesQuery = { account: { blockedHostnames_csp: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, blockedHostnames_integrity_policy: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, blockedHostnames_coep: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null, subresourceHostnames_csp_integrity: { otherGroups: number, totalCount: number, groups: Array<{ count: number, days: number, firstSeen: string, keys: Array<{ value: string }> }> } | null } | null };

export type SendersQueryVariables = Exact<{
  account: string | number;
  unit?: ReportUnit | null | undefined;
  date?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
}>;


export type SendersQuery = { account: { senders: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, verdicts: Array<{ subject: string, verdict: VerdictName, reason: string, decidedBy: string, expiresAt: string | null }> } | null };

export type SessionQueryVariables = Exact<{ [key: string]: never; }>;


export type SessionQuery = { viewer: { id: string, type: AccountType, email: string | null, teamName: string | null } | null };

export type SessionsQueryVariables = Exact<{
  account: string | number;
  unit?: ReportUnit | null | undefined;
  date?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  where?: ReportFilter | null | undefined;
  not?: ReportFilter | null | undefined;
}>;


export type SessionsQuery = { account: { reports: { truncated: boolean, reports: Array<
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { date: string }
        | { domain: string, reporter: string, successfulSessions: number | null, failedSessions: number | null, date: string, failureDetails: Array<{ receivingMxHostname: string, failedSessions: number | null }> }
        | { date: string }
        | { date: string }
        | { date: string }
      > } | null } | null };

export type SetupQueryVariables = Exact<{
  account: string | number;
  from: string;
}>;


export type SetupQuery = { account: { setup: { dmarc: string, tlsRpt: string, reportUri: { enforce: string, reportOnly: string, wizard: string }, reportingApi: { endpoints: Array<{ url: string }> } } | null, lastSevenDays: Array<{ date: string, csp: number, csp_integrity: number, integrity_policy: number, permissions_policy: number, nel: number, deprecation: number, intervention: number, crash: number, coep: number, coop: number, dmarc: number, tls_rpt: number, certificate_transparency: number, connection_allowlist: number, other: number }>, violations: { totalReports: number } | null, mail: { totalReports: number } | null, sessions: { totalReports: number } | null } | null };

export type SiteNamesQueryVariables = Exact<{
  account: string | number;
  from: string;
}>;


export type SiteNamesQuery = { account: { csp: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, nel: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type SiteRowsFragment = { otherGroups: number, groups: Array<{ count: number, lastSeen: string, keys: Array<{ value: string }> }> };

export type SiteTotalsQueryVariables = Exact<{
  account: string | number;
  from: string;
  to?: string | null | undefined;
  before: string;
}>;


export type SiteTotalsQuery = { account: { csp: { otherGroups: number, groups: Array<{ count: number, lastSeen: string, keys: Array<{ value: string }> }> } | null, cspBefore: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, nel: { otherGroups: number, groups: Array<{ count: number, lastSeen: string, keys: Array<{ value: string }> }> } | null, nelBefore: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null } | null };

export type SitesQueryVariables = Exact<{
  account: string | number;
  from: string;
}>;


export type SitesQuery = { account: { sites: { otherGroups: number, totalCount: number, groups: Array<{ count: number, keys: Array<{ value: string }> }> } | null, policies: Array<{ policyId: string, name: string, policy: string }> } | null };

export type TryMailPolicyQueryVariables = Exact<{
  account: string | number;
  domain: string;
  policy: string;
  from: string;
  to?: string | null | undefined;
}>;


export type TryMailPolicyQuery = { account: { dmarcReplay: { messages: number, delivered: number, quarantined: number, rejected: number, uncertain: number, published: string | null, record: string, notes: Array<string>, otherSenders: number, otherRecords: number, otherCount: number, days: number, limits: Array<string>, actual: { delivered: number, quarantined: number, rejected: number }, readiness: { state: MailReadinessState, alignedShare: number | null, sendersToRepair: number, reasons: Array<string> }, senders: Array<{ sender: string, kind: DmarcSenderKind, needsRepair: boolean, messages: number, delivered: number, quarantined: number, rejected: number, uncertain: number, overridden: number, verdict: { verdict: VerdictName, reason: string, decidedBy: string, expiresAt: string | null } | null, reasons: Array<{ cause: DmarcFailureCause, messages: number, domain: string | null }> }> } | null } | null };

export type TryMtaStsQueryVariables = Exact<{
  account: string | number;
  domain: string;
  from: string;
  to?: string | null | undefined;
}>;


export type TryMtaStsQuery = { account: { mtaStsReplay: { mode: string, sessions: number, delivered: number, refused: number, unprotected: number, unexplained: number, withoutPolicy: number, days: number, policy: string | null, dnsRecord: string | null, limits: Array<string>, failures: Array<{ resultType: string, exchanger: string, effect: MtaStsEffect, sessions: number, reporters: number }>, readiness: { state: MailReadinessState, reasons: Array<string> } } | null } | null };

export type TryPolicyQueryVariables = Exact<{
  account: string | number;
  site: string;
  policy: string;
  add?: Array<AddedSource> | AddedSource | null | undefined;
  allow?: Array<UnsafeSource> | UnsafeSource | null | undefined;
  from: string;
}>;


export type TryPolicyQuery = { account: { policySuggestion: { otherSuggestions: number, suggestions: Array<{ directive: string, source: string, covers: Array<string>, opens: string | null, count: number, pages: number, days: number, browsers: number | null, doubts: Array<SuggestionDoubt>, firstSeen: string | null }> } | null, policyReplay: { policy: string, otherCount: number, blocked: { count: number, pages: number, days: number, otherEffects: number, effects: Array<{ directive: string | null, violated: string, blocked: string, source: string | null, reason: string | null, count: number, pages: number, days: number, examples: Array<{ page: string, blockedUri: string }> }> }, allowed: { count: number, pages: number, days: number, otherEffects: number, effects: Array<{ directive: string | null, violated: string, blocked: string, source: string | null, reason: string | null, count: number, pages: number, days: number, examples: Array<{ page: string, blockedUri: string }> }> }, unknown: { count: number, pages: number, days: number, otherEffects: number, effects: Array<{ directive: string | null, violated: string, blocked: string, source: string | null, reason: string | null, count: number, pages: number, days: number, examples: Array<{ page: string, blockedUri: string }> }> }, noise: { count: number }, unused: Array<{ directive: string, source: string }>, ignored: Array<{ directive: string, source: string }>, trial: { isWatched: boolean, since: string | null } } | null } | null };

export type VerdictWordsFragment = { verdict: VerdictName, reason: string, decidedBy: string, expiresAt: string | null };

export type WatchesQueryVariables = Exact<{
  account: string | number;
}>;


export type WatchesQuery = { account: { findings: { totalCount: number, otherGroups: number, groups: Array<{ product: WatchProduct, site: string, name: string, isDomain: boolean, source: string | null, findings: number, count: number, firstSeen: string, lastSeen: string, browsers: number | null, pages: number | null, days: number | null, isSensitive: boolean }> }, watches: Array<{ site: string, product: WatchProduct, emailAlertsEnabled: boolean, webhookEnabled: boolean, webhookTarget: string | null, alertThreshold: number, findings: Array<
        | { uri: string, count: number, firstSeen: string, lastSeen: string, source: FindingSource }
        | { policy: string, enforced: boolean, count: number, firstSeen: string, lastSeen: string }
      > }> } | null };

export type DayVolumeFragment = { date: string, csp: number, csp_integrity: number, integrity_policy: number, permissions_policy: number, nel: number, deprecation: number, intervention: number, crash: number, coep: number, coop: number, dmarc: number, tls_rpt: number, certificate_transparency: number, connection_allowlist: number, other: number };

type ReportColumns_CspReport_Fragment = { directive: string, blockedUri: string, uri: string, browser: string, action: string };

type ReportColumns_CspIntegrityReport_Fragment = { subresourceUri: string, hash: string, uri: string, browser: string };

type ReportColumns_IntegrityPolicyReport_Fragment = { blockedUri: string, destination: string, action: string, uri: string, browser: string };

type ReportColumns_PermissionsPolicyReport_Fragment = { property: string, disposition: string, uri: string, browser: string, message: string };

type ReportColumns_NelReport_Fragment = { nelType: string, phase: string, uri: string, serverIp: string, organisation: string };

type ReportColumns_DeprecationReport_Fragment = { featureId: string, anticipatedRemoval: string | null, uri: string, browser: string };

type ReportColumns_InterventionReport_Fragment = { featureId: string, uri: string, browser: string, message: string };

type ReportColumns_CrashReport_Fragment = { reason: string, visibilityState: string, uri: string, browser: string, stack: string };

type ReportColumns_CoepReport_Fragment = { violation: string, blockedUri: string, destination: string, uri: string, browser: string };

type ReportColumns_CoopReport_Fragment = { violation: string, disposition: string, effectivePolicy: string, uri: string, browser: string };

type ReportColumns_DmarcReport_Fragment = { headerFrom: string, sourceIp: string, sender: string, aligned: boolean, disposition: string, reporter: string };

type ReportColumns_TlsRptReport_Fragment = { domain: string, policyType: string, successfulSessions: number | null, failedSessions: number | null, reporter: string };

type ReportColumns_CertificateTransparencyReport_Fragment = { commonName: string, issuer: string, certType: string, notBefore: string | null, notAfter: string | null };

type ReportColumns_ConnectionAllowlistReport_Fragment = { connection: string, disposition: string, uri: string, browser: string };

type ReportColumns_OtherReport_Fragment = { wireType: string, uri: string, browser: string, raw: string };

export type ReportColumnsFragment =
  | ReportColumns_CspReport_Fragment
  | ReportColumns_CspIntegrityReport_Fragment
  | ReportColumns_IntegrityPolicyReport_Fragment
  | ReportColumns_PermissionsPolicyReport_Fragment
  | ReportColumns_NelReport_Fragment
  | ReportColumns_DeprecationReport_Fragment
  | ReportColumns_InterventionReport_Fragment
  | ReportColumns_CrashReport_Fragment
  | ReportColumns_CoepReport_Fragment
  | ReportColumns_CoopReport_Fragment
  | ReportColumns_DmarcReport_Fragment
  | ReportColumns_TlsRptReport_Fragment
  | ReportColumns_CertificateTransparencyReport_Fragment
  | ReportColumns_ConnectionAllowlistReport_Fragment
  | ReportColumns_OtherReport_Fragment
;

type ReportFields_CspReport_Fragment = { action: string, uri: string, directive: string, blockedUri: string, browser: string, platform: string, generatedDomain: number, indicatorOfCompromise: number, recentlyRegisteredDomain: number, lowReputationDomain: number, policyIocHosts: Array<string>, policyConcernHosts: Array<string>, suspicious: number, sourceFile: string, lineNumber: number | null, columnNumber: number | null, sample: string, statusCode: number, samplingRate: number | null };

type ReportFields_CspIntegrityReport_Fragment = { uri: string, browser: string, platform: string, subresourceUri: string, hash: string, destination: string, resourceType: string, indicatorOfCompromise: number, recentlyRegisteredDomain: number, lowReputationDomain: number, suspicious: number, samplingRate: number | null };

type ReportFields_IntegrityPolicyReport_Fragment = { uri: string, browser: string, platform: string, action: string, blockedUri: string, destination: string, indicatorOfCompromise: number, recentlyRegisteredDomain: number, lowReputationDomain: number, suspicious: number, samplingRate: number | null };

type ReportFields_PermissionsPolicyReport_Fragment = { uri: string, browser: string, platform: string, property: string, disposition: string, message: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, allowAttribute: string, srcAttribute: string, potential: boolean, samplingRate: number | null };

type ReportFields_NelReport_Fragment = { uri: string, browser: string, platform: string, nelType: string, phase: string, protocol: string, method: string, statusCode: number, serverIp: string, referrer: string, elapsedTime: number | null, samplingFraction: number | null, organisation: string, samplingRate: number | null };

type ReportFields_DeprecationReport_Fragment = { uri: string, browser: string, platform: string, featureId: string, message: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, anticipatedRemoval: string | null, samplingRate: number | null };

type ReportFields_InterventionReport_Fragment = { uri: string, browser: string, platform: string, featureId: string, message: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, samplingRate: number | null };

type ReportFields_CrashReport_Fragment = { uri: string, browser: string, platform: string, reason: string, isTopLevel: boolean | null, visibilityState: string, stack: string, samplingRate: number | null };

type ReportFields_CoepReport_Fragment = { uri: string, browser: string, platform: string, violation: string, disposition: string, blockedUri: string, destination: string, samplingRate: number | null };

type ReportFields_CoopReport_Fragment = { uri: string, browser: string, platform: string, violation: string, disposition: string, effectivePolicy: string, previousResponseUri: string, nextResponseUri: string, openerUri: string, openeeUri: string, otherDocumentUri: string, initialPopupUri: string, referrer: string, accessedProperty: string, sourceFile: string, lineNumber: number | null, columnNumber: number | null, samplingRate: number | null };

type ReportFields_DmarcReport_Fragment = { domain: string, headerFrom: string, envelopeFrom: string, envelopeTo: string, sourceIp: string, sourceHostname: string, organisation: string, asn: number | null, country: string, disposition: string, dkim: string, spf: string, aligned: boolean, reporter: string, reporterEmail: string, reportId: string, generator: string, sender: string, beginDate: string | null, endDate: string | null, overrideReasons: Array<{ type: string, comment: string }>, dkimResults: Array<{ domain: string, selector: string, result: string, humanResult: string }>, spfResults: Array<{ domain: string, scope: string, result: string, humanResult: string }>, publishedPolicy: { p: string, sp: string, np: string, adkim: string, aspf: string, fo: string, pct: number | null, testing: string, discoveryMethod: string } };

type ReportFields_TlsRptReport_Fragment = { domain: string, policyType: string, policyStrings: Array<string>, mxHosts: Array<string>, successfulSessions: number | null, failedSessions: number | null, reporter: string, contactInfo: string, reportId: string, beginDate: string | null, endDate: string | null, failureDetails: Array<{ resultType: string, failedSessions: number | null, sendingMtaIp: string, receivingIp: string, receivingMxHostname: string, receivingMxHelo: string, failureReasonCode: string, additionalInformation: string }> };

type ReportFields_CertificateTransparencyReport_Fragment = { hostnames: Array<string>, commonName: string, certType: string, issuer: string, serialNumber: string, sha256: string, sha256Spki: string, sha256Tbs: string, notBefore: string | null, notAfter: string | null, logs: Array<{ name: string, logId: string, timestamp: string | null }> };

type ReportFields_ConnectionAllowlistReport_Fragment = { uri: string, browser: string, platform: string, connection: string, disposition: string, allowlist: Array<string>, samplingRate: number | null };

type ReportFields_OtherReport_Fragment = { uri: string, browser: string, platform: string, wireType: string, samplingRate: number | null };

export type ReportFieldsFragment =
  | ReportFields_CspReport_Fragment
  | ReportFields_CspIntegrityReport_Fragment
  | ReportFields_IntegrityPolicyReport_Fragment
  | ReportFields_PermissionsPolicyReport_Fragment
  | ReportFields_NelReport_Fragment
  | ReportFields_DeprecationReport_Fragment
  | ReportFields_InterventionReport_Fragment
  | ReportFields_CrashReport_Fragment
  | ReportFields_CoepReport_Fragment
  | ReportFields_CoopReport_Fragment
  | ReportFields_DmarcReport_Fragment
  | ReportFields_TlsRptReport_Fragment
  | ReportFields_CertificateTransparencyReport_Fragment
  | ReportFields_ConnectionAllowlistReport_Fragment
  | ReportFields_OtherReport_Fragment
;

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
export const DayVolumeFragmentDoc = new TypedDocumentString(`
    fragment DayVolume on DayTotals {
  date
  csp
  csp_integrity
  integrity_policy
  permissions_policy
  nel
  deprecation
  intervention
  crash
  coep
  coop
  dmarc
  tls_rpt
  certificate_transparency
  connection_allowlist
  other
}
    `, {"fragmentName":"DayVolume"}) as unknown as TypedDocumentString<DayVolumeFragment, unknown>;
export const ArrivedReportsFragmentDoc = new TypedDocumentString(`
    fragment ArrivedReports on Account {
  lastSevenDays {
    ...DayVolume
  }
  violations: reportGroups(type: csp, from: $from, by: [ACTION], first: 1) {
    totalReports
  }
  mail: reportGroups(type: dmarc, from: $from, by: [ALIGNED], first: 1) {
    totalReports
  }
  sessions: reportGroups(type: tls_rpt, from: $from, by: [POLICY_TYPE], first: 1) {
    totalReports
  }
}
    fragment DayVolume on DayTotals {
  date
  csp
  csp_integrity
  integrity_policy
  permissions_policy
  nel
  deprecation
  intervention
  crash
  coep
  coop
  dmarc
  tls_rpt
  certificate_transparency
  connection_allowlist
  other
}`, {"fragmentName":"ArrivedReports"}) as unknown as TypedDocumentString<ArrivedReportsFragment, unknown>;
export const FindingRowsFragmentDoc = new TypedDocumentString(`
    fragment FindingRows on FindingGroups {
  groups {
    product
    site
    name
    isDomain
    source
    findings
    count
    firstSeen
    lastSeen
    browsers
    pages
    days
    isSensitive
  }
  totalCount
  otherGroups
}
    `, {"fragmentName":"FindingRows"}) as unknown as TypedDocumentString<FindingRowsFragment, unknown>;
export const GroupCountsFragmentDoc = new TypedDocumentString(`
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}
    `, {"fragmentName":"GroupCounts"}) as unknown as TypedDocumentString<GroupCountsFragment, unknown>;
export const GroupKeysFragmentDoc = new TypedDocumentString(`
    fragment GroupKeys on ReportGroups {
  groups {
    keys {
      value
    }
  }
  otherGroups
}
    `, {"fragmentName":"GroupKeys"}) as unknown as TypedDocumentString<GroupKeysFragment, unknown>;
export const GroupReachFragmentDoc = new TypedDocumentString(`
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}
    `, {"fragmentName":"GroupReach"}) as unknown as TypedDocumentString<GroupReachFragment, unknown>;
export const GroupRowsFragmentDoc = new TypedDocumentString(`
    fragment GroupRows on ReportGroups {
  groups {
    keys {
      value
      domain
    }
    count
    countBefore
    dailyCounts
    days
    firstSeen
    lastSeen
  }
  otherGroups
  otherCount
  totalCount
}
    `, {"fragmentName":"GroupRows"}) as unknown as TypedDocumentString<GroupRowsFragment, unknown>;
export const PolicyOutcomeFragmentDoc = new TypedDocumentString(`
    fragment PolicyOutcome on PolicyOutcomes {
  count
  pages
  days
  otherEffects
  effects {
    directive
    violated
    blocked
    source
    reason
    count
    pages
    days
    examples {
      page
      blockedUri
    }
  }
}
    `, {"fragmentName":"PolicyOutcome"}) as unknown as TypedDocumentString<PolicyOutcomeFragment, unknown>;
export const SiteRowsFragmentDoc = new TypedDocumentString(`
    fragment SiteRows on ReportGroups {
  groups {
    keys {
      value
    }
    count
    lastSeen
  }
  otherGroups
}
    `, {"fragmentName":"SiteRows"}) as unknown as TypedDocumentString<SiteRowsFragment, unknown>;
export const VerdictWordsFragmentDoc = new TypedDocumentString(`
    fragment VerdictWords on Verdict {
  verdict
  reason
  decidedBy
  expiresAt
}
    `, {"fragmentName":"VerdictWords"}) as unknown as TypedDocumentString<VerdictWordsFragment, unknown>;
export const ReportColumnsFragmentDoc = new TypedDocumentString(`
    fragment ReportColumns on Report {
  ... on CspReport {
    directive
    blockedUri
    uri
    browser
    action
  }
  ... on CspIntegrityReport {
    subresourceUri
    hash
    uri
    browser
  }
  ... on IntegrityPolicyReport {
    blockedUri
    destination
    action
    uri
    browser
  }
  ... on PermissionsPolicyReport {
    property
    disposition
    uri
    browser
    message
  }
  ... on NelReport {
    nelType
    phase
    uri
    serverIp
    organisation
  }
  ... on DeprecationReport {
    featureId
    anticipatedRemoval
    uri
    browser
  }
  ... on InterventionReport {
    featureId
    uri
    browser
    message
  }
  ... on CrashReport {
    reason
    visibilityState
    uri
    browser
    stack
  }
  ... on CoepReport {
    violation
    blockedUri
    destination
    uri
    browser
  }
  ... on CoopReport {
    violation
    disposition
    effectivePolicy
    uri
    browser
  }
  ... on DmarcReport {
    headerFrom
    sourceIp
    sender
    aligned
    disposition
    reporter
  }
  ... on TlsRptReport {
    domain
    policyType
    successfulSessions
    failedSessions
    reporter
  }
  ... on CertificateTransparencyReport {
    commonName
    issuer
    certType
    notBefore
    notAfter
  }
  ... on ConnectionAllowlistReport {
    connection
    disposition
    uri
    browser
  }
  ... on OtherReport {
    wireType
    uri
    browser
    raw
  }
}
    `, {"fragmentName":"ReportColumns"}) as unknown as TypedDocumentString<ReportColumnsFragment, unknown>;
export const ReportFieldsFragmentDoc = new TypedDocumentString(`
    fragment ReportFields on Report {
  ... on CspReport {
    action
    uri
    directive
    blockedUri
    browser
    platform
    generatedDomain
    indicatorOfCompromise
    recentlyRegisteredDomain
    lowReputationDomain
    policyIocHosts
    policyConcernHosts
    suspicious
    sourceFile
    lineNumber
    columnNumber
    sample
    statusCode
    samplingRate
  }
  ... on CspIntegrityReport {
    uri
    browser
    platform
    subresourceUri
    hash
    destination
    resourceType
    indicatorOfCompromise
    recentlyRegisteredDomain
    lowReputationDomain
    suspicious
    samplingRate
  }
  ... on IntegrityPolicyReport {
    uri
    browser
    platform
    action
    blockedUri
    destination
    indicatorOfCompromise
    recentlyRegisteredDomain
    lowReputationDomain
    suspicious
    samplingRate
  }
  ... on PermissionsPolicyReport {
    uri
    browser
    platform
    property
    disposition
    message
    sourceFile
    lineNumber
    columnNumber
    allowAttribute
    srcAttribute
    potential
    samplingRate
  }
  ... on NelReport {
    uri
    browser
    platform
    nelType
    phase
    protocol
    method
    statusCode
    serverIp
    referrer
    elapsedTime
    samplingFraction
    organisation
    samplingRate
  }
  ... on DeprecationReport {
    uri
    browser
    platform
    featureId
    message
    sourceFile
    lineNumber
    columnNumber
    anticipatedRemoval
    samplingRate
  }
  ... on InterventionReport {
    uri
    browser
    platform
    featureId
    message
    sourceFile
    lineNumber
    columnNumber
    samplingRate
  }
  ... on CrashReport {
    uri
    browser
    platform
    reason
    isTopLevel
    visibilityState
    stack
    samplingRate
  }
  ... on CoepReport {
    uri
    browser
    platform
    violation
    disposition
    blockedUri
    destination
    samplingRate
  }
  ... on CoopReport {
    uri
    browser
    platform
    violation
    disposition
    effectivePolicy
    previousResponseUri
    nextResponseUri
    openerUri
    openeeUri
    otherDocumentUri
    initialPopupUri
    referrer
    accessedProperty
    sourceFile
    lineNumber
    columnNumber
    samplingRate
  }
  ... on DmarcReport {
    domain
    headerFrom
    envelopeFrom
    envelopeTo
    sourceIp
    sourceHostname
    organisation
    asn
    country
    disposition
    dkim
    spf
    aligned
    overrideReasons {
      type
      comment
    }
    dkimResults {
      domain
      selector
      result
      humanResult
    }
    spfResults {
      domain
      scope
      result
      humanResult
    }
    publishedPolicy {
      p
      sp
      np
      adkim
      aspf
      fo
      pct
      testing
      discoveryMethod
    }
    reporter
    reporterEmail
    reportId
    generator
    sender
    beginDate
    endDate
  }
  ... on TlsRptReport {
    domain
    policyType
    policyStrings
    mxHosts
    successfulSessions
    failedSessions
    failureDetails {
      resultType
      failedSessions
      sendingMtaIp
      receivingIp
      receivingMxHostname
      receivingMxHelo
      failureReasonCode
      additionalInformation
    }
    reporter
    contactInfo
    reportId
    beginDate
    endDate
  }
  ... on CertificateTransparencyReport {
    hostnames
    commonName
    certType
    issuer
    serialNumber
    sha256
    sha256Spki
    sha256Tbs
    notBefore
    notAfter
    logs {
      name
      logId
      timestamp
    }
  }
  ... on ConnectionAllowlistReport {
    uri
    browser
    platform
    connection
    disposition
    allowlist
    samplingRate
  }
  ... on OtherReport {
    uri
    browser
    platform
    wireType
    samplingRate
  }
}
    `, {"fragmentName":"ReportFields"}) as unknown as TypedDocumentString<ReportFieldsFragment, unknown>;
export const AccountNameDocument = new TypedDocumentString(`
    query AccountName($account: ID!) {
  account(id: $account) {
    email
    teamName
  }
}
    `) as unknown as TypedDocumentString<AccountNameQuery, AccountNameQueryVariables>;
export const AccountsDocument = new TypedDocumentString(`
    query Accounts($after: String) {
  accounts(first: 100, after: $after) {
    nodes {
      id
      type
      email
      teamName
      plan {
        name
        status
      }
    }
    pageInfo {
      endCursor
      hasNextPage
    }
  }
}
    `) as unknown as TypedDocumentString<AccountsQuery, AccountsQueryVariables>;
export const ArrivedDocument = new TypedDocumentString(`
    query Arrived($account: ID!, $from: Instant!) {
  account(id: $account) {
    ...ArrivedReports
  }
}
    fragment ArrivedReports on Account {
  lastSevenDays {
    ...DayVolume
  }
  violations: reportGroups(type: csp, from: $from, by: [ACTION], first: 1) {
    totalReports
  }
  mail: reportGroups(type: dmarc, from: $from, by: [ALIGNED], first: 1) {
    totalReports
  }
  sessions: reportGroups(type: tls_rpt, from: $from, by: [POLICY_TYPE], first: 1) {
    totalReports
  }
}
fragment DayVolume on DayTotals {
  date
  csp
  csp_integrity
  integrity_policy
  permissions_policy
  nel
  deprecation
  intervention
  crash
  coep
  coop
  dmarc
  tls_rpt
  certificate_transparency
  connection_allowlist
  other
}`) as unknown as TypedDocumentString<ArrivedQuery, ArrivedQueryVariables>;
export const AuditDocument = new TypedDocumentString(`
    query Audit($account: ID!, $cursor: Cursor, $event: String, $actor: String) {
  account(id: $account) {
    auditLog(limit: 100, cursor: $cursor, event: $event, actor: $actor) {
      events {
        eventId
        timestamp
        event
        message
        loggedByEmail
        requestIp
      }
      nextCursor
    }
  }
}
    `) as unknown as TypedDocumentString<AuditQuery, AuditQueryVariables>;
export const BlockedDocument = new TypedDocumentString(`
    query Blocked($account: ID!, $from: Instant!, $where: ReportFilter!) {
  account(id: $account) {
    reportGroups(
      type: csp
      from: $from
      where: $where
      by: [BLOCKED_ORIGIN, SOURCE_CLASS]
      first: 10
    ) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<BlockedQuery, BlockedQueryVariables>;
export const GroupsDocument = new TypedDocumentString(`
    query Groups($account: ID!, $type: ReportTypeName!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant, $where: ReportFilter, $not: ReportFilter, $by: [GroupBy!]!, $orderBy: GroupOrder, $past: Instant, $since: Instant) {
  account(id: $account) {
    groups: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: $by
      orderBy: $orderBy
      first: 1000
    ) {
      ...GroupRows
    }
    fresh: reportGroups(
      type: $type
      from: $past
      to: $to
      where: $where
      not: $not
      by: $by
      orderBy: $orderBy
      firstSeenSince: $since
      first: 1000
    ) {
      ...GroupKeys
    }
  }
}
    fragment GroupKeys on ReportGroups {
  groups {
    keys {
      value
    }
  }
  otherGroups
}
fragment GroupRows on ReportGroups {
  groups {
    keys {
      value
      domain
    }
    count
    countBefore
    dailyCounts
    days
    firstSeen
    lastSeen
  }
  otherGroups
  otherCount
  totalCount
}`) as unknown as TypedDocumentString<GroupsQuery, GroupsQueryVariables>;
export const MailDomainsDocument = new TypedDocumentString(`
    query MailDomains($account: ID!, $from: Instant!, $to: Instant) {
  account(id: $account) {
    dmarc: reportGroups(type: dmarc, from: $from, to: $to, by: [DOMAIN], first: 50) {
      ...GroupCounts
    }
    tls: reportGroups(type: tls_rpt, from: $from, to: $to, by: [DOMAIN], first: 50) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<MailDomainsQuery, MailDomainsQueryVariables>;
export const MailReadinessDocument = new TypedDocumentString(`
    query MailReadiness($account: ID!, $from: Instant!) {
  account(id: $account) {
    mailReadiness(from: $from) {
      domain
      isEnforced
      policy
      readiness {
        state
        sendersToRepair
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MailReadinessQuery, MailReadinessQueryVariables>;
export const OneReportDocument = new TypedDocumentString(`
    query OneReport($account: ID!, $type: ReportTypeName!, $id: ID!) {
  account(id: $account) {
    report(type: $type, id: $id) {
      recordId
      date
      count
      raw
      ...ReportFields
    }
  }
}
    fragment ReportFields on Report {
  ... on CspReport {
    action
    uri
    directive
    blockedUri
    browser
    platform
    generatedDomain
    indicatorOfCompromise
    recentlyRegisteredDomain
    lowReputationDomain
    policyIocHosts
    policyConcernHosts
    suspicious
    sourceFile
    lineNumber
    columnNumber
    sample
    statusCode
    samplingRate
  }
  ... on CspIntegrityReport {
    uri
    browser
    platform
    subresourceUri
    hash
    destination
    resourceType
    indicatorOfCompromise
    recentlyRegisteredDomain
    lowReputationDomain
    suspicious
    samplingRate
  }
  ... on IntegrityPolicyReport {
    uri
    browser
    platform
    action
    blockedUri
    destination
    indicatorOfCompromise
    recentlyRegisteredDomain
    lowReputationDomain
    suspicious
    samplingRate
  }
  ... on PermissionsPolicyReport {
    uri
    browser
    platform
    property
    disposition
    message
    sourceFile
    lineNumber
    columnNumber
    allowAttribute
    srcAttribute
    potential
    samplingRate
  }
  ... on NelReport {
    uri
    browser
    platform
    nelType
    phase
    protocol
    method
    statusCode
    serverIp
    referrer
    elapsedTime
    samplingFraction
    organisation
    samplingRate
  }
  ... on DeprecationReport {
    uri
    browser
    platform
    featureId
    message
    sourceFile
    lineNumber
    columnNumber
    anticipatedRemoval
    samplingRate
  }
  ... on InterventionReport {
    uri
    browser
    platform
    featureId
    message
    sourceFile
    lineNumber
    columnNumber
    samplingRate
  }
  ... on CrashReport {
    uri
    browser
    platform
    reason
    isTopLevel
    visibilityState
    stack
    samplingRate
  }
  ... on CoepReport {
    uri
    browser
    platform
    violation
    disposition
    blockedUri
    destination
    samplingRate
  }
  ... on CoopReport {
    uri
    browser
    platform
    violation
    disposition
    effectivePolicy
    previousResponseUri
    nextResponseUri
    openerUri
    openeeUri
    otherDocumentUri
    initialPopupUri
    referrer
    accessedProperty
    sourceFile
    lineNumber
    columnNumber
    samplingRate
  }
  ... on DmarcReport {
    domain
    headerFrom
    envelopeFrom
    envelopeTo
    sourceIp
    sourceHostname
    organisation
    asn
    country
    disposition
    dkim
    spf
    aligned
    overrideReasons {
      type
      comment
    }
    dkimResults {
      domain
      selector
      result
      humanResult
    }
    spfResults {
      domain
      scope
      result
      humanResult
    }
    publishedPolicy {
      p
      sp
      np
      adkim
      aspf
      fo
      pct
      testing
      discoveryMethod
    }
    reporter
    reporterEmail
    reportId
    generator
    sender
    beginDate
    endDate
  }
  ... on TlsRptReport {
    domain
    policyType
    policyStrings
    mxHosts
    successfulSessions
    failedSessions
    failureDetails {
      resultType
      failedSessions
      sendingMtaIp
      receivingIp
      receivingMxHostname
      receivingMxHelo
      failureReasonCode
      additionalInformation
    }
    reporter
    contactInfo
    reportId
    beginDate
    endDate
  }
  ... on CertificateTransparencyReport {
    hostnames
    commonName
    certType
    issuer
    serialNumber
    sha256
    sha256Spki
    sha256Tbs
    notBefore
    notAfter
    logs {
      name
      logId
      timestamp
    }
  }
  ... on ConnectionAllowlistReport {
    uri
    browser
    platform
    connection
    disposition
    allowlist
    samplingRate
  }
  ... on OtherReport {
    uri
    browser
    platform
    wireType
    samplingRate
  }
}`) as unknown as TypedDocumentString<OneReportQuery, OneReportQueryVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview($account: ID!, $from: Instant!, $begin: Instant!, $end: Instant, $threats: ReportFilter, $noise: ReportFilter) {
  account(id: $account) {
    plan {
      name
      dataRetentionDays
    }
    quota {
      used
      limit
    }
    insights(since: $begin, until: $end) {
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
      link
      verdict {
        ...VerdictWords
      }
    }
    insightCoverage(since: $begin, until: $end) {
      types {
        type
        reports
        learningUntil
      }
    }
    days: dayTotals(from: $begin, to: $end) {
      ...DayVolume
    }
    usageMetrics {
      type
      accepted
      filtered
      sampled
      rejected
    }
    watches {
      site
    }
    findings: findingGroups(since: $begin, until: $end, first: 5) {
      ...FindingRows
    }
    sources: reportGroups(
      type: csp
      from: $from
      to: $end
      by: [SOURCE_CLASS]
      first: 20
    ) {
      ...GroupReach
    }
    newHosts: reportGroups(
      type: csp
      from: $from
      to: $end
      by: [BLOCKED_HOST, SOURCE_CLASS]
      not: $noise
      firstSeenSince: $begin
      first: 5
    ) {
      ...GroupReach
    }
    threats: reportGroups(
      type: csp
      from: $from
      to: $end
      by: [BLOCKED_HOST]
      where: $threats
      first: 5
    ) {
      ...GroupReach
    }
    mail: reportGroups(
      type: dmarc
      from: $from
      to: $end
      by: [DAY, ALIGNED]
      orderBy: KEY
      first: 200
    ) {
      ...GroupCounts
    }
    sendersNow: reportGroups(
      type: dmarc
      from: $begin
      to: $end
      by: [SENDER, ALIGNED]
      first: 200
    ) {
      ...GroupCounts
    }
    senders: reportGroups(
      type: dmarc
      from: $from
      to: $end
      by: [SENDER, ALIGNED]
      first: 200
    ) {
      ...GroupCounts
    }
    issuers: reportGroups(
      type: certificate_transparency
      from: $from
      to: $end
      by: [ISSUER]
      orderBy: FIRST_SEEN
      first: 20
    ) {
      ...GroupReach
    }
  }
}
    fragment FindingRows on FindingGroups {
  groups {
    product
    site
    name
    isDomain
    source
    findings
    count
    firstSeen
    lastSeen
    browsers
    pages
    days
    isSensitive
  }
  totalCount
  otherGroups
}
fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}
fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}
fragment VerdictWords on Verdict {
  verdict
  reason
  decidedBy
  expiresAt
}
fragment DayVolume on DayTotals {
  date
  csp
  csp_integrity
  integrity_policy
  permissions_policy
  nel
  deprecation
  intervention
  crash
  coep
  coop
  dmarc
  tls_rpt
  certificate_transparency
  connection_allowlist
  other
}`) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const PastDocument = new TypedDocumentString(`
    query Past($account: ID!, $type: ReportTypeName!, $past: Instant!, $since: Instant!, $end: Instant, $before: Instant!, $begin: Instant!, $where: ReportFilter, $not: ReportFilter, $table0: [GroupBy!]!, $table1: [GroupBy!]!, $table2: [GroupBy!]!, $table3: [GroupBy!]!, $table4: [GroupBy!]!, $hasTable0: Boolean!, $hasTable1: Boolean!, $hasTable2: Boolean!, $hasTable3: Boolean!, $hasTable4: Boolean!, $orderBy: GroupOrder, $isNewAsked: Boolean!, $isCompared: Boolean!) {
  fresh: account(id: $account) @include(if: $isNewAsked) {
    past: reportGroups(
      type: $type
      from: $past
      to: $begin
      where: $where
      not: $not
      by: $table0
      first: 1
    ) {
      totalReports
    }
    table0: reportGroups(
      type: $type
      from: $past
      to: $end
      where: $where
      not: $not
      by: $table0
      orderBy: $orderBy
      firstSeenSince: $since
      first: 15
    ) @include(if: $hasTable0) {
      ...GroupKeys
    }
    table1: reportGroups(
      type: $type
      from: $past
      to: $end
      where: $where
      not: $not
      by: $table1
      orderBy: $orderBy
      firstSeenSince: $since
      first: 15
    ) @include(if: $hasTable1) {
      ...GroupKeys
    }
    table2: reportGroups(
      type: $type
      from: $past
      to: $end
      where: $where
      not: $not
      by: $table2
      orderBy: $orderBy
      firstSeenSince: $since
      first: 15
    ) @include(if: $hasTable2) {
      ...GroupKeys
    }
    table3: reportGroups(
      type: $type
      from: $past
      to: $end
      where: $where
      not: $not
      by: $table3
      orderBy: $orderBy
      firstSeenSince: $since
      first: 15
    ) @include(if: $hasTable3) {
      ...GroupKeys
    }
    table4: reportGroups(
      type: $type
      from: $past
      to: $end
      where: $where
      not: $not
      by: $table4
      orderBy: $orderBy
      firstSeenSince: $since
      first: 15
    ) @include(if: $hasTable4) {
      ...GroupKeys
    }
  }
  before: account(id: $account) @include(if: $isCompared) {
    table0: reportGroups(
      type: $type
      from: $before
      to: $begin
      where: $where
      not: $not
      by: $table0
      first: 1000
    ) @include(if: $hasTable0) {
      ...GroupCounts
    }
    table1: reportGroups(
      type: $type
      from: $before
      to: $begin
      where: $where
      not: $not
      by: $table1
      first: 1000
    ) @include(if: $hasTable1) {
      ...GroupCounts
    }
    table2: reportGroups(
      type: $type
      from: $before
      to: $begin
      where: $where
      not: $not
      by: $table2
      first: 1000
    ) @include(if: $hasTable2) {
      ...GroupCounts
    }
    table3: reportGroups(
      type: $type
      from: $before
      to: $begin
      where: $where
      not: $not
      by: $table3
      first: 1000
    ) @include(if: $hasTable3) {
      ...GroupCounts
    }
    table4: reportGroups(
      type: $type
      from: $before
      to: $begin
      where: $where
      not: $not
      by: $table4
      first: 1000
    ) @include(if: $hasTable4) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}
fragment GroupKeys on ReportGroups {
  groups {
    keys {
      value
    }
  }
  otherGroups
}`) as unknown as TypedDocumentString<PastQuery, PastQueryVariables>;
export const PoliciesDocument = new TypedDocumentString(`
    query Policies($account: ID!, $from: Instant!) {
  account(id: $account) {
    policies {
      policyId
      name
      policy
    }
    wizard {
      active
      policy
    }
    directives: reportGroups(
      type: csp
      from: $from
      by: [POLICY_ID, DIRECTIVE]
      first: 1000
    ) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<PoliciesQuery, PoliciesQueryVariables>;
export const ReportTypeDocument = new TypedDocumentString(`
    query ReportType($account: ID!, $type: ReportTypeName!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant, $where: ReportFilter, $not: ReportFilter, $notNoise: ReportFilter, $hasNoise: Boolean!, $time: [GroupBy!]!, $table0: [GroupBy!]!, $table1: [GroupBy!]!, $table2: [GroupBy!]!, $table3: [GroupBy!]!, $table4: [GroupBy!]!, $hasTable0: Boolean!, $hasTable1: Boolean!, $hasTable2: Boolean!, $hasTable3: Boolean!, $hasTable4: Boolean!, $orderBy: GroupOrder) {
  account(id: $account) {
    plan {
      dataRetentionDays
    }
    time: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: $time
      orderBy: KEY
      first: 1000
    ) {
      ...GroupCounts
      totalReports
    }
    table0: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: $table0
      orderBy: $orderBy
      first: 15
    ) @include(if: $hasTable0) {
      ...GroupRows
    }
    table1: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: $table1
      orderBy: $orderBy
      first: 15
    ) @include(if: $hasTable1) {
      ...GroupRows
    }
    table2: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: $table2
      orderBy: $orderBy
      first: 15
    ) @include(if: $hasTable2) {
      ...GroupRows
    }
    table3: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: $table3
      orderBy: $orderBy
      first: 15
    ) @include(if: $hasTable3) {
      ...GroupRows
    }
    table4: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: $table4
      orderBy: $orderBy
      first: 15
    ) @include(if: $hasTable4) {
      ...GroupRows
    }
    noise: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $notNoise
      by: [SOURCE_CLASS]
      first: 20
    ) @include(if: $hasNoise) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}
fragment GroupRows on ReportGroups {
  groups {
    keys {
      value
      domain
    }
    count
    countBefore
    dailyCounts
    days
    firstSeen
    lastSeen
  }
  otherGroups
  otherCount
  totalCount
}`) as unknown as TypedDocumentString<ReportTypeQuery, ReportTypeQueryVariables>;
export const ReportsDocument = new TypedDocumentString(`
    query Reports($account: ID!, $type: ReportTypeName!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant, $where: ReportFilter, $not: ReportFilter, $notNoise: ReportFilter, $hasNoise: Boolean!) {
  account(id: $account) {
    plan {
      dataRetentionDays
    }
    reports(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
    ) {
      reports {
        recordId
        date
        count
        ...ReportColumns
      }
      truncated
    }
    noise: reportGroups(
      type: $type
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $notNoise
      by: [SOURCE_CLASS]
      first: 20
    ) @include(if: $hasNoise) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}
fragment ReportColumns on Report {
  ... on CspReport {
    directive
    blockedUri
    uri
    browser
    action
  }
  ... on CspIntegrityReport {
    subresourceUri
    hash
    uri
    browser
  }
  ... on IntegrityPolicyReport {
    blockedUri
    destination
    action
    uri
    browser
  }
  ... on PermissionsPolicyReport {
    property
    disposition
    uri
    browser
    message
  }
  ... on NelReport {
    nelType
    phase
    uri
    serverIp
    organisation
  }
  ... on DeprecationReport {
    featureId
    anticipatedRemoval
    uri
    browser
  }
  ... on InterventionReport {
    featureId
    uri
    browser
    message
  }
  ... on CrashReport {
    reason
    visibilityState
    uri
    browser
    stack
  }
  ... on CoepReport {
    violation
    blockedUri
    destination
    uri
    browser
  }
  ... on CoopReport {
    violation
    disposition
    effectivePolicy
    uri
    browser
  }
  ... on DmarcReport {
    headerFrom
    sourceIp
    sender
    aligned
    disposition
    reporter
  }
  ... on TlsRptReport {
    domain
    policyType
    successfulSessions
    failedSessions
    reporter
  }
  ... on CertificateTransparencyReport {
    commonName
    issuer
    certType
    notBefore
    notAfter
  }
  ... on ConnectionAllowlistReport {
    connection
    disposition
    uri
    browser
  }
  ... on OtherReport {
    wireType
    uri
    browser
    raw
  }
}`) as unknown as TypedDocumentString<ReportsQuery, ReportsQueryVariables>;
export const SearchAddressesDocument = new TypedDocumentString(`
    query SearchAddresses($account: ID!, $from: Instant!, $source: ReportFilter!, $server: ReportFilter!) {
  account(id: $account) {
    sourceIp_dmarc: reportGroups(
      type: dmarc
      from: $from
      where: $source
      by: [SOURCE_IP]
      first: 10
    ) {
      ...GroupReach
    }
    serverIp_nel: reportGroups(
      type: nel
      from: $from
      where: $server
      by: [SERVER_IP]
      first: 10
    ) {
      ...GroupReach
    }
  }
}
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SearchAddressesQuery, SearchAddressesQueryVariables>;
export const SearchHashesDocument = new TypedDocumentString(`
    query SearchHashes($account: ID!, $from: Instant!, $hash: ReportFilter!) {
  account(id: $account) {
    subresourceHashes_csp_integrity: reportGroups(
      type: csp_integrity
      from: $from
      where: $hash
      by: [HASH]
      first: 10
    ) {
      ...GroupReach
    }
  }
}
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SearchHashesQuery, SearchHashesQueryVariables>;
export const SearchNamesDocument = new TypedDocumentString(`
    query SearchNames($account: ID!, $from: Instant!, $network: ReportFilter!, $issuer: ReportFilter!, $message: ReportFilter!, $feature: ReportFilter!, $property: ReportFilter!, $reason: ReportFilter!) {
  account(id: $account) {
    sender_dmarc: reportGroups(
      type: dmarc
      from: $from
      where: $network
      by: [SENDER]
      first: 10
    ) {
      ...GroupReach
    }
    organisation_nel: reportGroups(
      type: nel
      from: $from
      where: $network
      by: [ORGANISATION]
      first: 10
    ) {
      ...GroupReach
    }
    issuer_certificate_transparency: reportGroups(
      type: certificate_transparency
      from: $from
      where: $issuer
      by: [ISSUER]
      first: 10
    ) {
      ...GroupReach
    }
    message_deprecation: reportGroups(
      type: deprecation
      from: $from
      where: $message
      by: [MESSAGE]
      first: 10
    ) {
      ...GroupReach
    }
    message_intervention: reportGroups(
      type: intervention
      from: $from
      where: $message
      by: [MESSAGE]
      first: 10
    ) {
      ...GroupReach
    }
    featureId_deprecation: reportGroups(
      type: deprecation
      from: $from
      where: $feature
      by: [FEATURE_ID]
      first: 10
    ) {
      ...GroupReach
    }
    featureId_intervention: reportGroups(
      type: intervention
      from: $from
      where: $feature
      by: [FEATURE_ID]
      first: 10
    ) {
      ...GroupReach
    }
    property_permissions_policy: reportGroups(
      type: permissions_policy
      from: $from
      where: $property
      by: [PROPERTY]
      first: 10
    ) {
      ...GroupReach
    }
    reason_crash: reportGroups(
      type: crash
      from: $from
      where: $reason
      by: [REASON]
      first: 10
    ) {
      ...GroupReach
    }
  }
}
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SearchNamesQuery, SearchNamesQueryVariables>;
export const SearchPagesDocument = new TypedDocumentString(`
    query SearchPages($account: ID!, $from: Instant!, $page: ReportFilter!) {
  account(id: $account) {
    hostnames_csp: reportGroups(
      type: csp
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_csp_integrity: reportGroups(
      type: csp_integrity
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_integrity_policy: reportGroups(
      type: integrity_policy
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_permissions_policy: reportGroups(
      type: permissions_policy
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_nel: reportGroups(
      type: nel
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_deprecation: reportGroups(
      type: deprecation
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_intervention: reportGroups(
      type: intervention
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_crash: reportGroups(
      type: crash
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_coep: reportGroups(
      type: coep
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_coop: reportGroups(
      type: coop
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_dmarc: reportGroups(
      type: dmarc
      from: $from
      where: $page
      by: [HEADER_FROM]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_tls_rpt: reportGroups(
      type: tls_rpt
      from: $from
      where: $page
      by: [DOMAIN]
      first: 10
    ) {
      ...GroupReach
    }
    hostnames_certificate_transparency: reportGroups(
      type: certificate_transparency
      from: $from
      where: $page
      by: [PAGE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
  }
}
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SearchPagesQuery, SearchPagesQueryVariables>;
export const SearchPathsDocument = new TypedDocumentString(`
    query SearchPaths($account: ID!, $from: Instant!, $path: ReportFilter!) {
  account(id: $account) {
    paths_csp: reportGroups(
      type: csp
      from: $from
      where: $path
      by: [PAGE_PATH]
      first: 10
    ) {
      ...GroupReach
    }
    paths_csp_integrity: reportGroups(
      type: csp_integrity
      from: $from
      where: $path
      by: [PAGE_PATH]
      first: 10
    ) {
      ...GroupReach
    }
    paths_permissions_policy: reportGroups(
      type: permissions_policy
      from: $from
      where: $path
      by: [PAGE_PATH]
      first: 10
    ) {
      ...GroupReach
    }
    paths_nel: reportGroups(
      type: nel
      from: $from
      where: $path
      by: [PAGE_PATH]
      first: 10
    ) {
      ...GroupReach
    }
    paths_deprecation: reportGroups(
      type: deprecation
      from: $from
      where: $path
      by: [PAGE_PATH]
      first: 10
    ) {
      ...GroupReach
    }
    paths_intervention: reportGroups(
      type: intervention
      from: $from
      where: $path
      by: [PAGE_PATH]
      first: 10
    ) {
      ...GroupReach
    }
    paths_crash: reportGroups(
      type: crash
      from: $from
      where: $path
      by: [PAGE_PATH]
      first: 10
    ) {
      ...GroupReach
    }
  }
}
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SearchPathsQuery, SearchPathsQueryVariables>;
export const SearchReportsDocument = new TypedDocumentString(`
    query SearchReports($account: ID!, $from: Instant!, $report: ReportFilter!) {
  account(id: $account) {
    id_csp: reportGroups(
      type: csp
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_csp_integrity: reportGroups(
      type: csp_integrity
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_integrity_policy: reportGroups(
      type: integrity_policy
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_permissions_policy: reportGroups(
      type: permissions_policy
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_nel: reportGroups(
      type: nel
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_deprecation: reportGroups(
      type: deprecation
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_intervention: reportGroups(
      type: intervention
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_crash: reportGroups(
      type: crash
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_coep: reportGroups(
      type: coep
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_coop: reportGroups(
      type: coop
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_dmarc: reportGroups(
      type: dmarc
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_tls_rpt: reportGroups(
      type: tls_rpt
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
    id_certificate_transparency: reportGroups(
      type: certificate_transparency
      from: $from
      where: $report
      by: [DAY]
      first: 1
    ) {
      ...GroupReach
    }
  }
}
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SearchReportsQuery, SearchReportsQueryVariables>;
export const SearchResourcesDocument = new TypedDocumentString(`
    query SearchResources($account: ID!, $from: Instant!, $blocked: ReportFilter!, $resource: ReportFilter!) {
  account(id: $account) {
    blockedHostnames_csp: reportGroups(
      type: csp
      from: $from
      where: $blocked
      by: [BLOCKED_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    blockedHostnames_integrity_policy: reportGroups(
      type: integrity_policy
      from: $from
      where: $blocked
      by: [BLOCKED_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    blockedHostnames_coep: reportGroups(
      type: coep
      from: $from
      where: $blocked
      by: [BLOCKED_HOST]
      first: 10
    ) {
      ...GroupReach
    }
    subresourceHostnames_csp_integrity: reportGroups(
      type: csp_integrity
      from: $from
      where: $resource
      by: [SUBRESOURCE_HOST]
      first: 10
    ) {
      ...GroupReach
    }
  }
}
    fragment GroupReach on ReportGroups {
  groups {
    keys {
      value
    }
    count
    days
    firstSeen
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SearchResourcesQuery, SearchResourcesQueryVariables>;
export const SendersDocument = new TypedDocumentString(`
    query Senders($account: ID!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant, $where: ReportFilter, $not: ReportFilter) {
  account(id: $account) {
    senders: reportGroups(
      type: dmarc
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
      by: [SENDER, DKIM, SPF]
      first: 1000
    ) {
      ...GroupCounts
    }
    verdicts(subjectKind: sender, current: true) {
      subject
      ...VerdictWords
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}
fragment VerdictWords on Verdict {
  verdict
  reason
  decidedBy
  expiresAt
}`) as unknown as TypedDocumentString<SendersQuery, SendersQueryVariables>;
export const SessionDocument = new TypedDocumentString(`
    query Session {
  viewer {
    id
    type
    email
    teamName
  }
}
    `) as unknown as TypedDocumentString<SessionQuery, SessionQueryVariables>;
export const SessionsDocument = new TypedDocumentString(`
    query Sessions($account: ID!, $unit: ReportUnit, $date: PeriodDate, $from: Instant, $to: Instant, $where: ReportFilter, $not: ReportFilter) {
  account(id: $account) {
    reports(
      type: tls_rpt
      unit: $unit
      date: $date
      from: $from
      to: $to
      where: $where
      not: $not
    ) {
      reports {
        date
        ... on TlsRptReport {
          domain
          reporter
          failureDetails {
            receivingMxHostname
            failedSessions
          }
          successfulSessions
          failedSessions
        }
      }
      truncated
    }
  }
}
    `) as unknown as TypedDocumentString<SessionsQuery, SessionsQueryVariables>;
export const SetupDocument = new TypedDocumentString(`
    query Setup($account: ID!, $from: Instant!) {
  account(id: $account) {
    ...ArrivedReports
    setup {
      reportUri {
        enforce
        reportOnly
        wizard
      }
      reportingApi {
        endpoints {
          url
        }
      }
      dmarc
      tlsRpt
    }
  }
}
    fragment ArrivedReports on Account {
  lastSevenDays {
    ...DayVolume
  }
  violations: reportGroups(type: csp, from: $from, by: [ACTION], first: 1) {
    totalReports
  }
  mail: reportGroups(type: dmarc, from: $from, by: [ALIGNED], first: 1) {
    totalReports
  }
  sessions: reportGroups(type: tls_rpt, from: $from, by: [POLICY_TYPE], first: 1) {
    totalReports
  }
}
fragment DayVolume on DayTotals {
  date
  csp
  csp_integrity
  integrity_policy
  permissions_policy
  nel
  deprecation
  intervention
  crash
  coep
  coop
  dmarc
  tls_rpt
  certificate_transparency
  connection_allowlist
  other
}`) as unknown as TypedDocumentString<SetupQuery, SetupQueryVariables>;
export const SiteNamesDocument = new TypedDocumentString(`
    query SiteNames($account: ID!, $from: Instant!) {
  account(id: $account) {
    csp: reportGroups(type: csp, from: $from, by: [PAGE_HOST], first: 50) {
      ...GroupCounts
    }
    nel: reportGroups(type: nel, from: $from, by: [PAGE_HOST], first: 50) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SiteNamesQuery, SiteNamesQueryVariables>;
export const SiteTotalsDocument = new TypedDocumentString(`
    query SiteTotals($account: ID!, $from: Instant!, $to: Instant, $before: Instant!) {
  account(id: $account) {
    csp: reportGroups(type: csp, from: $from, to: $to, by: [PAGE_HOST], first: 200) {
      ...SiteRows
    }
    cspBefore: reportGroups(
      type: csp
      from: $before
      to: $from
      by: [PAGE_HOST]
      first: 1000
    ) {
      ...GroupCounts
    }
    nel: reportGroups(type: nel, from: $from, to: $to, by: [PAGE_HOST], first: 200) {
      ...SiteRows
    }
    nelBefore: reportGroups(
      type: nel
      from: $before
      to: $from
      by: [PAGE_HOST]
      first: 1000
    ) {
      ...GroupCounts
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}
fragment SiteRows on ReportGroups {
  groups {
    keys {
      value
    }
    count
    lastSeen
  }
  otherGroups
}`) as unknown as TypedDocumentString<SiteTotalsQuery, SiteTotalsQueryVariables>;
export const SitesDocument = new TypedDocumentString(`
    query Sites($account: ID!, $from: Instant!) {
  account(id: $account) {
    sites: reportGroups(type: csp, from: $from, by: [PAGE_HOST], first: 50) {
      ...GroupCounts
    }
    policies {
      policyId
      name
      policy
    }
  }
}
    fragment GroupCounts on ReportGroups {
  groups {
    keys {
      value
    }
    count
  }
  otherGroups
  totalCount
}`) as unknown as TypedDocumentString<SitesQuery, SitesQueryVariables>;
export const TryMailPolicyDocument = new TypedDocumentString(`
    query TryMailPolicy($account: ID!, $domain: HostName!, $policy: DmarcText!, $from: Instant!, $to: Instant) {
  account(id: $account) {
    dmarcReplay(domain: $domain, policy: $policy, from: $from, to: $to) {
      messages
      delivered
      quarantined
      rejected
      uncertain
      published
      record
      notes
      actual {
        delivered
        quarantined
        rejected
      }
      readiness {
        state
        alignedShare
        sendersToRepair
        reasons
      }
      senders {
        sender
        kind
        needsRepair
        verdict {
          ...VerdictWords
        }
        messages
        delivered
        quarantined
        rejected
        uncertain
        overridden
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
    fragment VerdictWords on Verdict {
  verdict
  reason
  decidedBy
  expiresAt
}`) as unknown as TypedDocumentString<TryMailPolicyQuery, TryMailPolicyQueryVariables>;
export const TryMtaStsDocument = new TypedDocumentString(`
    query TryMtaSts($account: ID!, $domain: HostName!, $from: Instant!, $to: Instant) {
  account(id: $account) {
    mtaStsReplay(domain: $domain, from: $from, to: $to) {
      mode
      sessions
      delivered
      refused
      unprotected
      unexplained
      withoutPolicy
      days
      failures {
        resultType
        exchanger
        effect
        sessions
        reporters
      }
      policy
      dnsRecord
      readiness {
        state
        reasons
      }
      limits
    }
  }
}
    `) as unknown as TypedDocumentString<TryMtaStsQuery, TryMtaStsQueryVariables>;
export const TryPolicyDocument = new TypedDocumentString(`
    query TryPolicy($account: ID!, $site: HostName!, $policy: PolicyText!, $add: [AddedSource!], $allow: [UnsafeSource!], $from: Instant!) {
  account(id: $account) {
    policySuggestion(site: $site, baseline: $policy, allow: $allow, from: $from) {
      suggestions {
        directive
        source
        covers
        opens
        count
        pages
        days
        browsers
        doubts
        firstSeen
      }
      otherSuggestions
    }
    policyReplay(site: $site, policy: $policy, add: $add, from: $from) {
      policy
      blocked {
        ...PolicyOutcome
      }
      allowed {
        ...PolicyOutcome
      }
      unknown {
        ...PolicyOutcome
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
    fragment PolicyOutcome on PolicyOutcomes {
  count
  pages
  days
  otherEffects
  effects {
    directive
    violated
    blocked
    source
    reason
    count
    pages
    days
    examples {
      page
      blockedUri
    }
  }
}`) as unknown as TypedDocumentString<TryPolicyQuery, TryPolicyQueryVariables>;
export const WatchesDocument = new TypedDocumentString(`
    query Watches($account: ID!) {
  account(id: $account) {
    findings: findingGroups(first: 1000) {
      ...FindingRows
    }
    watches {
      site
      product
      emailAlertsEnabled
      webhookEnabled
      webhookTarget
      alertThreshold
      findings(first: 1000) {
        ... on WatchFinding {
          uri
          count
          firstSeen
          lastSeen
          source
        }
        ... on PolicyWatchFinding {
          policy
          enforced
          count
          firstSeen
          lastSeen
        }
      }
    }
  }
}
    fragment FindingRows on FindingGroups {
  groups {
    product
    site
    name
    isDomain
    source
    findings
    count
    firstSeen
    lastSeen
    browsers
    pages
    days
    isSensitive
  }
  totalCount
  otherGroups
}`) as unknown as TypedDocumentString<WatchesQuery, WatchesQueryVariables>;