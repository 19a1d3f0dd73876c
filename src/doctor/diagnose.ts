import type { Statements } from '@sightline/pg-client';
import { inTime } from '@sightline/pg-client';
import { connect, type Database } from '../../sql/client.ts';
import { connectOperator } from '../../sql/operator/connect.ts';
import {
  connectionLimit,
  findHiddenSchema,
  findWriteFailure,
  listUnreadableTables,
  loginRights,
  serverFacts,
  sessionDefaults,
  spillToDisk,
} from '../../sql/operator/examination.ts';
import { mayMakeTables, signsInToWrite } from '../../sql/operator/restored.ts';
import { READER } from '../../sql/roles.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { preflight, Unserviceable } from '../preflight.ts';
import { checkData } from './data.ts';
import { type Diagnosis, fault, good, warning } from './finding.ts';
import { checkRedis } from './redis.ts';
import { checkReplicas } from './replicas.ts';
import { checkRunning } from './running.ts';
import * as server from './server.ts';
import { checkSettings } from './settings.ts';
import { unreachable } from './unreachable.ts';

const SETTING = 'DATABASE_URL';

/** The time limit for a server's response, in milliseconds. */
const LIMIT = 15_000;

/**
 * Checks everything that the service depends on, without changing it. A failed check is reported as well.
 * @param databaseUrl from the settings, or of the embedded database
 */
export async function diagnose(config: Config, databaseUrl: string, clock: Clock): Promise<Diagnosis[]> {
  const primary = connect({ ...config.database, url: databaseUrl, poolSize: 1 });
  try {
    const absence = await diagnoseAbsence(databaseUrl);
    const { redisUrl } = config;
    return [
      ...checkSettings(config),
      ...(absence ? [absence] : await examine(databaseUrl, primary, config, clock)),
      ...(await checkReplicas(absence ? undefined : primary, config)),
      ...(redisUrl ? [await checkRedis(redisUrl)] : []),
      ...(await checkRunning(config)),
    ];
  } finally {
    await primary.end();
  }
}

/** Diagnoses why the database cannot be opened. */
async function diagnoseAbsence(url: string): Promise<Diagnosis | undefined> {
  const sql = connectOperator(url);
  try {
    await inTime(sql.query('select'), LIMIT);
    return undefined;
  } catch (error) {
    return unreachable('database', error, SETTING);
  } finally {
    await sql.end();
  }
}

/** Checks the server itself, then the requirements of the service and its data. */
async function examine(url: string, service: Database, config: Config, clock: Clock): Promise<Diagnosis[]> {
  const sql = connectOperator(url);
  try {
    const before = clock.now().getTime();
    const facts = await serverFacts(sql);
    const sentAndReceived = [before, clock.now().getTime()] as const;
    const ofServer = [
      server.checkVersion(facts),
      server.checkEncryption(url, facts.isEncrypted, SETTING),
      server.checkEncoding(facts),
      server.checkServerSettings(facts),
      server.checkClocks(facts, sentAndReceived),
      server.checkLogin(facts, await loginRights(sql, config.database.role)),
      server.checkWrites(await findWriteFailure(sql), facts),
      server.checkConnections(await connectionLimit(sql), config),
      ...(config.database.prepare ? [] : [server.checkPooledSession(await sessionDefaults(sql), facts)]),
    ];
    const disk = server.checkTemporaryFiles(await toError(spillToDisk(sql)));
    return [...ofServer, ...(disk ? [disk] : []), ...(await checkService(sql, service, config, clock))];
  } finally {
    await sql.end();
  }
}

function toError(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => undefined,
    error => error,
  );
}

/** Checks objects that are not part of backups, and are missing after a manual restore. */
async function checkRights(sql: Statements, role: string): Promise<Diagnosis> {
  const query = (text: string) => sql.query(text);
  const who = role || READER;
  const missing = [
    ...((await mayMakeTables(query, who)) ? ['may make temporary tables'] : []),
    ...((await signsInToWrite(query)) ? ['logs in without default_transaction_read_only'] : []),
  ];
  if (missing.length === 0) return good('rights', `${who} cannot create temporary tables`);
  const remedy =
    'run "sightline migrate" as the owner, or as an administrator if the owner cannot create roles';
  return warning('rights', `${who} ${missing.join(', and ')}`, remedy);
}

/** Checks that the service would accept the database. The checks of its data depend on that. */
async function checkService(
  sql: Statements,
  service: Database,
  config: Config,
  clock: Clock,
): Promise<Diagnosis[]> {
  const { role } = config.database;
  try {
    await preflight(service, role);
  } catch (error) {
    const schema = await findHiddenSchema(sql);
    if (schema !== undefined)
      return [
        fault(
          'service',
          `the tables are in the schema ${schema}, which is not in the search_path of the login`,
          `grant usage on schema ${schema} to the login, and keep it in its search_path: alter role … set search_path = ${schema}`,
        ),
      ];
    const pooled = pooledWithoutSetting(error);
    if (pooled) return [pooled];
    const { problem, remedy = 'check the log of PostgreSQL' } =
      error instanceof Unserviceable ? error : { problem: (error as Error).message };
    return [fault('service', problem, remedy)];
  }
  const unreadable = await listUnreadableTables(sql, role);
  const grants =
    unreadable.length === 0
      ? good('service', 'the database is migrated, and the service can read but not write')
      : fault(
          'service',
          `${role || 'the login'} cannot read ${unreadable.join(', ')}`,
          `grant select on ${unreadable.join(', ')} to ${role || 'the login'}`,
        );
  return [
    grants,
    await checkRights(sql, role),
    ...(await checkData(sql, clock.now().toISOString().slice(0, 10))),
  ];
}

/** PgBouncer runs a transaction in any of its sessions, which breaks prepared statements and session settings. */
function pooledWithoutSetting(error: unknown): Diagnosis | undefined {
  const { message } = error as Error;
  if (!/unsupported startup parameter|prepared statement .* (?:does not exist|already exists)/.test(message))
    return undefined;
  return fault(
    'service',
    `a pooler such as PgBouncer is in front of the database: ${message}`,
    'set DATABASE_PREPARE=false, and give the login its limits as docs/operations.md shows',
  );
}
