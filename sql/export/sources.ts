import type { ReportType } from '@sightline/reports';
import type { AccountId } from '../account-id.ts';
import { AUDIT_EVENT_COLUMNS } from '../audit.ts';
import { filterConditions } from '../report/conditions.ts';
import type { FilterValues } from '../report/filter.ts';
import { toShape } from '../reports.ts';
import { VERDICT_COLUMNS, VERDICT_ID } from '../team-verdicts.ts';
import type { ExportSource } from './source.ts';

/** A period: its first instant and its end (exclusive), in ISO 8601. */
export interface ExportPeriod {
  from: string;
  until: string;
}

export interface ExportedReports extends ExportPeriod {
  account: AccountId;
  type: ReportType;
  filters: FilterValues;
  not: FilterValues;
  threatIntelligence: boolean;
}

export function reportSource(query: ExportedReports): ExportSource {
  const { account, type, from, until, threatIntelligence } = query;
  const { columns, packed, size } = toShape(type, threatIntelligence);
  return {
    account,
    name: type,
    table: 'report',
    instant: 'date',
    id: 'id',
    instantColumn: 'date',
    columns: `type::text as "type", ${columns()}`,
    packed,
    weight: size,
    own: bind => `type = ${bind(type)}`,
    removed: bind =>
      `select account_id, position from removed_position where account_id = $1 and type = ${bind(type)}`,
    conditions: bind => [`date >= ${bind(from)}`, `date < ${bind(until)}`, ...filterConditions(query, bind)],
  };
}

export function auditSource(account: AccountId, { from, until }: ExportPeriod): ExportSource {
  return {
    account,
    name: 'audit-log',
    table: 'audit_event',
    instant: 'timestamp',
    id: 'id',
    instantColumn: 'timestamp',
    columns: AUDIT_EVENT_COLUMNS,
    weight: 'pg_column_size(audit_event.*)',
    own: () => 'true',
    conditions: bind => [`timestamp >= ${bind(from)}`, `timestamp < ${bind(until)}`],
  };
}

/** A finding has no id: product, site and the digest of the subject identify it together. */
const FINDING_ID = `(product || ':' || site_key || ':' || encode(subject_sha256, 'hex')) collate "C"`;

export function findingSource(account: AccountId, { from, until }: ExportPeriod): ExportSource {
  return {
    account,
    name: 'findings',
    table: 'watch_finding',
    instant: 'last_seen',
    id: FINDING_ID,
    instantColumn: 'lastSeen',
    columns: `account_id, ${FINDING_ID} as id, product, site_key as site,
      case when product <> 'policy' then subject end as uri, case when product = 'policy' then subject end as policy,
      count, first_seen as "firstSeen", last_seen as "lastSeen", source, enforced`,
    weight: 'octet_length(subject)',
    own: () => 'true',
    conditions: bind => [`last_seen >= ${bind(from)}`, `last_seen < ${bind(until)}`],
  };
}

export function verdictSource(account: AccountId, { from, until }: ExportPeriod): ExportSource {
  return {
    account,
    name: 'verdicts',
    table: 'verdict',
    instant: 'decided_at',
    id: VERDICT_ID,
    instantColumn: 'decidedAt',
    columns: VERDICT_COLUMNS,
    weight: 'octet_length(reason) + pg_column_size(hashes)',
    own: () => 'true',
    conditions: bind => [`decided_at >= ${bind(from)}`, `decided_at < ${bind(until)}`],
  };
}
