import type { Statements } from '@sightline/pg-client';
import { READER } from '../roles.ts';

/** Runs a statement without parameters, with the service's or the operator's client. */
export type RunStatement = (text: string) => PromiseLike<readonly object[]>;

/** Checks whether a backup was restored without running "migrate" afterwards, which is required before serving. */
export async function isRestored(query: RunStatement): Promise<boolean> {
  const rows = await query("select from origin where accounts = 'account'::regclass");
  return rows.length === 0;
}

/**
 * Repairs a restored database; any other is unchanged. A backup contains neither the rights to the database nor its
 * settings for a role. Account versions are also restored, and a later load would assign them again.
 * @param isConfirmed true if the operator says that it was restored, because a copied folder or disk cannot be detected
 * @returns whether it was restored
 */
export async function repairRestored(sql: Statements, isConfirmed: boolean): Promise<boolean> {
  if (await mayMakeTables(text => sql.query(text), READER)) await sql.query(TAKE_TEMPORARY);
  if (!(await onlyReads(text => sql.query(text)))) await sql.query(ONLY_READ);
  if (!isConfirmed && !(await isRestored(text => sql.query(text)))) return false;
  // Versions start with the time in microseconds, so they exceed all earlier ones.
  await sql.query(
    `update account set version = greatest(version, (extract(epoch from now()) * 1000000)::bigint) + 1`,
  );
  await sql.query(`update origin set accounts = 'account'::regclass`);
  return true;
}

/** Checks whether a role can create temporary tables in the database, and so fill the disk. */
export async function mayMakeTables(query: RunStatement, role: string): Promise<boolean> {
  const rows = await query(
    `select where has_database_privilege('${role.replaceAll("'", "''")}', current_database(), 'temporary')`,
  );
  return rows.length > 0;
}

/** Checks whether sessions of the service's role start with read-only transactions. */
async function onlyReads(query: RunStatement): Promise<boolean> {
  const rows = await query(`
    select from pg_db_role_setting where 'default_transaction_read_only=on' = any(setconfig)
      and setrole = to_regrole('${READER}')
      and setdatabase in (0, (select oid from pg_database where datname = current_database()))`);
  return rows.length > 0;
}

/** Checks whether the role can log in and its sessions can write. */
export async function signsInToWrite(query: RunStatement): Promise<boolean> {
  const rows = await query(`select from pg_roles where rolname = '${READER}' and rolcanlogin`);
  return rows.length > 0 && !(await onlyReads(query));
}

/** As in the initial migration. If another role owns the database, an administrator must do this. */
const TAKE_TEMPORARY = `do $$
begin
  execute format('grant temporary on database %I to %I', current_database(), current_user);
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then null;
end
$$`;
const ONLY_READ = `do $$
begin
  execute format('alter role ${READER} in database %I set default_transaction_read_only = on', current_database());
exception when insufficient_privilege then null;
end
$$`;
