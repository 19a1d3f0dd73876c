import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as listenTo } from 'node:net';
import { PLANNER_SETTINGS, Rows } from '@sightline/pg-client';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../sql/client.ts';
import { migrations } from '../../sql/operator/migrate.ts';
import { READER } from '../../sql/roles.ts';
import { type Config, readConfig } from '../../src/config.ts';
import { checkRedis } from '../../src/doctor/redis.ts';
import { checkRunning } from '../../src/doctor/running.ts';
import * as server from '../../src/doctor/server.ts';
import { checkSettings } from '../../src/doctor/settings.ts';
import { unreachable } from '../../src/doctor/unreachable.ts';
import { preflight, Unserviceable } from '../../src/preflight.ts';
import { FACTS } from '../support/server-facts.ts';
import { endTimeLimits } from '../support/time-limits.ts';

it.each([
  [150_000, '15.0', { level: 'ok', says: 'PostgreSQL 15.0 answers' }],
  [
    140_018,
    '14.18',
    { level: 'error', says: 'PostgreSQL 14.18 is too old', remedy: 'upgrade it to 15 or newer' },
  ],
])('PostgreSQL of the version number %d is old or new enough', (versionNumber, version, diagnosis) => {
  expect(server.checkVersion({ ...FACTS, versionNumber, version })).toEqual({
    check: 'database',
    ...diagnosis,
  });
});

it.each([
  [['fsync'], 'fsync is off: data or speed may be lost', 'fsync'],
  [['autovacuum', 'fsync'], 'autovacuum, fsync are off: data or speed may be lost', 'autovacuum, fsync'],
])('server settings that are off are named: %j', (off, says, names) => {
  expect(server.checkServerSettings({ ...FACTS, off })).toEqual({
    check: 'server settings',
    level: 'warning',
    says,
    remedy: `run "alter system set … = on" for ${names}, and reload the server`,
  });
  expect(server.checkServerSettings(FACTS)).toEqual({
    check: 'server settings',
    level: 'ok',
    says: 'fsync, full_page_writes and autovacuum are on',
  });
});

it('the encoding of the database is UTF8, or has to be changed', () => {
  expect(server.checkEncoding(FACTS)).toEqual({
    check: 'encoding',
    level: 'ok',
    says: 'the database uses UTF8',
  });
  expect(server.checkEncoding({ ...FACTS, encoding: 'LATIN1' })).toEqual({
    check: 'encoding',
    level: 'error',
    says: 'the database reports uses LATIN1',
    remedy: "create it again: create database reports template template0 encoding 'UTF8'",
  });
});

describe('the login', () => {
  const create = 'create role sightline_web login in role sightline_reader';
  it.each([
    [
      'may only read',
      {},
      { isOwner: true, writable: [] },
      { level: 'ok', says: 'web is not a superuser, and cannot write to any table' },
    ],
    [
      'is a superuser',
      { isSuperuser: true },
      { isOwner: false, writable: [] },
      {
        level: 'warning',
        says: 'the login web is a superuser, so its password gives access to everything',
        remedy: `create a login of its own for the service: ${create}`,
      },
    ],
    [
      'owns the tables',
      {},
      { isOwner: true, writable: ['account'] },
      {
        level: 'warning',
        says: 'the login web owns the tables, so its password can change everything',
        remedy: `give the service a login of its own: ${create}`,
      },
    ],
    [
      'may write',
      {},
      { isOwner: false, writable: ['account', 'plan', 'setup', 'watch'] },
      {
        level: 'warning',
        says: 'the login web can write to account, plan, setup, so its password can change data',
        remedy:
          'revoke insert, update, delete, truncate on account, plan, setup, watch from web, or from the role that it has them by',
      },
    ],
  ])('that %s has its own diagnosis', (_, facts, rights, diagnosis) => {
    expect(server.checkLogin({ ...FACTS, ...facts }, rights)).toEqual({ check: 'login', ...diagnosis });
  });
});

