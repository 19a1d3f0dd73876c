/** The columns of a report that its line of the feed fills. */
const TOLD_COLUMNS = [
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

/** Those that are made of the ones before. */
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

/** Told before the rows come: the key, what the daily counts need, and by what equal reports are known. */
const STAGED = ['account_id', 'type', 'id', 'date', 'directive', 'count', 'digest'] as const;

/**
 * The columns of a report in the order in which the loader gives them. A load knows an equal line by a digest of its
 * values in this order. In another order, every report would be replaced when it comes again.
 */
export const REPORT_COLUMNS = [...STAGED, ...TOLD_COLUMNS, ...DERIVED_COLUMNS] as const;
export type ReportColumn = (typeof REPORT_COLUMNS)[number];

/** The number of staged columns, and of those before the columns that are made of others. */
export const STAGED_COLUMNS = STAGED.length;
export const LINE_COLUMNS = STAGED.length + TOLD_COLUMNS.length;
