/** The report types of a feed, in the order in which they are always listed. */
export const REPORT_TYPES = [
  'csp',
  'csp_integrity',
  'integrity_policy',
  'permissions_policy',
  'nel',
  'deprecation',
  'intervention',
  'crash',
  'coep',
  'coop',
  'dmarc',
  'tls_rpt',
  'certificate_transparency',
] as const;
export type ReportType = (typeof REPORT_TYPES)[number];

const OF_SERVERS: ReadonlySet<string> = new Set(['dmarc', 'tls_rpt', 'certificate_transparency']);

/** Tells whether browsers send reports of the type; mail servers and logs of certificates send the others. */
export function isFromBrowser(type: ReportType): boolean {
  return !OF_SERVERS.has(type);
}