describe('clocks', () => {
  it.each([
    [[9000, 9000], undefined],
    [[8999, 8999], '1.0'],
    [[11_000, 11_000], undefined],
    [[11_001, 11_001], '1.0'],
    // Between sending and receiving, the clock of the database can be anywhere.
    [[1000, 90_000], undefined],
    [[11_001, 90_000], '1.0'],
    [[1000, 8500], '1.5'],
  ] as const)('of the service at %j and of the database at 10000', ([sent, received], seconds) => {
    const one = server.checkClocks(FACTS, [sent, received]);
    expect(one.says).toBe(
      seconds === undefined
        ? 'service and database have the same time'
        : `the clocks of service and database are ${seconds} s apart`,
    );
    expect(one.level).toBe(seconds === undefined ? 'ok' : 'warning');
    expect(one.remedy).toBe(
      seconds === undefined
        ? undefined
        : 'synchronise both machines by NTP, such as with chrony or systemd-timesyncd',
    );
  });
});

it.each([
  [
    'standby',
    'the server of DATABASE_URL is a standby',
    'set DATABASE_URL to the primary, and DATABASE_READ_URL to the standby',
  ],
  [
    'database',
    'default_transaction_read_only is on for the database reports',
    'run "alter database reports reset default_transaction_read_only", or "alter role all reset …"',
  ],
  [
    'server',
    'default_transaction_read_only is on at the server',
    'run "alter system reset default_transaction_read_only", and reload the server',
  ],
] as const)('writes that fail because of the %s are an error', (failure, says, remedy) => {
  expect(server.checkWrites(failure, FACTS)).toEqual({
    check: 'writes',
    level: 'error',
    says: `${says}, so loads, keys and "maintain" fail`,
    remedy,
  });
});

it('a database that takes writes is in order', () => {
  expect(server.checkWrites(undefined, FACTS)).toEqual({
    check: 'writes',
    level: 'ok',
    says: 'the database takes writes',
  });
});

it.each([
  ['could not write block 3: No space left on device', 'error', 'the server cannot write'],
  ['could not write to file "base/pgsql_tmp"', 'error', 'the server cannot write'],
  ['temporary file size exceeds temp_file_limit', 'warning', 'the server wrote no temporary file'],
])('the failure of a temporary file "%s" is a %s', (message, level, says) => {
  expect(server.checkTemporaryFiles(new Error(message))).toEqual({
    check: 'disk space',
    level,
    says: `${says}: ${message}`,
    remedy:
      level === 'error'
        ? 'free space on the disk of PostgreSQL ("df -h" there), or enlarge it; "sightline prune" removes reports past their retention'
        : 'check the log of PostgreSQL, and temp_file_limit',
  });
  expect(server.checkTemporaryFiles(undefined)).toBeUndefined();
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['127.8.9.10', true],
  ['[::1]', true],
  ['localhost,127.0.0.1', true],
  ['localhost,db.example', false],
  ['db.example', false],
  ['localhost.example', false],
  ['12.7.0.0', false],
])('an unencrypted connection to %s is local: %s', (host, isLocal) => {
  expect(server.checkEncryption(`postgres://me@${host}/db`, false, 'DATABASE_URL')).toEqual({
    check: 'encryption',
    ...(isLocal
      ? { level: 'ok', says: 'the host of DATABASE_URL is this machine' }
      : {
          level: 'warning',
          says: 'the connection of DATABASE_URL is not encrypted',
          remedy:
            "set ssl = on at the server, and sslmode=verify-full in DATABASE_URL; in Compose's own network leave it as it is",
        }),
  });
});

it.each([
  ['verify-full', 'ok'],
  ['prefer', 'warning'],
  ['require', 'warning'],
])('an encrypted connection with sslmode=%s is %s', (mode, level) => {
  const url = `postgres://me@db.example/db?sslmode=${mode}`;
  expect(server.checkEncryption(url, true, 'DATABASE_URL')).toEqual({
    check: 'encryption',
    level,
    ...(level === 'ok'
      ? { says: 'DATABASE_URL is encrypted and verified' }
      : {
          says: `the certificate of the server of DATABASE_URL is not verified (sslmode=${mode})`,
          remedy: 'set sslmode=verify-full and sslrootcert in DATABASE_URL',
        }),
  });
});

