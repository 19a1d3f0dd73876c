import { maxOverflow, PLANNER_SETTINGS, parseAddress } from '@sightline/pg-client';
import type {
  ConnectionLimit,
  LoginRights,
  ServerFacts,
  SessionDefaults,
  WriteFailure,
} from '../../sql/operator/examination.ts';
import { READER } from '../../sql/roles.ts';
import type { Config } from '../config.ts';
import { type Diagnosis, fault, good, warning } from './finding.ts';

const LEAST_VERSION = 150_000;

/** The statement that creates a login for the service. */
const CREATE_LOGIN = `create role sightline_web login in role ${READER}`;

/** The tolerated clock difference, in milliseconds. */
const CLOCK_TOLERANCE = 1000;

/** The number of connections that a load and "maintain" use together. */
const OPERATOR_CONNECTIONS = 4;

export function checkVersion({ version, versionNumber }: ServerFacts): Diagnosis {
  if (versionNumber >= LEAST_VERSION) return good('database', `PostgreSQL ${version} answers`);
  return fault('database', `PostgreSQL ${version} is too old`, 'upgrade it to 15 or newer');
}

export function checkEncoding({ encoding, database }: ServerFacts): Diagnosis {
  if (encoding === 'UTF8') return good('encoding', 'the database uses UTF8');
  return fault(
    'encoding',
    `the database ${database} uses ${encoding}`,
    `create it again: create database ${database} template template0 encoding 'UTF8'`,
  );
}

export function checkServerSettings({ off }: ServerFacts): Diagnosis {
  if (off.length === 0) return good('server settings', 'fsync, full_page_writes and autovacuum are on');
  return warning(
    'server settings',
    `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off: data or speed may be lost`,
    `run "alter system set … = on" for ${off.join(', ')}, and reload the server`,
  );
}

/** The service drops the privileges of its login, but an intruder could regain them. */
export function checkLogin({ login, isSuperuser }: ServerFacts, rights: LoginRights): Diagnosis {
  if (!isSuperuser) return checkLoginRights(login, rights);
  return warning(
    'login',
    `the login ${login} is a superuser, so its password gives access to everything`,
    `create a login of its own for the service: ${CREATE_LOGIN}`,
  );
}

function checkLoginRights(login: string, { isOwner, writable }: LoginRights): Diagnosis {
  if (writable.length === 0)
    return good('login', `${login} is not a superuser, and cannot write to any table`);
  if (isOwner)
    return warning(
      'login',
      `the login ${login} owns the tables, so its password can change everything`,
      `give the service a login of its own: ${CREATE_LOGIN}`,
    );
  const tables = writable.slice(0, 3).join(', ');
  return warning(
    'login',
    `the login ${login} can write to ${tables}, so its password can change data`,
    `revoke insert, update, delete, truncate on ${writable.join(', ')} from ${login}, or from the role that it has them by`,
  );
}

/** Loads, keys and "maintain" fail if the database is read-only, while the service continues with old data. */
export function checkWrites(failure: WriteFailure | undefined, { database }: ServerFacts): Diagnosis {
  switch (failure) {
    case undefined:
      return good('writes', 'the database takes writes');
    case 'standby':
      return fault(
        'writes',
        'the server of DATABASE_URL is a standby, so loads, keys and "maintain" fail',
        'set DATABASE_URL to the primary, and DATABASE_READ_URL to the standby',
      );
    case 'database':
      return fault(
        'writes',
        `default_transaction_read_only is on for the database ${database}, so loads, keys and "maintain" fail`,
        `run "alter database ${database} reset default_transaction_read_only", or "alter role all reset …"`,
      );
    case 'server':
      return fault(
        'writes',
        'default_transaction_read_only is on at the server, so loads, keys and "maintain" fail',
        'run "alter system reset default_transaction_read_only", and reload the server',
      );
  }
}

