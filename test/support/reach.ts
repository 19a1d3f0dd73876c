import { rmSync } from 'node:fs';
import { startEmbedded } from '@sightline/embedded';
import { migrate } from '../../sql/operator/migrate.ts';
import { makeFolder } from './folder.ts';
import { connectOperator, type Operator } from './operator.ts';
import { makeReader, startPooler } from './pooler.ts';
import { startPrimary } from './standby.ts';
import { startTlsServer } from './tls-server.ts';

/** A migrated database, and how a service connects to it. */
export interface Reach extends AsyncDisposable {
  /** The administrator's connection URL of the server for writes, without a pooler or proxy. */
  url: string;
  /** The same for the server for reads. */
  readUrl: string;
  /** Settings of a service. */
  env: Record<string, string>;
}

const SETTINGS = { fsync: 'off', max_connections: '100' };

/** The service's read-only login. */
const READER = 'web';

/** The connections that PgBouncer needs for one process, as docs/operations.md counts them. */
const POOLED = 18;

async function prepare(
  url: string,
  work: (sql: Operator) => Promise<unknown> = async () => {},
): Promise<void> {
  const sql = connectOperator(url);
  await migrate(sql);
  await work(sql);
  await sql.end();
}

export async function inTheClear(): Promise<Reach> {
  const directory = makeFolder();
  const { url, stop } = await startEmbedded({ directory, settings: SETTINGS });
  await prepare(url);
  return {
    url,
    readUrl: url,
    env: { DATABASE_URL: url },
    async [Symbol.asyncDispose]() {
      await stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function byTls(): Promise<Reach> {
  const server = await startTlsServer('localhost', { settings: SETTINGS });
  const { url } = server;
  await prepare(url, sql =>
    sql.query(`create role ${READER} login password '${READER}' in role sightline_reader`),
  );
  return {
    url,
    readUrl: url,
    env: { DATABASE_URL: url.replace(/\/\/.*@/, `//${READER}:${READER}@`), DATABASE_ROLE: '' },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

export async function byPooler(): Promise<Reach> {
  const database = await inTheClear();
  const { url } = database;
  await makeReader(url, READER);
  const folder = makeFolder();
  const pooler = await startPooler('pgbouncer', url, READER, folder, POOLED);
  return {
    url,
    readUrl: url,
    env: {
      DATABASE_URL: pooler.url.replace(/\/\/.*@/, `//${READER}@`),
      DATABASE_ROLE: '',
      DATABASE_PREPARE: 'false',
    },
    async [Symbol.asyncDispose]() {
      await pooler.stop();
      rmSync(folder, { recursive: true, force: true });
      await database[Symbol.asyncDispose]();
    },
  };
}

export async function byReplica(): Promise<Reach> {
  const primary = await startPrimary();
  const standby = await primary.standby();
  return {
    url: primary.url,
    readUrl: standby.url,
    env: { DATABASE_URL: primary.url, DATABASE_READ_URL: standby.url, DATABASE_READ_MAX_LAG: '1s' },
    async [Symbol.asyncDispose]() {
      await standby[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
    },
  };
}
