import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { CommandConnection, Statements } from '@sightline/pg-client';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';
import { READER } from '../roles.ts';
import { distribute } from './distribute.ts';
import { grantImporterRights } from './importer.ts';
import { repairRestored } from './restored.ts';

const folder = new URL('../migrations/', import.meta.url);

export interface Migration {
  version: number;
  name: string;
  text: string;
  checksum: string;
}

/** Returns the migrations in `sql/migrations`, in order. */
export async function migrations(): Promise<Migration[]> {
  const files = (await readdir(folder)).filter(file => /^\d{4}_\w+\.sql$/.test(file)).sort();
  return Promise.all(
    files.map(async name => {
      const text = await readFile(new URL(name, folder), 'utf8');
      const checksum = createHash('sha256').update(text).digest('hex');
      return { version: Number(name.slice(0, 4)), name, text, checksum };
    }),
  );
}

/** An applied migration has a different text, or is missing: the database and the code disagree. */
export class MigrationMismatch extends Error {
  override name = 'MigrationMismatch';
}

export interface MigrateOptions {
  /** Called with the tables that were distributed, if any. */
  onDistributed?(tables: string[]): void;
  /** Called if the database is a restored backup. */
  onRestored?(): void;
  /** True if the operator says that the database was restored. */
  isRestored?: boolean | undefined;
}

/**
 * Applies the missing migrations, each in a transaction, and returns them. Of several concurrent calls, one migrates;
 * the others wait and then find nothing to do.
 */
export async function migrate(sql: CommandConnection, options: MigrateOptions = {}): Promise<Migration[]> {
  const wanted = await migrations();
  await createReader(sql);
  return sql.transaction(async transaction => {
    await transaction.query(`select pg_advisory_xact_lock(${ADVISORY_LOCKS.migrate})`);
    await transaction.query(`
      create table if not exists schema_migration (
        version integer primary key, name text not null, checksum text not null,
        applied_at timestamptz not null default now()
      )`);
    const applied = await transaction.query<AppliedRow>('select version, checksum from schema_migration');
    const pending = missing(wanted, applied);
    // With Citus, this makes later steps independent of the connections that earlier ones used.
    await transaction.query("select set_config('citus.multi_shard_modify_mode', 'sequential', true)");
    for (const { version, name, text, checksum } of pending) {
      for (const statement of splitStatements(text)) {
        // The role exists by now, and PostgreSQL refuses this statement to a login that may not create roles.
        if (!CREATES_READER.test(statement)) await transaction.query(statement);
      }
      await transaction.query('insert into schema_migration (version, name, checksum) values ($1, $2, $3)', [
        version,
        name,
        checksum,
      ]);
    }
    const distributed = await distribute(transaction);
    if (distributed.length > 0) options.onDistributed?.(distributed);
    await grantImporterRights(transaction);
    if (await repairRestored(transaction, options.isRestored ?? false)) options.onRestored?.();
    return pending;
  });
}

const CREATES_READER = new RegExp(`\\bcreate role ${READER}\\b`);

/** The number of checks, and milliseconds between them, until a role of another session must be visible. */
const [VISIBILITY_CHECKS, VISIBILITY_INTERVAL] = [500, 10];

/**
 * Creates the service's role, unless it exists: an administrator may have created it, or another database may be doing
 * so. PostgreSQL reports such a role as a duplicate before a running transaction can see it, so it is created first.
 * @throws {ReaderMissing}
 */
async function createReader(sql: CommandConnection): Promise<void> {
  if (await isRole(sql, READER)) return;
  if (!(await mayMakeRoles(sql))) throw new ReaderMissing();
  await sql.query(`do $$ begin create role ${READER} nologin;
    exception when duplicate_object or unique_violation then null; end $$`);
  for (let checks = 1; !(await isRole(sql, READER)); checks++) {
    if (checks === VISIBILITY_CHECKS) throw new ReaderMissing();
    await pause(VISIBILITY_INTERVAL);
  }
}

/** The service's role does not exist, and this login cannot create it. */
export class ReaderMissing extends Error {
  override name = 'ReaderMissing';

  constructor() {
    super(
      `the role ${READER} is missing, and this login cannot create it: have an administrator of the database run ` +
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

/** One statement at a time, because Citus forwards the complete text to its servers. */
function splitStatements(text: string): string[] {
  const statements = text.match(/(?:--.*|\$\$[\s\S]*?\$\$|'[^']*'|[^;])+;?/g) ?? [];
  return statements.filter(statement => statement.replace(/--.*/g, '').trim() !== '');
}

export interface AppliedRow {
  version: number;
  checksum: string;
}

/**
 * Returns the migrations that are missing in a database.
 * @throws {MigrationMismatch} if an applied migration is not among the expected ones, or has a different text
 */
export function missing(wanted: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  const byVersion = new Map(wanted.map(migration => [migration.version, migration]));
  for (const { version, checksum } of applied) {
    const existing = byVersion.get(version);
    if (!existing)
      throw new MigrationMismatch(`the database has migration ${version}, which this version does not know`);
    if (existing.checksum !== checksum)
      throw new MigrationMismatch(`migration ${existing.name} was changed after it was applied`);
  }
  const done = new Set(applied.map(row => row.version));
  return wanted.filter(migration => !done.has(migration.version));
}
