import { randomBytes } from 'node:crypto';
import type { Sql } from 'postgres';
import { inject } from 'vitest';
import { connectOperator } from '../../sql/operator/connect.ts';
import { joinWorkers } from './workers.ts';

export interface TestDatabase {
  /** As an administrator, who may migrate and load. */
  url: string;
  /** The same without the pooler that the run may have between: for logins of the test's own. */
  directUrl: string;
  /** Ends all sessions on it, too. What is not dropped goes at the end of the run. */
  drop(): Promise<void>;
}

/** One for each server, for all files of a process: they end with that. */
const administrators = new Map<string, Sql>();

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
  const make = (sql: Sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`;
  const drop = (sql: Sql) => sql`drop database if exists ${sql(name)} with (force)`;
  await onAllServers(make);
  return {
    url: databaseUrl(inject('poolerUrl') || administratorUrl, name),
    directUrl: databaseUrl(administratorUrl, name),
    drop: () => onAllServers(drop),
  };
}

/** On the server of the tests, and on its workers where it is a coordinator of Citus. */
async function onAllServers(work: (sql: Sql) => PromiseLike<unknown>): Promise<void> {
  const urls = [inject('administratorUrl'), ...inject('workerUrls')];
  await Promise.all(
    urls.map(url => {
      const known = administrators.get(url);
      const sql = known ?? connectOperator(url);
      administrators.set(url, sql);
      return work(sql);
    }),
  );
}

const nameOf = (url: string) => new URL(url).pathname.slice(1);

/** The address of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
