import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import type { Sql } from 'postgres';
import { inject } from 'vitest';
import { connectOperator } from '../../sql/operator/connect.ts';

export interface TestDatabase {
  /** As an administrator, who may migrate and load. */
  url: string;
  /** The same without the pooler that the run may have between: for logins of the test's own. */
  directUrl: string;
  /** Ends all sessions on it, too. What is not dropped goes at the end of the run. */
  drop(): Promise<void>;
}

/** One for all files of a process: it ends with that. */
let administrator: Sql | undefined;

/** A database of the test's own: migrated and without data. */
export function createDatabase(): Promise<TestDatabase> {
  return copyOf(inject('runName'));
}

/** A database of the test's own without any table. */
export function createBareDatabase(): Promise<TestDatabase> {
  return copyOf('template0');
}

async function copyOf(template: string): Promise<TestDatabase> {
  const administratorUrl = inject('administratorUrl');
  administrator ??= connectOperator(administratorUrl);
  const sql = administrator;
  const name = `${inject('runName')}_${randomBytes(4).toString('hex')}`;
  await callHook('create', name, template);
  await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`;
  return {
    url: databaseUrl(inject('poolerUrl') || administratorUrl, name),
    directUrl: databaseUrl(administratorUrl, name),
    async drop() {
      await callHook('drop', name);
      await sql`drop database if exists ${sql(name)} with (force)`;
    },
  };
}

/**
 * Tells the program of TEST_DATABASE_HOOK, if there is one, what becomes of a database: for a PostgreSQL that needs
 * more than a database of its own, such as an extension or databases on other servers.
 * - `prepare NAME`: the template is there, and not migrated yet
 * - `seal NAME`: it is migrated, and has to be left by everybody
 * - `create NAME TEMPLATE`: one will be made
 * - `drop NAME`: one will be dropped
 */
export async function callHook(event: 'prepare' | 'seal' | 'create' | 'drop', ...names: string[]) {
  const program = process.env.TEST_DATABASE_HOOK;
  if (program) await promisify(execFile)(program, [event, ...names]);
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
