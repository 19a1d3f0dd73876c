import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject } from 'vitest';
import { serverAccount } from '../../packages/embedded/src/account.ts';
import type { ReadSettings } from '../../sql/client.ts';
import { freePort, toAddress } from './network.ts';
import { connectOperator } from './operator.ts';

/** PgBouncer in transaction mode between the tests and their server. */
export interface Pooler {
  /** The administrator's connection URL through the pooler. */
  url: string;
  stop(): Promise<void>;
}

/** The service's login behind a pooler, which does not allow switching roles. Created for this run. */
export function readerName(runName: string): string {
  return `${runName}_web`;
}

/**
 * Starts the given program for every database of the server.
 * @param folder for its files; the caller removes it
 * @param poolSize connections per database and login
 */
export async function startPooler(
  program: string,
  serverUrl: string,
  reader: string,
  folder: string,
  poolSize = 10,
): Promise<Pooler> {
  const port = await freePort();
  const file = writeConfiguration({ serverUrl, reader, folder, port, poolSize });
  const account = serverAccount(folder);
  if (account) chownSync(folder, account.uid, account.gid);
  const child = spawn(program, [file], { ...account, stdio: 'ignore' });
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${program} ended with ${code}: ${readFileSync(join(folder, 'pgbouncer.log'), 'utf8')}`);
  });
  await Promise.race([untilListening(port), failed]);
  failed.catch(() => {});
  const { username } = new URL(serverUrl);
  return { url: `postgres://${username}@127.0.0.1:${port}/postgres`, stop: () => end(child) };
}

interface PoolerConfig {
  serverUrl: string;
  reader: string;
  folder: string;
  port: number;
  poolSize: number;
}

function writeConfiguration({ serverUrl, reader, folder, port, poolSize }: PoolerConfig): string {
  const target = toAddress(serverUrl);
  const { username, password } = new URL(serverUrl);
  const server =
    'path' in target
      ? `host=${target.path.slice(0, target.path.lastIndexOf('/'))} port=${target.path.split('.').at(-1)}`
      : `host=${target.host} port=${target.port}`;
  const users = join(folder, 'users.txt');
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n"${reader}" ""\n`);
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = ${server}
[pgbouncer]
pool_mode = transaction
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
max_client_conn = 1000
default_pool_size = ${poolSize}
server_lifetime = 60
logfile = ${join(folder, 'pgbouncer.log')}
`,
  );
  return file;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const isThere = await Promise.race([once(socket, 'connect').then(() => true), sleep(1000, false)]).catch(
      () => false,
    );
    socket.destroy();
    if (isThere) return;
    await sleep(20);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended.catch(() => {});
}

/** Creates the service's login with the privileges listed in docs/operations.md. */
export async function makeReader(administratorUrl: string, reader: string): Promise<void> {
  const sql = connectOperator(administratorUrl);
  try {
    await sql.query(`create role ${reader} login in role sightline_reader`);
    for (const setting of READER_SETTINGS) await sql.query(`alter role ${reader} set ${setting}`);
  } finally {
    await sql.end();
  }
}

const READER_SETTINGS = [
  "statement_timeout = '2s'",
  "plan_cache_mode = 'force_custom_plan'",
  "timezone = 'UTC'",
  'jit = off',
  'random_page_cost = 1.1',
];

/** Checks whether the tests connect to their databases through a pooler. */
export function isPooled(): boolean {
  return inject('poolerUrl') !== '';
}

/** The connection settings of a service for a test database. */
export function serviceConnection(url: string): Pick<ReadSettings, 'url' | 'prepare' | 'role'> {
  if (!isPooled()) return { url, prepare: true, role: 'sightline_reader' };
  return { url: asReader(url), prepare: false, role: '' };
}

/** The same for a service with environment settings, which take precedence. */
export function serviceEnvironment(env: Record<string, string>): Record<string, string> {
  const { DATABASE_URL: url, DATABASE_ROLE: role } = env;
  if (!isPooled() || !url) return env;
  const login = role === undefined ? { DATABASE_URL: asReader(url), DATABASE_ROLE: '' } : {};
  return { DATABASE_PREPARE: 'false', ...env, ...login };
}

function asReader(url: string): string {
  const reader = new URL(url);
  reader.username = readerName(inject('runName'));
  reader.password = '';
  return reader.href;
}
