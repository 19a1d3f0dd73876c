import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import type { CommandConnection, Statements } from '@sightline/postgres';
import { distribute } from './distribute.ts';
import { admitImporter } from './importer.ts';
import { mendRestored } from './restored.ts';

const folder = new URL('../migrations/', import.meta.url);

/** A lock of this project alone: any number that is not used otherwise in the database will do. */
const LOCK = 7_446_858_441;

export interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
  /** Versions that it stands in for: where such a one waits with it, only this one is run. */
  replaces: readonly number[];
}

/** The mark of such a migration. */
const IN_PLACE_OF = /^-- In place of migration (\d{4})\b/gm;

/** The migrations of `sql/migrations`, in order. */
export async function migrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter(file => /^\d{4}_\w+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async name => {
      const text = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      const replaces = [...text.matchAll(IN_PLACE_OF)].map(([, version]) => Number(version));
      return { version: Number(name.slice(0, 4)), name, text, checksum, replaces };
    }),
  );
}

/** A migration that was applied has another text now, or is missing: the database and the code disagree. */
export class MigrationMismatch extends Error {
  override name = 'MigrationMismatch';
}

export interface MigrateOptions {
  /** Called with the tables that it spread over servers, if there were any. */
  onSpread?(tables: string[]): void;
  /** Called where the database turned out to be a backup that was restored. */
  onRestored?(): void;
  /** True: the database was restored, whatever it looks like. */
  isRestored?: boolean | undefined;
}

/**
 * Applies what is missing, each migration in a transaction of its own, and answers with what it applied.
 * Several may call it at once: one works, the others wait and find nothing left to do.
 */
export async function migrate(sql: CommandConnection, told: MigrateOptions = {}): Promise<Migration[]> {
  const wanted = await migrations();
  return sql.transaction(async transaction => {
    await transaction.query(`select pg_advisory_xact_lock(${LOCK})`);
    await transaction.query(`
      create table if not exists schema_migration (
        version integer primary key, name text not null, checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    const applied = await transaction.query<AppliedRow>('select version, checksum from schema_migration');
    const pending = missing(wanted, applied);
    // With Citus: later steps need not care whether earlier ones asked the other servers over several connections.
    await transaction.query("select set_config('citus.multi_shard_modify_mode', 'sequential', true)");
    const replaced = new Set(pending.flatMap(({ replaces }) => replaces));
    const hasReader = await isRole(transaction, READER);
    if (!hasReader && !(await mayMakeRoles(transaction))) throw new ReaderMissing();
    for (const { version, name, text, checksum } of pending) {
      const statements = replaced.has(version) ? [] : statementsOf(text);
      for (const statement of statements) {
        // PostgreSQL refuses a login that may make no role, before it looks for one of that name.
        if (!hasReader || !MAKES_READER.test(statement)) await transaction.query(statement);
      }
      await transaction.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
        version,
        name,
        checksum,
      ]);
    }
    const spread = await distribute(transaction);
    if (spread.length > 0) told.onSpread?.(spread);
    await admitImporter(transaction);
    if (await mendRestored(transaction, told.isRestored ?? false)) told.onRestored?.();
    return pending;
  });
}

/** The service's role, which an administrator may have made before. */
const READER = 'sightline_reader';
const MAKES_READER = new RegExp(`\\bcreate role ${READER}\\b`);

/** The role of the service is not there, and this login may not make it. */
export class ReaderMissing extends Error {
  override name = 'ReaderMissing';

  constructor() {
    super(
      `the role ${READER} is missing, and this login may make none: let an administrator of the database run ` +
        `"create role ${READER} nologin; grant ${READER} to" this login`,
    );
  }
}

async function isRole(sql: Statements, name: string): Promise<boolean> {
  const [row] = await sql.query<{ known: boolean }>('select to_regrole($1) is not null as known', [name]);
  return row!.known;
}

async function mayMakeRoles(sql: Statements): Promise<boolean> {
  const [row] = await sql.query<{ may: boolean }>(
    'select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user',
  );
  return row!.may;
}

/** One by one, since Citus hands on to its servers the whole text in which a statement stands. */
function statementsOf(text: string): string[] {
  const statements = text.match(/(?:--.*|\$\$[\s\S]*?\$\$|'[^']*'|[^;])+;?/g) ?? [];
  return statements.filter(statement => statement.replace(/--.*/g, '').trim() !== '');
}

export interface AppliedRow {
  version: number;
  checksum: string;
}

/**
 * The migrations that a database with these applied ones lacks.
 * @throws {MigrationMismatch} when an applied one is not among the wanted ones, letter by letter
 */
export function missing(wanted: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  const byVersion = new Map(wanted.map(migration => [migration.version, migration]));
  for (const { version, checksum } of applied) {
    const known = byVersion.get(version);
    if (!known)
      throw new MigrationMismatch(`the database has migration ${version}, which this version does not know`);
    if (known.checksum !== checksum)
      throw new MigrationMismatch(`migration ${known.name} was changed after it was applied`);
  }
  const done = new Set(applied.map(row => row.version));
  return wanted.filter(migration => !done.has(migration.version));
}