/** @param error of a statement that makes the server write a temporary file; undefined if it succeeded */
export function checkTemporaryFiles(error: unknown): Diagnosis | undefined {
  if (error === undefined) return undefined;
  const { message } = error as Error;
  if (/No space left|could not write|53100/.test(message))
    return fault(
      'disk space',
      `the server cannot write: ${message}`,
      'free space on the disk of PostgreSQL ("df -h" there), or enlarge it; "sightline prune" removes reports past their retention',
    );
  return warning(
    'disk space',
    `the server wrote no temporary file: ${message}`,
    'check the log of PostgreSQL, and temp_file_limit',
  );
}

/**
 * @param sentAndReceived the service's clock before the query and after the response, in milliseconds since the Unix
 * epoch
 */
export function checkClocks({ clock }: ServerFacts, sentAndReceived: readonly [number, number]): Diagnosis {
  const [before, after] = sentAndReceived;
  const apart = Math.max(before - clock, clock - after, 0);
  if (apart <= CLOCK_TOLERANCE) return good('clocks', 'service and database have the same time');
  const seconds = (apart / 1000).toFixed(1);
  return warning(
    'clocks',
    `the clocks of service and database are ${seconds} s apart`,
    'synchronise both machines by NTP, such as with chrony or systemd-timesyncd',
  );
}

const LOCAL = /^(?:localhost|127\.\d+\.\d+\.\d+|::1|\/.*)$/;

/** @param setting that contains the URL */
export function checkEncryption(url: string, isEncrypted: boolean, setting: string): Diagnosis {
  const { hosts, encryption } = parseAddress(url);
  const isLocal = hosts.every(({ name, path }) => path !== undefined || LOCAL.test(name));
  if (!isEncrypted) {
    if (isLocal) return good('encryption', `the host of ${setting} is this machine`);
    return warning(
      'encryption',
      `the connection of ${setting} is not encrypted`,
      `set ssl = on at the server, and sslmode=verify-full in ${setting}; in Compose's own network leave it as it is`,
    );
  }
  if (encryption.mode === 'verify-full') return good('encryption', `${setting} is encrypted and verified`);
  return warning(
    'encryption',
    `the certificate of the server of ${setting} is not verified (sslmode=${encryption.mode})`,
    `set sslmode=verify-full and sslrootcert in ${setting}`,
  );
}

export function checkConnections(
  { connections, by }: ConnectionLimit,
  { processes, database, exportConcurrency, replicas }: Config,
): Diagnosis {
  const ofProcess = database.poolSize + exportConcurrency + (replicas.urls.length > 0 ? 1 : 0);
  const wanted = processes * ofProcess + OPERATOR_CONNECTIONS;
  const most = wanted + processes * maxOverflow(database.poolSize);
  const allowed = `${by} allows ${connections} connections`;
  if (connections >= most)
    return good('connections', `${allowed}, and an instance with operator's commands uses at most ${most}`);
  if (connections >= wanted)
    return warning(
      'connections',
      `${allowed}: an instance uses ${wanted}, and ${most} while statements of several keys hang`,
      `raise the connection limit of ${by}, so that these keys do not delay others`,
    );
  return fault(
    'connections',
    `${allowed}, and an instance with operator's commands uses ${wanted}`,
    `raise the connection limit of ${by}, or lower WEB_CONCURRENCY or DATABASE_POOL_SIZE`,
  );
}

/** Detects a connection pooler that drops settings of the startup message. */
export function checkPooledSession(
  { statementTimeout, isReadOnly, planner }: SessionDefaults,
  { login }: ServerFacts,
): Diagnosis {
  const missing = [
    ...(statementTimeout === '0' ? ["statement_timeout = '2s'"] : []),
    ...(isReadOnly ? [] : ['default_transaction_read_only = on']),
    ...Object.entries(PLANNER_SETTINGS)
      .filter(([name, value]) => planner[name] !== value)
      .map(([name, value]) => `${name} = '${value}'`),
  ];
  if (missing.length === 0)
    return good('pooler', `sessions of ${login} have a time limit, only read, and plan as the service does`);
  return warning(
    'pooler',
    `DATABASE_PREPARE is false, and sessions of ${login} begin without ${missing.join(' and ')}`,
    missing.map(setting => `alter role ${login} set ${setting}`).join('; '),
  );
}