describe('a connection limit', () => {
  const config = (more: Record<string, string> = {}): Config => readConfig(more);
  const check = (connections: number, more?: Record<string, string>) =>
    server.checkConnections({ connections, by: 'max_connections' }, config(more));

  it.each([
    [
      11,
      'error',
      ", and an instance with operator's commands uses 12",
      'raise the connection limit of max_connections, or lower WEB_CONCURRENCY or DATABASE_POOL_SIZE',
    ],
    [
      12,
      'warning',
      ': an instance uses 12, and 22 while statements of several keys hang',
      'raise the connection limit of max_connections, so that these keys do not delay others',
    ],
    [
      21,
      'warning',
      ': an instance uses 12, and 22 while statements of several keys hang',
      'raise the connection limit of max_connections, so that these keys do not delay others',
    ],
    [22, 'ok', ", and an instance with operator's commands uses at most 22", undefined],
  ])('of %d is for one process: %s', (connections, level, says, remedy) => {
    expect(check(connections)).toEqual({
      check: 'connections',
      level,
      says: `max_connections allows ${connections} connections${says}`,
      ...(remedy !== undefined && { remedy }),
    });
  });

  it('counts each process, its exports, and one more with a replica', () => {
    const more = {
      WEB_CONCURRENCY: '3',
      DATABASE_POOL_SIZE: '5',
      EXPORT_CONCURRENCY: '2',
      DATABASE_READ_URL: 'postgres://me@standby/db',
    };
    expect(check(1, more).says).toBe(
      "max_connections allows 1 connections, and an instance with operator's commands uses 28",
    );
  });
});

describe('sessions of a pooled login', () => {
  it('are in order with the time limit and the settings of the service', () => {
    const session = { statementTimeout: '2s', isReadOnly: true, planner: PLANNER_SETTINGS };
    expect(server.checkPooledSession(session, FACTS)).toEqual({
      check: 'pooler',
      level: 'ok',
      says: 'sessions of web have a time limit, only read, and plan as the service does',
    });
    const [[name, value] = ['', '']] = Object.entries(PLANNER_SETTINGS);
    const planner = { ...PLANNER_SETTINGS, [name]: 'other' };
    expect(server.checkPooledSession({ ...session, planner }, FACTS)).toEqual({
      check: 'pooler',
      level: 'warning',
      says: `DATABASE_PREPARE is false, and sessions of web begin without ${name} = '${value}'`,
      remedy: `alter role web set ${name} = '${value}'`,
    });
  });

  it('need a time limit, and must only read', () => {
    const { says, remedy } = server.checkPooledSession(
      { statementTimeout: '0', isReadOnly: false, planner: {} },
      FACTS,
    );
    expect(says).toContain("without statement_timeout = '2s' and default_transaction_read_only = on and ");
    expect(remedy).toMatch(
      /^alter role web set statement_timeout = '2s'; alter role web set default_transaction_read_only = on; /,
    );
  });
});

describe('the settings', () => {
  const NODE_ENV = 'production';
  const OK = { NODE_ENV, ADMIN_PORT: '9464', PORT: '8080' };
  const warning = (says: string, remedy: string) => [{ check: 'settings', level: 'warning', says, remedy }];
  it.each([
    ['of a service for users', {}, [{ check: 'settings', level: 'ok', says: 'all settings are valid' }]],
    [
      'of a service that is not for users, for which GraphiQL is right',
      { NODE_ENV: 'development', GRAPHIQL: 'true' },
      warning('NODE_ENV is not production', 'set NODE_ENV=production for a service with users'),
    ],
    [
      'with GraphiQL in production',
      { GRAPHIQL: 'true' },
      warning('GraphiQL is enabled in production', 'leave GRAPHIQL empty, or set it to false'),
    ],
    [
      'without metrics',
      { ADMIN_PORT: '' },
      warning('metrics are not served', 'set ADMIN_PORT, and let only the scraper reach it'),
    ],
    [
      'with one port for requests and metrics',
      { ADMIN_PORT: '8080' },
      warning('ADMIN_PORT and PORT are the same', 'give the metrics a port of their own'),
    ],
    [
      'with a file that does not exist',
      { ENRICH_ASN: '/nowhere/asn.mmdb' },
      [
        {
          check: 'settings',
          level: 'error',
          says: "ENRICH_ASN cannot be read: ENOENT: no such file or directory, access '/nowhere/asn.mmdb'",
          remedy: 'correct ENRICH_ASN, or leave it empty',
        },
      ],
    ],
  ])('%s are diagnosed', (_, more, diagnoses) => {
    expect(checkSettings(readConfig({ ...OK, ...more }))).toEqual(diagnoses);
  });
});

