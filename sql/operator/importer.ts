import type { Statements } from '@sightline/pg-client';
import { IMPORTER } from '../roles.ts';

/**
 * Grants the role `sightline_importer` what an import needs, if an administrator created it: its logins load reports
 * and certificates. They can read the identity of stored reports, but not their content, nor keys.
 */
export async function grantImporterRights(sql: Statements): Promise<void> {
  const roles = await sql.query(`select where to_regrole('${IMPORTER}') is not null`);
  if (roles.length === 0) return;
  for (const right of RIGHTS) await sql.query(`grant ${right} to ${IMPORTER}`);
  await sql.query(`
    do $$ begin execute format('grant temporary on database %I to ${IMPORTER}', current_database());
    exception when insufficient_privilege then null; end $$`);
  await sql.query(`
    select admit_importer(c.relname) from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'report'::regclass`);
}

/** An import's rights on each table that a load uses. */
const RIGHTS: readonly string[] = [
  'select on schema_migration, origin, removed_position, last_run, certificate, announced_change',
  'select on imported_mail, mailbox_position, daily_count, daily_group, rollup_month, report_locator, report_usage',
  'select (id, version), update (version) on account',
  'select (account_id, site_key, findings_from_reports) on watch',
  'select (account_id, data_retention_days) on plan',
  'insert, select (account_id, type, id, date, directive, count, digest, sha256) on report',
  'insert, delete on report_locator, certificate, announced_change',
  'insert, update, delete on daily_count, imported_mail',
  'insert, update on mailbox_position',
  'delete on daily_group, rollup_month',
  'insert, update on last_run, report_usage',
  'usage, update on sequence load_position',
  'execute on function make_report_month(date), derive_findings(date, text[], bigint, jsonb)',
  'execute on function withdraw_findings(date, jsonb, bigint)',
];
