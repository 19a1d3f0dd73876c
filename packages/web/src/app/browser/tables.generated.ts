// Printed by `npm run codegen` from sql/report. Changes here are overwritten.
import type { GroupBy, ReportTypeName } from './documents/documents.generated.ts';

/** The fields of the tables of a view. */
export const TABLES = [
 "table0",
 "table1",
 "table2",
 "table3",
 "table4"
] as const;
export type Table = (typeof TABLES)[number];

/** The source classes that say nothing about a site. */
export const NOISE = [
 "extension",
 "browser",
 "impossible"
] as const;
export const isNoise = (name: string): boolean => (NOISE as readonly string[]).includes(name);

export type FilterKind = 'list' | 'number' | 'text' | 'yesNo';

/** The kinds of filters that take no text. */
export const FILTER_KINDS: Readonly<Record<string, FilterKind>> = {
 "hostnames": "list",
 "paths": "list",
 "blockedHostnames": "list",
 "blockedPaths": "list",
 "ioc": "yesNo",
 "generatedDomain": "yesNo",
 "suspicious": "yesNo",
 "newlyRegisteredDomain": "yesNo",
 "domainReputationScore": "number",
 "anyThreatIntel": "yesNo",
 "sourceClass": "list",
 "subresourceHostnames": "list",
 "subresourcePaths": "list",
 "subresourceHashes": "list",
 "aligned": "yesNo",
 "hasFailures": "yesNo"
};

/** The filters of each type. */
export const FILTERS_BY_TYPE: Readonly<Record<ReportTypeName, readonly string[]>> = {
 "csp": [
  "action",
  "hostnames",
  "paths",
  "effectiveDirective",
  "blockedHostnames",
  "blockedPaths",
  "browser",
  "platform",
  "id",
  "policyId",
  "policy",
  "ioc",
  "generatedDomain",
  "suspicious",
  "newlyRegisteredDomain",
  "domainReputationScore",
  "anyThreatIntel",
  "sourceClass"
 ],
 "csp_integrity": [
  "hostnames",
  "paths",
  "subresourceHostnames",
  "subresourcePaths",
  "subresourceHashes",
  "browser",
  "platform",
  "id",
  "destination",
  "ioc",
  "suspicious",
  "newlyRegisteredDomain",
  "domainReputationScore",
  "anyThreatIntel"
 ],
 "integrity_policy": [
  "action",
  "hostnames",
  "paths",
  "blockedHostnames",
  "blockedPaths",
  "browser",
  "platform",
  "id",
  "destination",
  "ioc",
  "suspicious",
  "newlyRegisteredDomain",
  "domainReputationScore",
  "anyThreatIntel",
  "sourceClass"
 ],
 "permissions_policy": [
  "hostnames",
  "paths",
  "browser",
  "platform",
  "disposition",
  "id",
  "property"
 ],
 "nel": [
  "hostnames",
  "paths",
  "browser",
  "platform",
  "nelType",
  "phase",
  "organisation",
  "id",
  "serverIp"
 ],
 "deprecation": [
  "hostnames",
  "paths",
  "browser",
  "platform",
  "id",
  "message",
  "featureId"
 ],
 "intervention": [
  "hostnames",
  "paths",
  "browser",
  "platform",
  "id",
  "message",
  "featureId"
 ],
 "crash": [
  "hostnames",
  "paths",
  "browser",
  "platform",
  "id",
  "reason"
 ],
 "coep": [
  "hostnames",
  "paths",
  "blockedHostnames",
  "blockedPaths",
  "browser",
  "platform",
  "disposition",
  "id",
  "destination",
  "sourceClass",
  "violation"
 ],
 "coop": [
  "hostnames",
  "paths",
  "browser",
  "platform",
  "disposition",
  "id",
  "violation"
 ],
 "dmarc": [
  "hostnames",
  "organisation",
  "id",
  "aligned",
  "disposition",
  "dkim",
  "spf",
  "sender",
  "sourceIp",
  "sourceNetwork",
  "reporter"
 ],
 "tls_rpt": [
  "hostnames",
  "id",
  "reporter",
  "policyType",
  "resultType",
  "hasFailures"
 ],
 "certificate_transparency": [
  "hostnames",
  "id",
  "certType",
  "issuer",
  "sha256Spki"
 ],
 "connection_allowlist": [
  "hostnames",
  "paths",
  "blockedHostnames",
  "blockedPaths",
  "browser",
  "platform",
  "disposition",
  "id",
  "sourceClass"
 ],
 "other": [
  "hostnames",
  "paths",
  "browser",
  "platform",
  "id",
  "wireType"
 ]
};

