/** The queries of the tools to `/graphql`, each for the account behind the key. */

export const SIGNS = `query Signs($from: Instant!) {
  viewer {
    signs(since: $from) { id kind severity title detail subject firstSeen lastSeen count usual link query }
  }
}`;

const ROWS = `{ groups { keys { by value } count reports firstSeen lastSeen days } otherGroups totalCount totalReports }`;

export const GROUPS = `query Groups(
  $type: ReportTypeName!, $from: Instant!, $by: [GroupBy!]!, $where: ReportFilter, $not: ReportFilter,
  $first: Int!, $orderBy: GroupOrder = COUNT
) {
  viewer {
    groups: reportGroups(
      type: $type, from: $from, by: $by, where: $where, not: $not, first: $first, orderBy: $orderBy
    ) ${ROWS}
  }
}`;

export const NEWEST = `query Newest(
  $type: ReportTypeName!, $from: Instant!, $where: ReportFilter, $not: ReportFilter, $first: Int!
) {
  viewer {
    reports(type: $type, from: $from, where: $where, not: $not, first: $first) {
      reports {
        id: recordId date count
        ... on CspReport { action uri directive blockedUri browser }
        ... on NelReport { uri nelType phase statusCode }
        ... on DmarcReport { headerFrom sourceIp sender disposition aligned }
        ... on TlsRptReport { domain policyType failedSessions successfulSessions }
        ... on CertificateTransparencyReport { commonName hostnames issuer }
      }
    }
  }
}`;

export const POLICY_EFFECT = `query PolicyEffect($from: Instant!, $not: ReportFilter!, $first: Int!) {
  viewer {
    policies { policyId name policy }
    violations: reportGroups(
      type: csp, from: $from, by: [ACTION, DIRECTIVE, BLOCKED_HOST], not: $not, first: $first
    ) ${ROWS}
  }
}`;

export const MAIL = `query Mail($from: Instant!, $first: Int!) {
  viewer {
    alignment: reportGroups(type: dmarc, from: $from, by: [HEADER_FROM, ALIGNED], first: $first) ${ROWS}
    failing: reportGroups(
      type: dmarc, from: $from, by: [SENDER, SOURCE_IP, DISPOSITION], where: { aligned: false },
      first: $first
    ) ${ROWS}
  }
}`;

export const WATCHES = `query Watches {
  viewer {
    watches {
      site product
      findings(first: 1000) {
        ... on WatchFinding { uri source count firstSeen lastSeen }
        ... on PolicyWatchFinding { policy enforced count firstSeen lastSeen }
      }
    }
  }
}`;

export const QUOTA = `query Quota {
  viewer {
    type email teamName
    plan { name status tier reportQuota dataRetentionDays }
    quota { used limit }
    usageMetrics { type accepted filtered sampled rejected }
  }
}`;

export const AUDIT = `query Audit($limit: PageLimit!) {
  viewer { auditLog(limit: $limit) { events { timestamp event message loggedByEmail requestIp } } }
}`;
