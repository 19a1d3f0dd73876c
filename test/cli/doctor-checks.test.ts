import { describe, expect, it } from 'vitest';
import type { ServerFacts } from '../../sql/operator/examination.ts';
import { type Config, readConfig } from '../../src/config.ts';
import * as server from '../../src/doctor/server.ts';
import { unreachable } from '../../src/doctor/unreachable.ts';

const FACTS: ServerFacts = {
  version: '17.4',
  versionNumber: 170_004,
  database: 'reports',
  encoding: 'UTF8',
  login: 'web',
  isSuperuser: false,
  isEncrypted: true,
  off: [],
  clock: 10_000,
};

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
  expect(server.checkServerSettings(FACTS)).toMatchObject({ level: 'ok' });
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
  });
});

it.each([
  ['standby', 'the server of DATABASE_URL is a standby', 'set DATABASE_URL to the primary'],
  ['database', 'for the database reports', 'alter database reports reset default_transaction_read_only'],
  ['server', 'is on at the server', 'alter system reset default_transaction_read_only'],
] as const)('writes that fail because of the %s are an error', (failure, says, remedy) => {
  expect(server.checkWrites(failure, FACTS)).toEqual({
    check: 'writes',
    level: 'error',
    says: expect.stringContaining(says),
    remedy: expect.stringContaining(remedy),
  });
});

it.each([
  ['could not write block 3: No space left on device', 'error', 'the server cannot write'],
  ['could not write to file "base/pgsql_tmp"', 'error', 'the server cannot write'],
  ['temporary file size exceeds temp_file_limit', 'warning', 'the server wrote no temporary file'],
])('the failure of a temporary file "%s" is a %s', (message, level, says) => {
  expect(server.checkTemporaryFiles(new Error(message))).toMatchObject({
    check: 'disk space',
    level,
    says: `${says}: ${message}`,
  });
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
  const { level, says } = server.checkEncryption(`postgres://me@${host}/db`, false, 'DATABASE_URL');
  expect([level, says]).toEqual(
    isLocal
      ? ['ok', 'the host of DATABASE_URL is this machine']
      : ['warning', 'the connection of DATABASE_URL is not encrypted'],
  );
});

it.each([
  ['verify-full', 'ok'],
  ['prefer', 'warning'],
  ['require', 'warning'],
])('an encrypted connection with sslmode=%s is %s', (mode, level) => {
  const url = `postgres://me@db.example/db?sslmode=${mode}`;
  expect(server.checkEncryption(url, true, 'DATABASE_URL').level).toBe(level);
});

describe('a connection limit', () => {
  const config = (more: Record<string, string> = {}): Config => readConfig(more);
  const check = (connections: number, more?: Record<string, string>) =>
    server.checkConnections({ connections, by: 'max_connections' }, config(more));

  it.each([
    [11, 'error'],
    [12, 'warning'],
    [21, 'warning'],
    [22, 'ok'],
  ])('of %d is for one process: %s', (connections, level) => {
    expect(check(connections)).toMatchObject({ check: 'connections', level });
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

  it('is not mistaken for a setting by a name with a dollar sign', () => {
    expect(of('role "$SETTING$1" is not permitted to log in', '28000')).toBe(
      'let it log in: alter role "SETTING1" login; or name another login in DATABASE_READ_URL',
    );
  });
});