/** The field of reports that a dimension groups by. */
export const FIELDS_BY_GROUP: Readonly<Record<GroupBy, string>> = {
 "PAGE_HOST": "pageHost",
 "PAGE_PATH": "pagePath",
 "PAGE_ORIGIN": "pageOrigin",
 "PAGE": "page",
 "DIRECTIVE": "directive",
 "POLICY_ID": "policyId",
 "BLOCKED_HOST": "blockedHost",
 "BLOCKED_ORIGIN": "blockedOrigin",
 "BLOCKED_URI": "blockedUri",
 "SOURCE_FILE": "sourceFile",
 "SAMPLE": "sample",
 "SOURCE_CLASS": "sourceClass",
 "BROWSER": "browser",
 "PLATFORM": "platform",
 "ACTION": "action",
 "MINUTE": "minute",
 "HOUR": "hour",
 "DAY": "day",
 "DESTINATION": "destination",
 "SUBRESOURCE_HOST": "subresourceHost",
 "SUBRESOURCE": "subresource",
 "HASH": "hash",
 "DISPOSITION": "disposition",
 "PROPERTY": "property",
 "MESSAGE": "message",
 "NEL_TYPE": "nelType",
 "PHASE": "phase",
 "STATUS_CODE": "statusCode",
 "SERVER_IP": "serverIp",
 "ORGANISATION": "organisation",
 "FEATURE_ID": "featureId",
 "REASON": "reason",
 "VIOLATION": "violation",
 "DOMAIN": "domain",
 "HEADER_FROM": "headerFrom",
 "SOURCE_IP": "sourceIp",
 "SOURCE_NETWORK": "sourceNetwork",
 "SOURCE_ORGANISATION": "sourceOrganisation",
 "SENDER": "sender",
 "COUNTRY": "country",
 "REPORTER": "reporter",
 "ALIGNED": "aligned",
 "DKIM": "dkim",
 "SPF": "spf",
 "POLICY_TYPE": "policyType",
 "RESULT_TYPE": "resultType",
 "ISSUER": "issuer",
 "CERT_TYPE": "certType",
 "WIRE_TYPE": "wireType"
};

