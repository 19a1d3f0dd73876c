import type { Statements } from '@sightline/postgres';

/** A statement without parameters, by the service's client or by the operator's. */
export type Query = (text: string) => PromiseLike<readonly object[]>;

/** Tells whether a backup was restored, and "migrate" has not run since. It has to, before anything is served. */
export async function isRestored(query: Query): Promise<boolean> {
  const rows = await query("select from origin where accounts = 'account'::regclass");
  return rows.length === 0;
}

/**
 * Makes a restored database whole again, and leaves any other as it is. A backup has neither the rights to the database
 * nor its settings for a role. The versions of accounts go back with it, and a load after that would give them again.
 * @param isTold whether an operator says that it was restored: of a copied folder or disk nothing else tells it
 * @returns whether it was restored
 */
export async function mendRestored(sql: Statements, isTold: boolean): Promise<boolean> {
  if (await mayMakeTables(text => sql.query(text), READER)) await sql.query(TAKE_TEMPORARY);
  if (!(await onlyReads(text => sql.query(text)))) await sql.query(ONLY_READ);
  if (!isTold && !(await isRestored(text => sql.query(text)))) return false;
  // Versions begin with the time in microseconds: no account has had a later one.
  await sql.query(
    `update account set version = greatest(version, (extract(epoch from now()) * 1000000)::bigint) + 1`,
  );
  await sql.query(`update origin set accounts = 'account'::regclass`);
  return true;
}

const READER = 'sightline_reader';

/** Tells whether a role may make temporary tables in the database, and so fill the disk. */
export async function mayMakeTables(query: Query, role: string): Promise<boolean> {
  const rows = await query(
    `select where has_database_privilege('${role.replaceAll("'", "''")}', current_database(), 'temporary')`,
  );
  return rows.length > 0;
}

/** Tells whether sessions of a login that is the service's role itself begin with transactions that only read. */
async function onlyReads(query: Query): Promise<boolean> {
  const rows = await query(`
    select from pg_db_role_setting where 'default_transaction_read_only=on' = any(setconfig)
      and setrole = to_regrole('${READER}')
      and setdatabase in (0, (select oid from pg_database where datname = current_database()))`);
  return rows.length > 0;
}

/** Tells whether there are such sessions, and they may write: a role that cannot log in has none. */
export async function signsInToWrite(query: Query): Promise<boolean> {
  const rows = await query(`select from pg_roles where rolname = '${READER}' and rolcanlogin`);
  return rows.length > 0 && !(await onlyReads(query));
}

/** As migration 6 has them. Where the database is somebody else's, an administrator does the same by hand. */
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