describe('the running service', () => {
  const diagnose = async (metrics: string, more: Record<string, string> = {}) => {
    const exporter = createServer((_, response) => response.end(metrics)).listen(0, '127.0.0.1');
    await once(exporter, 'listening');
    const { port } = exporter.address() as AddressInfo;
    const found = await checkRunning(readConfig({ ADMIN_PORT: String(port), ...more }));
    exporter.close();
    exporter.closeAllConnections();
    return found;
  };
  const line = (count: number) => `# HELP\nsightline_rate_limit_local_total ${count}\n`;

  it('has processes that counted requests by themselves', async () => {
    expect(await diagnose(line(12))).toEqual([
      {
        check: 'rate limit',
        level: 'warning',
        says: 'processes counted 12 requests by themselves, because their parent process did not',
        remedy:
          'restart the service: systemctl restart sightline. A reload started a different release than that of the parent process',
      },
    ]);
  });

  it('is in order without such requests, with Redis, without metrics, and if it is stopped', async () => {
    expect(await diagnose(line(0))).toEqual([]);
    expect(await diagnose('')).toEqual([]);
    expect(await diagnose(line(12), { REDIS_URL: 'redis://127.0.0.1' })).toEqual([]);
    expect(await diagnose(line(12), { ADMIN_PORT: '' })).toEqual([]);
    expect(await diagnose(line(12), { ADMIN_PORT: '1' })).toEqual([]);
  });

  it('is in order if it does not answer within two seconds', async () => {
    const limits = endTimeLimits();
    expect(await diagnose(line(12))).toEqual([]);
    expect(limits).toEqual([2000]);
  });
});

describe('a Redis that answers with the error', () => {
  it.each([
    ['ERR DB index is out of range', /^correct the number of the database in REDIS_URL/],
    ['ERR invalid DB index', /^correct the number of the database in REDIS_URL/],
    ['NOAUTH Authentication required.', 'correct user and password in REDIS_URL'],
    ['WRONGPASS invalid username-password pair', 'correct user and password in REDIS_URL'],
    ["READONLY You can't write against a read only replica.", 'name the primary of this Redis in REDIS_URL'],
    [
      'NOPERM this user has no permissions',
      'let the user of REDIS_URL use its keys: ACL SETUSER … ~sightline* +@all',
    ],
    ['LOADING Redis is loading the dataset in memory', 'wait until Redis has loaded its data'],
    [
      'ERR wrong version number',
      'write redis:// in REDIS_URL where Redis has no TLS, and rediss:// where it has',
    ],
    ['ERR EPROTO', 'write redis:// in REDIS_URL where Redis has no TLS, and rediss:// where it has'],
    ['ERR tls is required', 'write redis:// in REDIS_URL where Redis has no TLS, and rediss:// where it has'],
    ['ERR getaddrinfo ENOTFOUND redis.example', 'correct the host name in REDIS_URL'],
    ['ERR getaddrinfo EAI_AGAIN redis.example', 'correct the host name in REDIS_URL'],
    ['ERR something else', 'start Redis, or correct host, port and password of REDIS_URL'],
  ])('%s is explained', async (error, remedy) => {
    const redis = listenTo(socket => {
      socket.on('data', sent => {
        for (const [, command] of String(sent).matchAll(/^\*.*\r\n\$.*\r\n(.*)\r\n/gm))
          socket.write(command === 'info' ? '$0\r\n\r\n' : `-${error}\r\n`);
      });
    });
    await once(redis.listen(0, '127.0.0.1'), 'listening');
    const { port } = redis.address() as AddressInfo;
    const found = await checkRedis(`redis://127.0.0.1:${port}`);
    redis.close();
    expect(found).toEqual({
      check: 'redis',
      level: 'warning',
      says: `instances do not share their rate limits: ${error}`,
      remedy: typeof remedy === 'string' ? remedy : expect.stringMatching(remedy),
    });
  });
});

