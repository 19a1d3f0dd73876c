import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { inject } from 'vitest';
import { connectOperator } from '../../sql/operator.ts';

export interface TestDatabase {
  /** As an administrator, who may migrate and load. */
  url: string;
  /** The same without the pooler that the run may have between: for logins of the test's own. */
  directUrl: string;
  /** Ends all sessions on it, too. What is not dropped goes at the end of the run. */
  drop(): Promise<void>;
}

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
  const name = `${inject('runName')}_${randomBytes(4).toString('hex')}`;
  await administer(
    administratorUrl,
    sql => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`,
  );
  return {
    url: databaseUrl(inject('poolerUrl') || administratorUrl, name),
    directUrl: databaseUrl(administratorUrl, name),
    drop: () => administer(administratorUrl, sql => sql`drop database if exists ${sql(name)} with (force)`),
  };
}

async function administer(url: string, statement: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const sql = connectOperator(url);
  try {
    await statement(sql);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
