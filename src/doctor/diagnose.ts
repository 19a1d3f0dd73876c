import type { Statements } from '@sightline/postgres';
import { inTime } from '@sightline/postgres';
import { connect, type Database } from '../../sql/client.ts';
import { connectOperator } from '../../sql/operator/connect.ts';
import {
  connectionLimit,
  serverFacts,
  sessionDefaults,
  unreadableTables,
} from '../../sql/operator/examination.ts';
import { mayMakeTables, signsInToWrite } from '../../sql/operator/restored.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config.ts';
import { preflight, Unserviceable } from '../preflight.ts';
import { checkData } from './data.ts';
import { type Finding, fault, good, warning } from './finding.ts';
import { checkRedis } from './redis.ts';
import { checkReplicas } from './replicas.ts';
import * as server from './server.ts';
import { checkSettings } from './settings.ts';
import { unreachable } from './unreachable.ts';

const SETTING = 'DATABASE_URL';

/** Milliseconds within which a server has to answer. */
const LIMIT = 15_000;

/**
 * Looks at everything that the service hangs on, and changes nothing. A thing that it cannot look at is a finding, too.
 * @param databaseUrl that of the settings, or of the embedded database
 */
export async function diagnose(config: Config, databaseUrl: string, clock: Clock): Promise<Finding[]> {
  const primary = connect({ ...config.database, url: databaseUrl, poolSize: 1 });
  try {
    const absence = await absenceOf(databaseUrl);
    const { redisUrl } = config;
    return [
      ...checkSettings(config),
      ...(absence ? [absence] : await examine(databaseUrl, primary, config, clock)),
      ...(await checkReplicas(absence ? undefined : primary, config)),
      ...(redisUrl ? [await checkRedis(redisUrl)] : []),
    ];
  } finally {
    await primary.end();
  }
}

/** Why no session begins on the database. */
async function absenceOf(url: string): Promise<Finding | undefined> {
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

/** The server itself, and then what the service and its data need of it. */
async function examine(url: string, service: Database, config: Config, clock: Clock): Promise<Finding[]> {
  const sql = connectOperator(url);
  try {
    const before = clock.now().getTime();
    const facts = await serverFacts(sql);
    const asked = [before, clock.now().getTime()] as const;
    const ofServer = [
      server.checkVersion(facts),
      server.checkEncryption(url, facts.isEncrypted, SETTING),
      server.checkEncoding(facts),
      server.checkServerSettings(facts),
      server.checkClocks(facts, asked),
      server.checkLogin(facts),
      server.checkConnections(await connectionLimit(sql), config),
      ...(config.database.prepare ? [] : [server.checkPooledSession(await sessionDefaults(sql), facts)]),
    ];
    return [...ofServer, ...(await checkService(sql, service, config, clock))];
  } finally {
    await sql.end();
  }
}

/** Checks what no backup holds, so that it is missing where one was restored by hand. */
async function checkRights(sql: Statements, role: string): Promise<Finding> {
  const query = (text: string) => sql.query(text);
  const who = role || 'sightline_reader';
  const missing = [
    ...((await mayMakeTables(query, who)) ? ['may make temporary tables'] : []),
    ...((await signsInToWrite(query)) ? ['logs in without default_transaction_read_only'] : []),
  ];
  if (missing.length === 0) return good('rights', `${who} may make no temporary tables`);
  const remedy =
    'run "sightline migrate" as the owner, or as an administrator where the owner may make no roles';
  return warning('rights', `${who} ${missing.join(', and ')}`, remedy);
}

/** Checks that the service would serve from it; only then its data can be looked at. */
async function checkService(
  sql: Statements,
  service: Database,
  config: Config,
  clock: Clock,
): Promise<Finding[]> {
  const { role } = config.database;
  try {
    await preflight(service, role);
  } catch (error) {
    const { problem, remedy = 'look at the log of PostgreSQL' } =
      error instanceof Unserviceable ? error : { problem: (error as Error).message };
    return [fault('service', problem, remedy)];
  }
  const unreadable = await unreadableTables(sql, role);
  const grants =
    unreadable.length === 0
      ? good('service', 'the database is migrated, and the service may read it and not write')
      : fault(
          'service',
          `${role || 'the login'} may not read ${unreadable.join(', ')}`,
          `grant select on ${unreadable.join(', ')} to ${role || 'the login'}`,
        );
  return [
    grants,
    await checkRights(sql, role),
    ...(await checkData(sql, clock.now().toISOString().slice(0, 10))),
  ];
}