describe('an unreachable server', () => {
  const of = (message: string, code?: string) =>
    unreachable('database', Object.assign(new Error(message), { code }), 'DATABASE_READ_URL').remedy;

  it.each([
    ['unsupported startup parameter: options', undefined, 'this is PgBouncer: set DATABASE_PREPARE=false'],
    [
      'too many connections for role "web"',
      '53300',
      'raise the limit of the role: alter role "web" connection limit -1',
    ],
    [
      'too many connections for database "db"',
      '53300',
      'raise the limit of the database: alter database "db" connection limit -1',
    ],
    [
      'password authentication failed for user "web"',
      '28P01',
      'correct user and password in DATABASE_READ_URL; a password may have expired: see \\du in psql',
    ],
    [
      'database "db" does not exist',
      '3D000',
      'create the database, as docs/operations.md shows, or name another one in DATABASE_READ_URL',
    ],
    [
      'permission denied for database "db"',
      '42501',
      'let the login connect: grant connect on database "db" to the login of DATABASE_READ_URL',
    ],
    [
      'database "db" is not currently accepting connections',
      '55000',
      'open it again: alter database "db" allow_connections true',
    ],
    [
      'certificate has expired',
      'CERT_HAS_EXPIRED',
      'renew the certificate of the server in DATABASE_READ_URL',
    ],
    [
      "Host: db. is not in the cert's altnames",
      'ERR_TLS_CERT_ALTNAME_INVALID',
      'name the server in DATABASE_READ_URL by a name that its certificate has, or have it certified for this name',
    ],
    [
      'the server does not speak TLS (sslmode=require)',
      undefined,
      'set ssl = on at the server; where the network is trusted, set sslmode=disable in DATABASE_READ_URL',
    ],
    ['unknown host', 'ENOTFOUND', 'correct the host name in DATABASE_READ_URL, or the DNS of this machine'],
    [
      'no answer',
      'ETIMEDOUT',
      'check firewalls and routes to the host, or correct the host of DATABASE_READ_URL',
    ],
    [
      'sorry, too many clients already',
      '53300',
      'raise max_connections, or end other sessions of the server in DATABASE_READ_URL',
    ],
    [
      'role "web" is not permitted to log in',
      '28000',
      'let it log in: alter role "web" login; or name another login in DATABASE_READ_URL',
    ],
    [
      'no pg_hba.conf entry for host "10.0.0.1", user "web", database "db", SSL off',
      '28000',
      'the server takes encrypted connections only: set sslmode=require in DATABASE_READ_URL, or better verify-full',
    ],
    [
      'no pg_hba.conf entry for host "10.0.0.1", user "web", database "db", SSL encryption',
      '28000',
      'give the login a line in pg_hba.conf, or name another one in DATABASE_READ_URL',
    ],
    [
      'the database system is starting up',
      '57P03',
      'wait until the server has started, and check its log; it is the server of DATABASE_READ_URL',
    ],
    ['lookup failed', 'EAI_AGAIN', 'correct the host name in DATABASE_READ_URL, or the DNS of this machine'],
    [
      'no route',
      'EHOSTUNREACH',
      'check firewalls and routes to the host, or correct the host of DATABASE_READ_URL',
    ],
    [
      'no network',
      'ENETUNREACH',
      'check firewalls and routes to the host, or correct the host of DATABASE_READ_URL',
    ],
    [
      'self-signed certificate',
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'name the authority of its certificate with sslrootcert in DATABASE_READ_URL',
    ],
    [
      'connection refused',
      'ECONNREFUSED',
      'start PostgreSQL, or correct host, port and parameters of DATABASE_READ_URL',
    ],
  ])('with "%s" (%s) gets its own remedy', (message, code, remedy) => {
    expect(of(message, code)).toBe(remedy);
  });

  it('keeps a dollar sign in a name', () => {
    expect(of('role "$SETTING$1" is not permitted to log in', '28000')).toBe(
      'let it log in: alter role "$SETTING$1" login; or name another login in DATABASE_READ_URL',
    );
  });
});

