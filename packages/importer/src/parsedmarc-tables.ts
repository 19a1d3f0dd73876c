import { Unreadable } from './unreadable.ts';

/** A table of parsedmarc, with the kind of its rows and the order of its columns. */
export interface Table {
  kind: 'aggregate' | 'tls' | 'failure';
  columns: readonly string[];
}

/** For each kind of table, the columns by which it is recognized and the columns that it must have. */
const KINDS: Readonly<Record<Table['kind'], { seen: readonly string[]; needed: readonly string[] }>> = {
  aggregate: {
    seen: ['org_name', 'report_id'],
    needed: ['begin_date', 'domain', 'source_ip_address', 'count'],
  },
  tls: { seen: ['organization_name', 'report_id'], needed: ['begin_date', 'policy_domain', 'policy_type'] },
  failure: { seen: ['feedback_type', 'arrival_date'], needed: [] },
};

/** Returns the table for a row of column names; undefined for any other row. */
export function findTable(cells: readonly string[]): Table | undefined {
  const columns = cells.map(cell => cell.trim());
  const kind = (['aggregate', 'tls', 'failure'] as const).find(each =>
    KINDS[each].seen.every(name => columns.includes(name)),
  );
  return kind && { kind, columns };
}

/** Checks whether a text begins with the column names of such a table. */
export function beginsTable(text: string): boolean {
  const [names = ''] = text.split('\n', 1);
  return names.includes(',') && findTable(names.replaceAll('"', '').split(',')) !== undefined;
}

/** Returns the required columns that the table lacks. */
export function missingIn({ kind, columns }: Table): readonly string[] {
  return KINDS[kind].needed.filter(name => !columns.includes(name));
}

const RESULTS =
  'disposition,policy_override_reasons,policy_override_comments,envelope_from,header_from,envelope_to,' +
  'dkim_domains,dkim_selectors,dkim_results,spf_domains,spf_scopes,spf_results';
const ALIGNED = `count,spf_aligned,dkim_aligned,dmarc_aligned,${RESULTS}`;
const REPORT = 'xml_schema,org_name,org_email,org_extra_contact_info,report_id,begin_date,end_date';
const POLICY = 'errors,domain,adkim,aspf,p,sp,pct,fo';
const SOURCE = 'source_ip_address,source_country,source_reverse_dns,source_base_domain';
const NAMED = `${SOURCE},source_name,source_type`;
const NETWORK = `${NAMED},source_asn,source_as_name,source_as_domain`;

/** The columns of `aggregate.csv` since 2019, 2024-03, 9.0, 9.9 and 10.0. Each version appends columns. */
const VERSIONS: readonly (readonly string[])[] = [
  `${REPORT},${POLICY},${SOURCE},${ALIGNED}`,
  `${REPORT},${POLICY},${NAMED},${ALIGNED}`,
  `${REPORT},normalized_timespan,${POLICY},${NAMED},${ALIGNED}`,
  `${REPORT},normalized_timespan,${POLICY},${NETWORK},${ALIGNED}`,
  `${REPORT},normalized_timespan,errors,domain,adkim,aspf,p,sp,np,pct,fo,testing,discovery_method,${NETWORK},${ALIGNED}`,
].map(names => names.split(','));

/**
 * Returns the columns of a row. A newer version of parsedmarc appends longer rows to the file of an older one.
 * @throws {Unreadable} for a row of another length
 */
export function listColumns({ kind, columns }: Table, cells: readonly string[]): readonly string[] {
  if (cells.length === columns.length) return columns;
  const newer = VERSIONS.find(({ length }) => length === cells.length && length > columns.length);
  if (kind === 'aggregate' && newer) return newer;
  throw new Unreadable(
    'is a row with a different number of columns than the header',
    `${cells.length} of ${columns.length} cells`,
  );
}
