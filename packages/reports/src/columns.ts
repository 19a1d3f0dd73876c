/** The columns that are filled from a report's line. */
const REPORTED_COLUMNS = [
  'raw',
  'uri',
  'browser',
  'platform',
  'action',
  'blocked_uri',
  'subresource_uri',
  'hash',
  'destination',
  'policy_id',
  'policy',
  'generated_domain',
  'indicator_of_compromise',
  'recently_registered_domain',
  'low_reputation_domain',
  'suspicious',
  'policy_ioc_hosts',
  'policy_concern_hosts',
  'domain_reputation_score',
  'property',
  'disposition',
  'nel_type',
  'phase',
  'organisation',
  'message',
  'hostnames',
  'cert_type',
  'issuer',
  'sha256',
  'sha256_spki',
  'extra',
] as const;

/** Columns that are computed from the preceding ones. */
const DERIVED_COLUMNS = [
  'host_reversed',
  'path',
  'blocked_host_reversed',
  'blocked_path',
  'source_class',
  'sender',
  'subresource_host_reversed',
  'subresource_path',
  'hosts_reversed',
] as const;

/** The staged columns: the key, the columns of the daily counts, and the digest that identifies equal reports. */
const STAGED = ['account_id', 'type', 'id', 'date', 'directive', 'count', 'digest'] as const;

/**
 * All columns of a report in the order of the loader. The digest covers the values in this order: changing the order
 * would replace every report that is loaded again.
 */
export const REPORT_COLUMNS = [...STAGED, ...REPORTED_COLUMNS, ...DERIVED_COLUMNS] as const;
export type ReportColumn = (typeof REPORT_COLUMNS)[number];

/** The number of staged columns, and of columns before the derived ones. */
export const STAGED_COLUMNS = STAGED.length;
export const LINE_COLUMNS = STAGED.length + REPORTED_COLUMNS.length;