describe('a service', () => {
  interface Answers {
    applied?: { version: number; checksum: string }[];
    origin?: object[];
    privileges?: object;
    failure?: Error;
  }
  /** Returns why the service refuses a database that answers so; undefined if it uses it. */
  async function refusal(role: string, answers: Answers): Promise<unknown> {
    const { applied = await migrations(), origin = [{}], privileges, failure } = answers;
    const rows = (text: string): object[] => {
      if (failure) throw failure;
      if (text.includes('to_regclass') && text.includes('present')) return [{ present: true }];
      if (text.includes('checksum')) return applied;
      if (text.includes('origin')) return origin;
      return [{ login: 'web', role, writable: [], ...privileges }];
    };
    const database = { rows: async (text: string) => Rows.of(rows(text)) };
    return preflight(database as unknown as Database, role).then(
      () => undefined,
      error => (error instanceof Unserviceable ? [error.problem, error.remedy] : error),
    );
  }
  const failed = (code: string | undefined, message: string, isInner = false) => {
    const error = Object.assign(new Error(message), { code });
    return isInner ? new Error('the database is unavailable', { cause: error }) : error;
  };

  it('uses a database that is migrated and that it cannot write to', async () => {
    expect(await refusal(READER, {})).toBeUndefined();
  });

  it('refuses a database that was migrated by another version, or was restored', async () => {
    const [first, ...others] = await migrations();
    expect(await refusal(READER, { applied: others })).toEqual([
      `The database lacks migration ${first!.name}`,
      'run "sightline migrate"',
    ]);
    expect(await refusal(READER, { applied: [{ version: 9999, checksum: '' }] })).toEqual([
      'The database has migration 9999, which this version does not know',
      'run the version of Sightline that migrated it last',
    ]);
    expect(await refusal(READER, { origin: [] })).toEqual([
      'The database was restored',
      'run "sightline migrate"',
    ]);
  });

  it.each([
    ['other', 'The role other', ['a', 'b', 'c', 'd'], 'a, b, c'],
    ['web', 'The login web', ['a'], 'a'],
  ])('with the role %s refuses to run if it can write', async (role, who, writable, named) => {
    expect(await refusal(role, { privileges: { writable } })).toEqual([
      `${who} can write to ${named}, and the service refuses to run with such privileges`,
      `switch roles with DATABASE_ROLE=${READER}, or use a login that can only read`,
    ]);
  });

  it.each([
    [READER, '22023', `role "${READER}" does not exist`, `run "sightline migrate", which creates ${READER}`],
    [
      'other',
      '22023',
      'role "other" does not exist',
      `correct DATABASE_ROLE: ${READER} is the role that "sightline migrate" creates`,
    ],
    [
      'other',
      '42501',
      'permission denied to set role "other"',
      'have an administrator run "grant other to" the login of DATABASE_URL',
    ],
  ])('that cannot switch to %s because of %s says how', async (role, code, message, remedy) => {
    for (const isInner of [false, true])
      expect(await refusal(role, { failure: failed(code, message, isInner) })).toEqual([
        `The service cannot switch to DATABASE_ROLE=${role} (${message})`,
        remedy,
      ]);
  });

  it.each([
    ['other', '42501', 'permission denied for table plan'],
    ['other', '42P01', 'relation "other" does not exist'],
    ['', '22023', 'role "" does not exist'],
  ])('with the role %j is refused by a server with %s', async (role, code, message) => {
    expect(await refusal(role, { failure: failed(code, message) })).toEqual([
      `The database refuses the service: ${message}`,
      undefined,
    ]);
  });

  it.each(['08006', '53300', '57P03', 'ECONNREFUSED', 'EPIPE', undefined])(
    'waits for a database with the error %s',
    async code => {
      for (const isInner of [false, true]) {
        const failure = failed(code, 'no connection', isInner);
        expect(await refusal(READER, { failure })).toBe(failure);
      }
    },
  );
});