/** The filter that picks the reports of a group. */
export const FILTERS_BY_GROUP: Readonly<Record<ReportTypeName, Partial<Record<GroupBy, string>>>> = {
 "csp": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "DIRECTIVE": "effectiveDirective",
  "POLICY_ID": "policyId",
  "BLOCKED_HOST": "blockedHostnames",
  "SOURCE_CLASS": "sourceClass",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "ACTION": "action"
 },
 "csp_integrity": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "DESTINATION": "destination",
  "SUBRESOURCE_HOST": "subresourceHostnames",
  "HASH": "subresourceHashes"
 },
 "integrity_policy": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BLOCKED_HOST": "blockedHostnames",
  "SOURCE_CLASS": "sourceClass",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "ACTION": "action",
  "DESTINATION": "destination"
 },
 "permissions_policy": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "DISPOSITION": "disposition",
  "PROPERTY": "property"
 },
 "nel": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "NEL_TYPE": "nelType",
  "PHASE": "phase",
  "SERVER_IP": "serverIp",
  "ORGANISATION": "organisation"
 },
 "deprecation": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "FEATURE_ID": "featureId",
  "MESSAGE": "message"
 },
 "intervention": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "FEATURE_ID": "featureId",
  "MESSAGE": "message"
 },
 "crash": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "REASON": "reason"
 },
 "coep": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BLOCKED_HOST": "blockedHostnames",
  "SOURCE_CLASS": "sourceClass",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "DISPOSITION": "disposition",
  "VIOLATION": "violation",
  "DESTINATION": "destination"
 },
 "coop": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "DISPOSITION": "disposition",
  "VIOLATION": "violation"
 },
 "dmarc": {
  "PAGE_HOST": "hostnames",
  "DISPOSITION": "disposition",
  "ORGANISATION": "organisation",
  "HEADER_FROM": "hostnames",
  "SOURCE_IP": "sourceIp",
  "SOURCE_NETWORK": "sourceNetwork",
  "SOURCE_ORGANISATION": "organisation",
  "SENDER": "sender",
  "REPORTER": "reporter",
  "ALIGNED": "aligned",
  "DKIM": "dkim",
  "SPF": "spf"
 },
 "tls_rpt": {
  "PAGE_HOST": "hostnames",
  "DOMAIN": "hostnames",
  "REPORTER": "reporter",
  "POLICY_TYPE": "policyType",
  "RESULT_TYPE": "resultType"
 },
 "certificate_transparency": {
  "PAGE_HOST": "hostnames",
  "ISSUER": "issuer",
  "CERT_TYPE": "certType"
 },
 "connection_allowlist": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BLOCKED_HOST": "blockedHostnames",
  "SOURCE_CLASS": "sourceClass",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "DISPOSITION": "disposition"
 },
 "other": {
  "PAGE_HOST": "hostnames",
  "PAGE_PATH": "paths",
  "BROWSER": "browser",
  "PLATFORM": "platform",
  "WIRE_TYPE": "wireType"
 }
};

/** The values of filters that take no others. */
export const FILTER_VALUES: Readonly<Record<ReportTypeName, Record<string, readonly string[]>>> = {
 "csp": {
  "action": [
   "enforced",
   "reportOnly"
  ],
  "sourceClass": [
   "extension",
   "browser",
   "impossible",
   "inline",
   "eval",
   "data",
   "blob",
   "sameOrigin",
   "sameSite",
   "external",
   "unknown"
  ]
 },
 "csp_integrity": {},
 "integrity_policy": {
  "action": [
   "enforced",
   "reportOnly"
  ],
  "sourceClass": [
   "extension",
   "browser",
   "impossible",
   "inline",
   "eval",
   "data",
   "blob",
   "sameOrigin",
   "sameSite",
   "external",
   "unknown"
  ]
 },
 "permissions_policy": {
  "disposition": [
   "enforce",
   "report"
  ]
 },
 "nel": {
  "phase": [
   "dns",
   "connection",
   "application"
  ]
 },
 "deprecation": {},
 "intervention": {},
 "crash": {},
 "coep": {
  "disposition": [
   "enforce",
   "reporting"
  ],
  "sourceClass": [
   "extension",
   "browser",
   "impossible",
   "inline",
   "eval",
   "data",
   "blob",
   "sameOrigin",
   "sameSite",
   "external",
   "unknown"
  ]
 },
 "coop": {
  "disposition": [
   "enforce",
   "reporting"
  ]
 },
 "dmarc": {
  "disposition": [
   "none",
   "quarantine",
   "reject",
   "pass"
  ],
  "dkim": [
   "pass",
   "fail"
  ],
  "spf": [
   "pass",
   "fail"
  ]
 },
 "tls_rpt": {
  "policyType": [
   "tlsa",
   "sts",
   "no-policy-found"
  ]
 },
 "certificate_transparency": {
  "certType": [
   "certificate",
   "precertificate"
  ]
 },
 "connection_allowlist": {
  "disposition": [
   "enforce",
   "report"
  ],
  "sourceClass": [
   "extension",
   "browser",
   "impossible",
   "inline",
   "eval",
   "data",
   "blob",
   "sameOrigin",
   "sameSite",
   "external",
   "unknown"
  ]
 },
 "other": {}
};
