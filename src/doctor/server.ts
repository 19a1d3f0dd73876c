import { mostBeyond, parseAddress } from '@sightline/postgres';
import type { ConnectionLimit, ServerFacts, SessionDefaults } from '../../sql/operator/examination.ts';
import type { Config } from '../config.ts';
import { type Finding, fault, good, warning } from './finding.ts';

const LEAST_VERSION = 150_000;

/** Milliseconds by which two clocks may differ. */
const CLOCK_TOLERANCE = 1000;

/** Connections that a load and "maintain" take at once. */
const OPERATOR_CONNECTIONS = 4;

export function checkVersion({ version, versionNumber }: ServerFacts): Finding {
  if (versionNumber >= LEAST_VERSION) return good('database', `PostgreSQL ${version} answers`);
  return fault('database', `PostgreSQL ${version} is too old`, 'upgrade it to 15 or newer');
}

export function checkEncoding({ encoding, database }: ServerFacts): Finding {
  if (encoding === 'UTF8') return good('encoding', 'texts are kept in UTF8');
  return fault(
    'encoding',
    `the database ${database} keeps texts in ${encoding}`,
    `create it anew: create database ${database} template template0 encoding 'UTF8'`,
  );
}

export function checkServerSettings({ off }: ServerFacts): Finding {
  if (off.length === 0) return good('server settings', 'fsync, full_page_writes and autovacuum are on');
  return warning(
    'server settings',
    `${off.join(', ')} ${off.length === 1 ? 'is' : 'are'} off: data or speed may be lost`,
    `run "alter system set … = on" for ${off.join(', ')}, and reload the server`,
  );
}

/** The service steps down from its login, but an intruder in it can step up again. */
export function checkLogin({ login, isSuperuser }: ServerFacts): Finding {
  if (!isSuperuser) return good('login', `${login} is no superuser`);
  return warning(
    'login',
    `the login ${login} is a superuser, so its password opens everything`,
    'create a login of its own for the service: create role sightline_web login in role sightline_reader',
  );
}

/**
 * @param asked the service's clock before and after the server told its own, in milliseconds of the Unix epoch
 */
export function checkClocks({ clock }: ServerFacts, asked: readonly [number, number]): Finding {
  const [before, after] = asked;
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

/** @param setting the one that has the address */
export function checkEncryption(url: string, isEncrypted: boolean, setting: string): Finding {
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
): Finding {
  const ofProcess = database.poolSize + exportConcurrency + (replicas.urls.length > 0 ? 1 : 0);
  const wanted = processes * ofProcess + OPERATOR_CONNECTIONS;
  const most = wanted + processes * mostBeyond(database.poolSize);
  const allowed = `${by} allows ${connections} connections`;
  if (connections >= most)
    return good('connections', `${allowed}, and an instance with operator's commands takes ${most} at most`);
  if (connections >= wanted)
    return warning(
      'connections',
      `${allowed}: an instance takes ${wanted}, and ${most} while statements of several keys hang`,
      `raise the connection limit of ${by}, so that these keys hold up no others`,
    );
  return fault(
    'connections',
    `${allowed}, and an instance with operator's commands takes ${wanted}`,
    `raise the connection limit of ${by}, or lower WEB_CONCURRENCY or DATABASE_POOL_SIZE`,
  );
}

/** Checks settings that a session's start asks for: behind a pooler they do not reach PostgreSQL. */
export function checkPooledSession(
  { statementTimeout, isReadOnly }: SessionDefaults,
  { login }: ServerFacts,
): Finding {
  const missing = [
    ...(statementTimeout === '0' ? ["statement_timeout = '2s'"] : []),
    ...(isReadOnly ? [] : ['default_transaction_read_only = on']),
  ];
  if (missing.length === 0) return good('pooler', `sessions of ${login} have a time limit and only read`);
  return warning(
    'pooler',
    `DATABASE_PREPARE is false, and sessions of ${login} begin without ${missing.join(' and ')}`,
    missing.map(setting => `alter role ${login} set ${setting}`).join('; '),
  );
}
