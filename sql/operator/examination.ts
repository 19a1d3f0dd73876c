import { PLANNER_SETTINGS, type Statements } from '@sightline/pg-client';

/** Facts about the server and the session that any role can read. */
export interface ServerFacts {
  /** Such as `17.4`. */
  version: string;
  /** `server_version_num`: 150000 for 15.0. */
  versionNumber: number;
  database: string;
  encoding: string;
  login: string;
  isSuperuser: boolean;
  /** True if the session is encrypted. */
  isEncrypted: boolean;
  /** Settings that should be on, for safety or speed, but are off. */
  off: string[];
  /** Milliseconds of the Unix epoch. */
  clock: number;
}

export async function serverFacts(sql: Statements): Promise<ServerFacts> {
  const [row] = await sql.query<ServerFacts>(`
    select current_setting('server_version') as version, current_setting('server_version_num')::int as "versionNumber",
      datname as database, pg_encoding_to_char(encoding) as encoding,
      session_user as login, (select rolsuper from pg_roles where rolname = session_user) as "isSuperuser",
      coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as "isEncrypted",
      (select coalesce(json_agg(name order by name), '[]') from pg_settings
       where name in ('autovacuum', 'fsync', 'full_page_writes') and setting = 'off') as off,
      (extract(epoch from clock_timestamp()) * 1000)::float8 as clock
    from pg_database where datname = current_database()`);
  return row!;
}

/** A session's settings if the client sets none; they also apply through a pooler that rejects start-up parameters. */
export interface SessionDefaults {
  /** In PostgreSQL's text form; `0` for none. */
  statementTimeout: string;
  isReadOnly: boolean;
  /** Settings of the planner, by name. */
  planner: Readonly<Record<string, string>>;
}

export async function sessionDefaults(sql: Statements): Promise<SessionDefaults> {
  const [row] = await sql.query<SessionDefaults>(
    `
    select current_setting('statement_timeout') as "statementTimeout",
      current_setting('default_transaction_read_only') = 'on' as "isReadOnly",
      (select json_object_agg(name, setting) from pg_settings where name = any($1)) as planner`,
    [Object.keys(PLANNER_SETTINGS)],
  );
  return row!;
}

/** The rights of a login on tables of the read model, without switching roles. */
export interface LoginRights {
  /** True if it owns them, or is a member of the owning role. */
  isOwner: boolean;
  /** Tables that it can write to, although the role that it switches to cannot. */
  writable: string[];
}

export async function loginRights(sql: Statements, role: string): Promise<LoginRights> {
  const [row] = await sql.query<LoginRights>(
    `
    select coalesce(bool_or(pg_has_role(session_user, relowner, 'usage')), false) as "isOwner",
      coalesce(json_agg(relname order by relname)
        filter (where has_table_privilege(session_user, oid, 'insert, update, delete, truncate')
          and not exists (select from pg_roles r where rolname = $1
            and has_table_privilege(r.oid, pg_class.oid, 'insert, update, delete, truncate'))), '[]') as writable
    from pg_class
    where relkind in ('r', 'p') and not relispartition
      and relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migration'))`,
    [role],
  );
  return row!;
}

/** Why a database is read-only; undefined if it is writable. */
export type WriteFailure = 'standby' | 'database' | 'server';

/** The login's own setting is ignored, because the service's login is meant to be read-only. */
export async function findWriteFailure(sql: Statements): Promise<WriteFailure | undefined> {
  const [row] = await sql.query<{ failure: WriteFailure | null }>(`
    select case when pg_is_in_recovery() then 'standby'
      when exists (select from pg_db_role_setting s
        where setrole = 0 and setdatabase in (0, (select oid from pg_database where datname = current_database()))
          and exists (select from unnest(setconfig) c where c ~* '^default_transaction_read_only=(on|true|yes|1)$'))
        then 'database'
      when exists (select from pg_settings where name = 'default_transaction_read_only' and setting = 'on'
        and source in ('configuration file', 'command line')) then 'server'
    end as failure`);
  return row!.failure ?? undefined;
}

/**
 * Makes the server sort more than fits into its work memory, so that it writes and removes a temporary file of about 8
 * MiB.
 */
export async function spillToDisk(sql: Statements): Promise<void> {
  await sql.query('begin read only');
  try {
    await sql.query("set local work_mem = '64kB'");
    // Few long rows: comparing many short ones takes most of the time.
    await sql.query(
      `select count(text) from (select repeat(md5(i::text), 256) as text
      from generate_series(1, 1000) i order by -i offset 1) s`,
    );
  } finally {
    await sql.query('rollback');
  }
}

/** Returns the schema with Sightline's tables if the login's search_path does not contain it. */
export async function findHiddenSchema(sql: Statements): Promise<string | undefined> {
  const [row] = await sql.query<{ name: string }>(`
    select nspname as name from pg_class join pg_namespace n on n.oid = relnamespace
    where relname = 'schema_migration' and to_regclass('schema_migration') is null limit 1`);
  return row?.name;
}

export async function installedExtensions(sql: Statements): Promise<string[]> {
  const rows = await sql.query<{ name: string }>('select extname as name from pg_extension');
  return rows.map(({ name }) => name);
}

/**
 * Returns tables of the read model in which a role can read no column. '' stands for the login. Only imports read the
 * table of imported mails.
 */
export async function listUnreadableTables(sql: Statements, role: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relname not in ('imported_mail', 'mailbox_position')
       and relnamespace = (select relnamespace from pg_class where oid = 'schema_migration'::regclass)
       and not has_any_column_privilege(coalesce(nullif($1, ''), session_user::text), oid, 'select')
     order by relname`,
    [role],
  );
  return rows.map(({ name }) => name);
}

/** The connection limit of a login, and where it is set. */
export interface ConnectionLimit {
  connections: number;
  /** `max_connections`, `database` or `login`: the lowest limit. */
  by: 'max_connections' | 'database' | 'login';
}

/** Superusers are subject only to the server's limit. */
export async function connectionLimit(sql: Statements): Promise<ConnectionLimit> {
  const [row] = await sql.query<ConnectionLimit>(`
    select connections, by from (
      select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true)::int, 0) as connections, 'max_connections' as by
      union all
      select datconnlimit, 'database' from pg_database
      where datname = current_database() and datconnlimit >= 0
        and not (select rolsuper from pg_roles where rolname = session_user)
      union all
      select rolconnlimit, 'login' from pg_roles where rolname = session_user and rolconnlimit >= 0 and not rolsuper
    ) as limits order by connections limit 1`);
  return row!;
}

export interface TableSize {
  name: string;
  /** Includes indexes and out-of-line values. */
  bytes: number;
}

/** Returns the partitions of the reports, largest first. */
export async function partitionSizes(sql: Statements): Promise<TableSize[]> {
  return sql.query<TableSize>(`
    select inhrelid::regclass::text as name, pg_total_relation_size(inhrelid)::float8 as bytes
    from pg_inherits where inhparent = 'report'::regclass order by bytes desc, name`);
}

/** Returns the size of all tables and indexes of the database in bytes. */
export async function databaseSize(sql: Statements): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return row!.bytes;
}
