import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { startEmbedded } from '@sightline/embedded';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../sql/operator/migrate.ts';
import { hasCitus, startCitus } from './citus.ts';
import { copyCluster, makeCluster } from './cluster.ts';
import { compileService } from './compiled.ts';
import { databaseUrl } from './database.ts';
import { makeFolder } from './folder.ts';
import { connectOperator, type Operator } from './operator.ts';
import { makeReader, readerName, startPooler } from './pooler.ts';
import { joinWorkers, listWorkers } from './workers.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder of a new PostgreSQL that was never started; empty if a server was given. */
    cluster: string;
    /** The folder of the compiled service, with the layout of the installed package. */
    compiled: string;
    /** The same through a pooler; empty if there is none. */
    poolerUrl: string;
    /** The connection URL of the test server, as an administrator. */
    administratorUrl: string;
    /** The same for its workers, if it is a Citus coordinator. */
    workerUrls: string[];
    /** The prefix of all database names of this run, which is also the name of the migrated template. */
    runName: string;
  }
}

interface TestServer {
  administratorUrl: string;
  cluster: string;
  stop(): Promise<void>;
}

/**
 * For each run, starts a server with a migrated template database, and compiles the service for tests that start
 * processes.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env.TEST_DATABASE_URL;
  const [server, compiled] = await Promise.all([
    given ? borrowServer(given) : startServer(),
    compileService(),
  ]);
  const { administratorUrl, cluster } = server;
  const workerUrls = given ? await listWorkers(administratorUrl) : [];
  const serverUrls = [administratorUrl, ...workerUrls];
  const runName = `sightline_test_${randomBytes(4).toString('hex')}`;
  await makeTemplate(serverUrls, runName);
  const pooler = await startGivenPooler(administratorUrl, runName);
  project.provide('administratorUrl', administratorUrl);
  project.provide('workerUrls', workerUrls);
  project.provide('cluster', cluster);
  project.provide('poolerUrl', pooler.url);
  project.provide('runName', runName);
  project.provide('compiled', compiled);
  return async () => {
    await pooler.stop();
    if (given) for (const url of serverUrls) await dropDatabases(url, runName);
    await server.stop();
  };
}

/** Starts the pooler named by TEST_POOLER, such as "pgbouncer", between the tests and their server. */
async function startGivenPooler(
  administratorUrl: string,
  runName: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const program = process.env.TEST_POOLER;
  if (!program) return { url: '', stop: async () => {} };
  const reader = readerName(runName);
  await makeReader(administratorUrl, reader);
  const folder = makeFolder();
  const pooler = await startPooler(program, administratorUrl, reader, folder);
  return {
    url: pooler.url,
    async stop() {
      await pooler.stop();
      rmSync(folder, { recursive: true, force: true });
      await dropRole(administratorUrl, reader);
    },
  };
}

async function dropRole(administratorUrl: string, role: string): Promise<void> {
  const administrator = connectOperator(administratorUrl);
  await administrator.query(`drop role if exists ${role}`).catch(() => {});
  await administrator.end();
}

/** @param given a connection URL, or `citus` for a coordinator with two workers */
async function borrowServer(given: string): Promise<TestServer> {
  if (given !== 'citus') return { administratorUrl: given, cluster: '', stop: async () => {} };
  if (!hasCitus()) throw new Error("the system's PostgreSQL has no Citus");
  const citus = await startCitus();
  return { administratorUrl: citus.url, cluster: '', stop: async () => citus[Symbol.asyncDispose]() };
}

async function startServer(): Promise<TestServer> {
  const [directory, cluster] = [makeFolder(), makeFolder()];
  await makeCluster(directory);
  copyCluster(directory, cluster);
  // Nothing needs to survive a crash.
  const settings = {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    autovacuum: 'off',
    max_connections: '200',
  };
  const database = await startEmbedded({ directory, settings });
  const stop = async () => {
    await database.stop();
    for (const folder of [directory, cluster]) rmSync(folder, { recursive: true, force: true });
  };
  return { administratorUrl: database.url, cluster, stop };
}

async function makeTemplate(serverUrls: readonly string[], name: string): Promise<void> {
  const administrators = serverUrls.map(url => connectOperator(url));
  const [templateUrl, ...workerUrls] = serverUrls.map(url => databaseUrl(url, name)) as [string, ...string[]];
  const template = connectOperator(templateUrl);
  try {
    for (const sql of administrators) {
      await sql.query(`create database ${name} template template0 encoding 'UTF8'`);
    }
    // Created as an administrator would, so that statements do not depend on the order of the tests. A Citus
    // coordinator creates it on its workers, which reject other roles.
    await administrators[0]!.query(`do $$ begin create role sightline_importer nologin;
      exception when duplicate_object or unique_violation then null; end $$`);
    await joinWorkers(templateUrl, workerUrls);
    await migrate(template);
    await template.end();
    for (const sql of administrators) await seal(sql, name);
  } finally {
    await Promise.all([template, ...administrators].map(sql => sql.end()));
  }
}

/** Any session on the template, even of autovacuum or Citus, would prevent it from being copied. */
async function seal(administrator: Operator, name: string): Promise<void> {
  await administrator.query(`alter database ${name} allow_connections false`);
  await administrator`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
}

async function dropDatabases(administratorUrl: string, runName: string): Promise<void> {
  const administrator = connectOperator(administratorUrl);
  try {
    const databases = await administrator<{ datname: string }[]>`
      select datname from pg_database where starts_with(datname, ${runName})`;
    for (const { datname } of databases) {
      await administrator.query(`drop database if exists ${datname} with (force)`);
    }
  } finally {
    await administrator.end();
  }
}
