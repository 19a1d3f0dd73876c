/** The query of `/graphql` for the evidence of a site. */
export const QUESTION = `query Evidence($site: HostName!, $hosts: [HostPattern!]!, $paths: [PathPattern!], $from: Instant!,
    $to: Instant!) {
  viewer {
    loaded: reportGroups(type: csp_integrity, from: $from, to: $to, first: 1000, by: [SUBRESOURCE, HASH, PAGE],
      where: { hostnames: $hosts, paths: $paths }) { ...Groups }
    element: reportGroups(type: csp, from: $from, to: $to, first: 1000, by: [BLOCKED_URI, PAGE],
      where: { hostnames: $hosts, paths: $paths, effectiveDirective: "script-src-elem" },
      not: { sourceClass: [extension, browser, impossible] }) { ...Groups }
    attribute: reportGroups(type: csp, from: $from, to: $to, first: 1000, by: [BLOCKED_URI, PAGE],
      where: { hostnames: $hosts, paths: $paths, effectiveDirective: "script-src-attr" },
      not: { sourceClass: [extension, browser, impossible] }) { ...Groups }
    script: reportGroups(type: csp, from: $from, to: $to, first: 1000, by: [BLOCKED_URI, PAGE],
      where: { hostnames: $hosts, paths: $paths, effectiveDirective: "script-src" },
      not: { sourceClass: [extension, browser, impossible] }) { ...Groups }
    authorisations(site: $site) { pattern owner justification approvedBy approvedAt hashes }
    watches(product: policy) { site findings { ... on PolicyWatchFinding { policy enforced firstSeen lastSeen } } }
  }
}
fragment Groups on ReportGroups { groups { keys { by value } count firstSeen lastSeen } truncated }`;

interface Group {
  keys: { by: string; value: string }[];
  count: number;
  firstSeen: string;
  lastSeen: string;
}

export interface Groups {
  groups: Group[];
  truncated: boolean;
}

export interface Authorisation {
  pattern: string;
  owner: string;
  justification: string;
  approvedBy: string;
  approvedAt: string;
  hashes: string[];
}

export interface SentPolicy {
  policy: string;
  enforced: boolean;
  firstSeen: string;
  lastSeen: string;
}

/** The answer to `QUESTION`. */
export interface Answer {
  loaded: Groups;
  element: Groups;
  attribute: Groups;
  script: Groups;
  authorisations: Authorisation[];
  watches: { site: string; findings: SentPolicy[] }[];
}
