import type { Database } from '../client.ts';
import { type AppliedRow, type Migration, migrations, missing } from './migrate.ts';
import type { RunStatement } from './restored.ts';

/**
 * Returns the migrations that the database lacks.
 * @throws {MigrationMismatch} if it has others than this version
 */
export async function pendingMigrations(query: RunStatement): Promise<Migration[]> {
  return missing(await migrations(), await listAppliedMigrations(query));
}

async function listAppliedMigrations(query: RunStatement): Promise<AppliedRow[]> {
  const [table] = (await query("select to_regclass('schema_migration') is not null as present")) as [
    { present: boolean },
  ];
  if (!table.present) return [];
  return (await query('select version, checksum from schema_migration')) as AppliedRow[];
}

export interface Privileges {
  /** The login, and the role with which its statements run. */
  login: string;
  role: string;
  /** Tables that the role can write to, except for the migrations. There should be none. */
  writable: string[];
}

export async function privileges(db: Database): Promise<Privileges> {
  const [row] = await db.rows<Privileges>(
    `select session_user as login, current_user as role, coalesce(
       (select json_agg(relname order by relname) from pg_class
        where relkind in ('r', 'p') and not relispartition
          and relnamespace = (select relnamespace from pg_class where oid = to_regclass('schema_migration'))
          and has_table_privilege(oid, 'insert, update, delete, truncate')), '[]') as writable`,
    [],
  );
  return row!;
}
