import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import { connectOperator, type Operator } from './operator.ts';
import { until } from './until.ts';
import { joinWorkers } from './workers.ts';

export interface TestDatabase {
  /** The URL for an administrator, who can migrate and load. */
  url: string;
  /** The same without the pooler of this run, for logins that a test creates. */
  directUrl: string;
  /** Also ends all sessions of the database. Everything else is removed at the end of the run. */
  drop(): Promise<void>;
}

/** One per server, shared by all files of a process. They end with the process. */
const administrators = new Map<string, Operator>();

/** Creates a database for the test that is migrated and empty. */
export function createDatabase(): Promise<TestDatabase> {
  return getCopy(inject('runName'));
}

/** Creates a database for the test without any tables. */
export async function createBareDatabase(): Promise<TestDatabase> {
  const database = await getCopy('template0');
  const workers = inject('workerUrls').map(url => databaseUrl(url, getName(database.directUrl)));
  await joinWorkers(database.directUrl, workers);
  return database;
}

async function getCopy(template: string): Promise<TestDatabase> {
  const administratorUrl = inject('administratorUrl');
  const name = `${inject('runName')}_${randomBytes(4).toString('hex')}`;
  const make = (sql: Operator) =>
    sql.query(`create database ${name} template ${template} strategy file_copy`);
  const drop = (sql: Operator) => sql.query(`drop database if exists ${name} with (force)`);
  await Promise.all(getAdministrators().map(make));
  return {
    url: databaseUrl(inject('poolerUrl') || administratorUrl, name),
    directUrl: databaseUrl(administratorUrl, name),
    async drop() {
      // The coordinator comes first, because it connects to its workers. Citus can open sessions in the meantime.
      for (const sql of getAdministrators()) await until(() => drop(sql));
    },
  };
}

/** Administrators of the test server and, if it is a Citus coordinator, of its workers. */
function getAdministrators(): Operator[] {
  return [inject('administratorUrl'), ...inject('workerUrls')].map(url => {
    const sql = administrators.get(url) ?? connectOperator(url);
    administrators.set(url, sql);
    return sql;
  });
}

const getName = (url: string) => new URL(url).pathname.slice(1);

/** Returns the URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
