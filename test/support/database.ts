import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connectOperator, type Operator } from './operator.ts';
import { until } from './until.ts';
import { joinWorkers } from './workers.ts';

export interface TestDatabase {
  /** As an administrator, who may migrate and load. */
  url: string;
  /** The same without the pooler that the run may have between: for logins of the test's own. */
  directUrl: string;
  /** Ends all sessions on it, too. The rest goes at the end of the run. */
  drop(): Promise<void>;
}

/** One for each server, for all files of a process: they end with that. */
const administrators = new Map<string, Operator>();

/** A database of the test's own: migrated and without data. */
export function createDatabase(): Promise<TestDatabase> {
  return copyOf(inject('runName'));
}

/** A database of the test's own without any table. */
export async function createBareDatabase(): Promise<TestDatabase> {
  const database = await copyOf('template0');
  const workers = inject('workerUrls').map(url => databaseUrl(url, nameOf(database.directUrl)));
  await joinWorkers(database.directUrl, workers);
  return database;
}

async function copyOf(template: string): Promise<TestDatabase> {
  const administratorUrl = inject('administratorUrl');
  const name = `${inject('runName')}_${randomBytes(4).toString('hex')}`;
  const make = (sql: Operator) =>
    sql.query(`create database ${name} template ${template} strategy file_copy`);
  const drop = (sql: Operator) => sql.query(`drop database if exists ${name} with (force)`);
  await Promise.all(administratorsOf().map(make));
  return {
    url: databaseUrl(inject('poolerUrl') || administratorUrl, name),
    directUrl: databaseUrl(administratorUrl, name),
    async drop() {
      // The coordinator first, since it asks its workers. Citus may begin sessions of its own meanwhile.
      for (const sql of administratorsOf()) await until(() => drop(sql));
    },
  };
}

/** Administrators of the server of the tests, and of its workers where it is a coordinator of Citus. */
function administratorsOf(): Operator[] {
  return [inject('administratorUrl'), ...inject('workerUrls')].map(url => {
    const sql = administrators.get(url) ?? connectOperator(url);
    administrators.set(url, sql);
    return sql;
  });
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
