import type { Statements } from '@sightline/postgres';

/** Facts that a server tells any role of itself and the session. */
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
  /** Settings that are off, and that data or speed hang on. */
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

/**
 * A session's settings where it brings none of its own: they hold behind a pooler, which takes none at a session's
 * start.
 */
export interface SessionDefaults {
  /** As PostgreSQL writes it; `0` for none. */
  statementTimeout: string;
  isReadOnly: boolean;
}

export async function sessionDefaults(sql: Statements): Promise<SessionDefaults> {
  const [row] = await sql.query<SessionDefaults>(`
    select current_setting('statement_timeout') as "statementTimeout",
      current_setting('default_transaction_read_only') = 'on' as "isReadOnly"`);
  return row!;
}

export async function installedExtensions(sql: Statements): Promise<string[]> {
  const rows = await sql.query<{ name: string }>('select extname as name from pg_extension');
  return rows.map(({ name }) => name);
}

/** Tables of the read model that a role may read no column of. '' stands for the login. Imports alone read their mails. */
export async function unreadableTables(sql: Statements, role: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select relname as name from pg_class
     where relkind in ('r', 'p') and not relispartition and relname <> 'imported_mail'
       and relnamespace = (select relnamespace from pg_class where oid = 'schema_migration'::regclass)
       and not has_any_column_privilege(coalesce(nullif($1, ''), session_user::text), oid, 'select')
     order by relname`,
    [role],
  );
  return rows.map(({ name }) => name);
}

/** The number of connections that a login may have, and the limit that says so. */
export interface ConnectionLimit {
  connections: number;
  /** `max_connections`, `database` or `login`: what is the least. */
  by: 'max_connections' | 'database' | 'login';
}

/** Superusers are held to none but the server's own limit. */
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
  /** Includes its indexes and its values out of line. */
  bytes: number;
}

/** The partitions of the reports, the largest first. */
export async function partitionSizes(sql: Statements): Promise<TableSize[]> {
  return sql.query<TableSize>(`
    select inhrelid::regclass::text as name, pg_total_relation_size(inhrelid)::float8 as bytes
    from pg_inherits where inhparent = 'report'::regclass order by bytes desc, name`);
}

/** Bytes of all tables and indexes of the database. */
export async function databaseSize(sql: Statements): Promise<number> {
  const [row] = await sql.query<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return row!.bytes;
}
