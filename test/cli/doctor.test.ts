import { execFile, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serverAccount } from '../../packages/embedded/src/account.ts';
import { readConfig } from '../../src/config.ts';
import { diagnose } from '../../src/doctor/diagnose.ts';
import type { Diagnosis } from '../../src/doctor/finding.ts';
import { unreachable } from '../../src/doctor/unreachable.ts';
import { findMisspelt } from '../../src/setting-names.ts';
import { createDatabase, databaseUrl, type TestDatabase } from '../support/database.ts';
import { makeFolder } from '../support/folder.ts';
import { createNetwork, freePort } from '../support/network.ts';
import { startPooler } from '../support/pooler.ts';
import { HAS_REDIS, startRedis } from '../support/redis.ts';
import { sightlineHere } from '../support/sightline.ts';
import { openStock, type Stock } from '../support/stock.ts';
import { endTimeLimits } from '../support/time-limits.ts';
import { startTlsServer, type TlsServer } from '../support/tls-server.ts';

const suffix = randomBytes(4).toString('hex');
const LOGIN = `web_${suffix}`;
const NARROW = `narrow_${suffix}`;
const TIGHT = `tight_${suffix}`;
const POOLED = `pooled_${suffix}`;
const FULL = `full_${suffix}`;
const FAULTY = `faulty_${suffix}`;
const WRITER = `writer_${suffix}`;
const OWNER = `owner_${suffix}`;
const PASSWORD = 'correct-horse-battery';
/** Findings about the test server, which is tuned for speed. They are not faults planted by the test. */
const OF_THE_TESTS = 'server settings';

let database: TestDatabase;
let unmigrated: TestDatabase;
let stock: Stock;

function toUrl(login: string, of = database.directUrl): string {
  const url = new URL(of);
  url.username = login;
  url.password = PASSWORD;
  return url.href;
}

/** The database, reached over a network by the name of another host. */
async function fromElsewhere(): Promise<string> {
  const { url, putUp } = await createNetwork(toUrl(LOGIN));
  await putUp();
  return `${url.replace('@127.0.0.1:', '@db.internal:')}?hostaddr=127.0.0.1`;
}

interface DoctorResult {
  code: number | null;
  findings: Diagnosis[];
}

async function examine(env: Record<string, string> = {}): Promise<DoctorResult> {
  const settings = { DATABASE_URL: toUrl(LOGIN), NODE_ENV: 'production', ADMIN_PORT: '9464', ...env };
  const { code, stdout, stderr } = await sightlineHere(['doctor', '--json'], settings);
  expect(stdout + stderr).not.toContain(PASSWORD);
  const findings = (JSON.parse(stdout) as Diagnosis[]).filter(({ check }) => check !== OF_THE_TESTS);
  return { code, findings };
}

/** Findings with a remedy. */
function wrong({ findings }: DoctorResult): Diagnosis[] {
  return findings.filter(({ level }) => level !== 'ok');
}

beforeAll(async () => {
  database = await createDatabase();
  unmigrated = await createDatabase();
  stock = openStock(database.directUrl);
  await stock.account('a-1');
  for (const [name, limit] of [
    [LOGIN, -1],
    [NARROW, 3],
    [TIGHT, 14],
    [POOLED, -1],
    [FULL, -1],
    [FAULTY, -1],
    [WRITER, -1],
    [OWNER, -1],
  ]) {
    await stock.sql.query(
      `create role ${name} login password '${PASSWORD}' connection limit ${limit} in role sightline_reader`,
    );
  }
  // Privileges on a database are not copied along with it.
  for (const command of ['migrate', 'maintain'])
    expect((await sightlineHere([command], { DATABASE_URL: database.directUrl })).code).toBe(0);
});

afterAll(async () => {
  await stock?.close();
  await Promise.all([database?.drop(), unmigrated?.drop()]);
  const administrator = openStock(databaseUrl(database.directUrl, 'postgres'));
  for (const name of [LOGIN, NARROW, TIGHT, POOLED, FULL, FAULTY, WRITER, OWNER])
    await administrator.sql.query(`drop role if exists ${name}`);
  await administrator.close();
});

describe('doctor', () => {
  it('reports no problem for an installation that follows the documentation', async () => {
    const { code, findings } = await examine();
    expect(findings.filter(({ level }) => level !== 'ok')).toEqual([]);
    expect(code).toBe(0);
    expect(findings.map(({ check }) => check)).toEqual([
      'settings',
      'database',
      'encryption',
      'encoding',
      'clocks',
      'login',
      'writes',
      'connections',
      'service',
      'rights',
      'extensions',
      'partitions',
      'disk',
      'last load',
      'last maintain',
    ]);
    const { says } = findings.find(({ check }) => check === 'disk')!;
    const sizes = Array.from({ length: 3 }, () => '; report_y\\d{4}m\\d\\d \\d+\\.\\d MiB').join('');
    expect(says).toMatch(new RegExp(`^\\d+\\.\\d MiB in 3 partitions and other tables${sizes}$`));
  });

  it('prints one line per finding, with its remedy below', async () => {
    const env = { DATABASE_URL: database.directUrl, NODE_ENV: 'production', ADMIN_PORT: '9464' };
    const { code, stdout, stderr } = await sightlineHere(['doctor'], {
      ...env,
      DATABASE_ROLE: 'no_such_role',
    });
    expect(stderr).toBe('1 error\n');
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {7}database: PostgreSQL \d+\.\d+ .*answers$/m);
    expect(stdout).toMatch(/^error {4}service: .*no_such_role.*\n {9}remedy: correct DATABASE_ROLE/m);
  });
});

it('doctor names each invalid setting, and examines nothing else', async () => {
  const { code, stdout, stderr } = await sightlineHere(['doctor', '--json'], {
    DATABASE_URL: toUrl(LOGIN),
    PORT: 'x',
    WEB_CONCURRENCY: '0',
  });
  expect([code, stderr]).toEqual([1, '2 errors\n']);
  expect(JSON.parse(stdout)).toEqual(
    ['PORT', 'WEB_CONCURRENCY'].map(name => ({
      check: 'settings',
      level: 'error',
      says: expect.stringMatching(new RegExp(`^${name} `)),
      remedy: 'correct the setting; .env.example lists the valid values',
    })),
  );
});

/** A fault, with the check that detects it, its level and its remedy. */
interface PlantedFault {
  fault: string;
  check: string;
  level?: 'error';
  says: RegExp;
  remedy: RegExp;
  /** Statements by an administrator that cause and remove the fault. */
  plant?: string;
  mend?: string;
  env?: () => Record<string, string> | Promise<Record<string, string>>;
}

const PLANTED: PlantedFault[] = [
  {
    fault: 'a setting with a wrong value',
    check: 'settings',
    level: 'error',
    env: () => ({ PORT: 'http' }),
    says: /^PORT must be/,
    remedy: /correct the setting/,
  },
  {
    fault: 'GraphiQL enabled in production',
    check: 'settings',
    env: () => ({ GRAPHIQL: 'true' }),
    says: /GraphiQL is enabled/,
    remedy: /leave GRAPHIQL empty/,
  },
  {
    fault: 'a service without NODE_ENV=production',
    check: 'settings',
    env: () => ({ NODE_ENV: '' }),
    says: /^NODE_ENV is not production$/,
    remedy: /set NODE_ENV=production/,
  },
  {
    fault: 'a service without metrics',
    check: 'settings',
    env: () => ({ ADMIN_PORT: '' }),
    says: /^metrics are not served$/,
    remedy: /set ADMIN_PORT/,
  },
  {
    fault: 'an unreachable database',
    check: 'database',
    level: 'error',
    env: async () => ({ DATABASE_URL: `postgres://me:${PASSWORD}@127.0.0.1:${await freePort()}/db` }),
    says: /ECONNREFUSED/,
    remedy: /start PostgreSQL, or correct host, port/,
  },
  {
    fault: 'an unencrypted connection to another machine',
    check: 'encryption',
    env: async () => ({ DATABASE_URL: await fromElsewhere() }),
    says: /DATABASE_URL is not encrypted/,
    remedy: /sslmode=verify-full in DATABASE_URL; in Compose's own network leave it as it is/,
  },
  {
    fault: 'an unknown login',
    check: 'database',
    level: 'error',
    env: () => ({ DATABASE_URL: toUrl('nobody_knows') }),
    says: /nobody_knows/,
    remedy: /(?:login|password) .*DATABASE_URL/,
  },
  {
    fault: 'an unknown database name',
    check: 'database',
    level: 'error',
    env: () => ({ DATABASE_URL: databaseUrl(toUrl(LOGIN), 'no_such_database') }),
    says: /no_such_database.*does not exist/,
    remedy: /create the database/,
  },
  {
    fault: 'a missing migration',
    check: 'service',
    level: 'error',
    plant:
      'create table kept as select * from schema_migration; delete from schema_migration where version = 1',
    mend: 'insert into schema_migration select * from kept where version = 1; drop table kept',
    says: /lacks migration 0001/,
    remedy: /run "sightline migrate"/,
  },
  {
    fault: 'a database migrated by a later version',
    check: 'service',
    level: 'error',
    plant: `insert into schema_migration (version, name, checksum) values (9999, 'later', '')`,
    mend: 'delete from schema_migration where version = 9999',
    says: /has migration 9999/,
    remedy: /run the version of Sightline that migrated it last/,
  },
  {
    fault: 'an unknown DATABASE_ROLE',
    check: 'service',
    level: 'error',
    env: () => ({ DATABASE_ROLE: 'no_such_role' }),
    says: /cannot switch to DATABASE_ROLE=no_such_role/,
    remedy: /correct DATABASE_ROLE: sightline_reader is the role that "sightline migrate" creates/,
  },
  {
    fault: 'a role with write access',
    check: 'service',
    level: 'error',
    plant: 'grant insert on watch to sightline_reader',
    mend: 'revoke insert on watch from sightline_reader',
    says: /sightline_reader can write to watch/,
    remedy: /DATABASE_ROLE=sightline_reader/,
  },
  {
    fault: 'a role without read access to some tables',
    check: 'service',
    level: 'error',
    plant: 'revoke select on watch, report from sightline_reader',
    mend: 'grant select on watch, report to sightline_reader',
    says: /sightline_reader cannot read report, watch/,
    remedy: /^grant select on report, watch to sightline_reader$/,
  },
  {
    fault: 'a login that owns the tables',
    check: 'login',
    plant: `alter table watch owner to ${OWNER}; grant select on watch to sightline_reader`,
    mend: 'alter table watch owner to current_user',
    env: () => ({ DATABASE_URL: toUrl(OWNER) }),
    says: /owns the tables/,
    remedy: /create role sightline_web login in role sightline_reader/,
  },
  {
    fault: 'a login with write access',
    check: 'login',
    plant: `grant insert on report to ${WRITER}`,
    mend: `revoke insert on report from ${WRITER}`,
    env: () => ({ DATABASE_URL: toUrl(WRITER) }),
    says: /can write to report/,
    remedy: new RegExp(`^revoke insert, update, delete, truncate on report from ${WRITER}`),
  },
  {
    fault: 'a read-only database',
    check: 'writes',
    level: 'error',
    plant: `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    mend: `set default_transaction_read_only = off;
      do $$ begin execute format('alter database %I reset default_transaction_read_only', current_database()); end $$`,
    says: /default_transaction_read_only is on for the database/,
    remedy: /alter database \S+ reset default_transaction_read_only/,
  },
  {
    fault: 'a misspelled setting',
    check: 'settings',
    env: () => ({ DATABSE_POOL_SIZE: '8' }),
    says: /^DATABSE_POOL_SIZE is not a setting/,
    remedy: /rename it to DATABASE_POOL_SIZE/,
  },
  {
    fault: 'a setting with an unknown prefix',
    check: 'settings',
    env: () => ({ SIGHTLINE_REDIS_URL: 'redis://127.0.0.1' }),
    says: /^SIGHTLINE_REDIS_URL is not a setting/,
    remedy: /rename it to REDIS_URL/,
  },
  {
    fault: 'a missing enrichment file',
    check: 'settings',
    level: 'error',
    env: () => ({ ENRICH_ASN: '/nowhere/asn.mmdb' }),
    says: /^ENRICH_ASN cannot be read: ENOENT/,
    remedy: /correct ENRICH_ASN/,
  },
  {
    fault: 'a missing secret file',
    check: 'settings',
    level: 'error',
    env: () => ({ DATABASE_URL: '', DATABASE_URL_FILE: '/nowhere/url' }),
    says: /DATABASE_URL_FILE.*(?:nowhere|ENOENT)/,
    remedy: /correct the setting/,
  },
  {
    fault: 'metrics on the port of the service',
    check: 'settings',
    env: () => ({ ADMIN_PORT: '4000' }),
    says: /ADMIN_PORT and PORT are the same/,
    remedy: /a port of their own/,
  },
  {
    fault: 'a role without permission to log in',
    check: 'database',
    level: 'error',
    plant: `alter role ${FAULTY} nologin`,
    mend: `alter role ${FAULTY} login`,
    env: () => ({ DATABASE_URL: toUrl(FAULTY) }),
    says: /not permitted to log in/,
    remedy: new RegExp(`alter role "${FAULTY}" login`),
  },
  {
    fault: 'an exhausted connection limit of the role',
    check: 'database',
    level: 'error',
    plant: `alter role ${FAULTY} connection limit 0`,
    mend: `alter role ${FAULTY} connection limit -1`,
    env: () => ({ DATABASE_URL: toUrl(FAULTY) }),
    says: /too many connections for role/,
    remedy: new RegExp(`alter role "${FAULTY}" connection limit -1`),
  },
  {
    fault: 'an exhausted connection limit of the database',
    check: 'database',
    level: 'error',
    plant: `do $$ begin execute format('alter database %I connection limit 0', current_database()); end $$`,
    mend: `do $$ begin execute format('alter database %I connection limit -1', current_database()); end $$`,
    says: /too many connections for database/,
    remedy: /alter database "\S+" connection limit -1/,
  },
  {
    fault: 'a login without permission to connect',
    check: 'database',
    level: 'error',
    plant: `do $$ begin execute format('revoke connect on database %I from public, sightline_reader', current_database()); end $$`,
    mend: `do $$ begin execute format('grant connect on database %I to public, sightline_reader', current_database()); end $$`,
    says: /permission denied for database/,
    remedy: /grant connect on database "\S+"/,
  },
  {
    fault: 'a server without the required TLS',
    check: 'database',
    level: 'error',
    env: async () => ({ DATABASE_URL: `${await fromElsewhere()}&sslmode=require` }),
    says: /TLS|SSL|encrypt/,
    remedy: /set ssl = on at the server; .*sslmode=disable in DATABASE_URL/,
  },
  {
    fault: 'tables outside the search path',
    check: 'service',
    level: 'error',
    plant: `alter role ${FAULTY} set search_path = nowhere`,
    mend: `alter role ${FAULTY} reset search_path`,
    env: () => ({ DATABASE_URL: toUrl(FAULTY) }),
    says: /^the tables are in the schema public, which is not in the search_path of the login$/,
    remedy: /^grant usage on schema public to the login, .*: alter role … set search_path = public$/,
  },
  {
    fault: 'a pooler that loses prepared statements',
    check: 'service',
    level: 'error',
    plant: `create schema pooled;
      create function pooled.lose() returns regclass language plpgsql
        as $$ begin raise 'prepared statement "s1" does not exist'; end $$;
      create view pooled.origin as select pooled.lose() as accounts;
      grant usage on schema pooled to sightline_reader; grant select on pooled.origin to sightline_reader;
      alter role ${FAULTY} set search_path = pooled, public`,
    mend: `drop schema pooled cascade; alter role ${FAULTY} reset search_path`,
    env: () => ({ DATABASE_URL: toUrl(FAULTY) }),
    says: /^a pooler such as PgBouncer is in front of the database: .*prepared statement "s1" does not exist$/,
    remedy: /^set DATABASE_PREPARE=false, and give the login its limits as docs\/operations\.md shows$/,
  },
  {
    fault: 'a login that is not a member of its role',
    check: 'service',
    level: 'error',
    plant: `revoke sightline_reader from ${FAULTY}; grant pg_read_all_data to ${FAULTY}`,
    mend: `grant sightline_reader to ${FAULTY}; revoke pg_read_all_data from ${FAULTY}`,
    env: () => ({ DATABASE_URL: toUrl(FAULTY) }),
    says: /cannot switch to DATABASE_ROLE=sightline_reader/,
    remedy: /grant sightline_reader to/,
  },
  {
    fault: 'a reader with permission to create temporary tables',
    check: 'rights',
    plant: `do $$ begin execute format('grant temporary on database %I to public', current_database()); end $$`,
    mend: `do $$ begin execute format('revoke temporary on database %I from public', current_database()); end $$`,
    says: /may make temporary tables/,
    remedy: /run "sightline migrate"/,
  },
  {
    fault: 'a superuser login',
    check: 'login',
    env: () => ({ DATABASE_URL: database.directUrl }),
    says: /is a superuser/,
    remedy: /create role sightline_web/,
  },
  {
    fault: 'a missing extension',
    check: 'extensions',
    plant: 'drop extension btree_gin cascade',
    mend: 'create extension btree_gin',
    says: /without btree_gin/,
    remedy: /create extension btree_gin/,
  },
  {
    fault: 'a month without a partition',
    check: 'partitions',
    plant: `do $$ begin execute 'drop table ' || (
        select max(inhrelid::regclass::text) from pg_inherits where inhparent = 'report'::regclass); end $$`,
    says: /^\d{4}-\d\d has no partition$/,
    remedy: /run "sightline maintain"/,
  },
  {
    fault: 'loads that have stopped',
    check: 'last load',
    plant: `update last_run set finished_at = now() - interval '30 hours' where command = 'load'`,
    mend: `update last_run set finished_at = now() where command = 'load'`,
    says: /ended 30\.0 hours ago/,
    remedy: /run "sightline load" or "sightline import" from a timer/,
  },
  {
    fault: 'a mail fetcher that has stopped',
    check: 'newest mail',
    plant: `insert into daily_count values ('away', 'dmarc', (now() at time zone 'UTC')::date - 9, '', 1)`,
    mend: `delete from daily_count where account_id = 'away'`,
    says: /^the newest DMARC or TLS report is of \d{4}-\d\d-\d\d, 9 days ago$/,
    remedy: /check the program that fetches the mailbox/,
  },
  {
    fault: 'maintenance that has never run',
    check: 'last maintain',
    plant: `delete from last_run where command = 'maintain'`,
    mend: `insert into last_run values ('maintain', now())`,
    says: /no "sightline maintain" is on record/,
    remedy: /run "sightline maintain" from a timer/,
  },
  {
    fault: 'a connection limit below the pool size',
    check: 'connections',
    level: 'error',
    env: () => ({ DATABASE_URL: toUrl(NARROW) }),
    says: /login allows 3 connections, .* uses 12/,
    remedy: /lower WEB_CONCURRENCY or DATABASE_POOL_SIZE/,
  },
  {
    fault: 'a connection limit that is too low while statements hang',
    check: 'connections',
    env: () => ({ DATABASE_URL: toUrl(TIGHT) }),
    says: /login allows 14 connections: an instance uses 12, and 22 while/,
    remedy: /raise the connection limit of login/,
  },
  {
    fault: 'a pooled login without a statement timeout',
    check: 'pooler',
    plant: `alter role ${POOLED} set default_transaction_read_only = on`,
    env: () => ({ DATABASE_URL: toUrl(POOLED), DATABASE_PREPARE: 'false' }),
    says: /begin without statement_timeout.* and random_page_cost = '1\.1'/,
    remedy: new RegExp(
      `^alter role ${POOLED} set statement_timeout = '2s'; .*; alter role ${POOLED} set random_page_cost = '1\\.1'$`,
    ),
  },
  {
    fault: 'an unreachable replica',
    check: 'replica-1',
    level: 'error',
    env: async () => ({ DATABASE_READ_URL: `postgres://me:${PASSWORD}@127.0.0.1:${await freePort()}/db` }),
    says: /ECONNREFUSED/,
    remedy: /DATABASE_READ_URL/,
  },
  {
    fault: 'a replica with different data',
    check: 'replica-1',
    level: 'error',
    env: () => ({ DATABASE_READ_URL: toUrl(LOGIN, unmigrated.directUrl) }),
    says: /holds other data than the primary/,
    remedy: /name standbys of DATABASE_URL in DATABASE_READ_URL/,
  },
  {
    fault: 'an unreachable Redis',
    check: 'redis',
    env: async () => ({ REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${await freePort()}` }),
    says: /do not share their rate limits: .*ECONNREFUSED/,
    remedy: /start Redis/,
  },
];

const REDIS_FAULTS: {
  fault: string;
  toUrl(url: string): string;
  plant?: string[];
  says: RegExp;
  remedy: RegExp;
}[] = [
  {
    fault: 'a nonexistent Redis database number',
    toUrl: url => `${url}/999`,
    says: /DB index is out of range/,
    remedy: /correct the number of the database in REDIS_URL/,
  },
  {
    fault: 'a wrong Redis password',
    plant: ['config', 'set', 'requirepass', 'secret'],
    toUrl: url => url.replace('//', `//:${PASSWORD}@`),
    says: /WRONGPASS/,
    remedy: /correct user and password in REDIS_URL/,
  },
  {
    fault: 'a Redis that is a replica',
    plant: ['replicaof', '127.0.0.1', '1'],
    toUrl: url => url,
    says: /replica/,
    remedy: /name the primary of this Redis/,
  },
];

describe.runIf(HAS_REDIS)('doctor diagnoses the Redis fault with its remedy:', () => {
  it.each(REDIS_FAULTS)('$fault', async ({ toUrl: urlOf, plant, says, remedy }) => {
    await using redis = await startRedis();
    if (plant) await promisify(execFile)('redis-cli', ['-u', redis.url, ...plant]);
    const examined = await examine({ REDIS_URL: urlOf(redis.url) });
    expect(wrong(examined)).toEqual([
      {
        check: 'redis',
        level: 'warning',
        says: expect.stringMatching(says),
        remedy: expect.stringMatching(remedy),
      },
    ]);
  });
});

describe('doctor diagnoses the fault of a server with TLS and passwords, with its remedy:', () => {
  let server: TlsServer;
  const to = (user: string, password: string, search: string) =>
    server.url.replace(/\/\/[^@]*@/, `//${user}:${password}@`).replace(/\?.*/, search);
  beforeAll(async () => {
    server = await startTlsServer('localhost');
    const administrator = openStock(server.url);
    await administrator.sql.query(`create role web login password '${PASSWORD}';
      create role gone login password '${PASSWORD}' valid until '2020-01-01'`);
    await administrator.close();
  });
  afterAll(() => server?.[Symbol.asyncDispose]());

  const faults: [string, () => string, RegExp, RegExp][] = [
    [
      'a wrong password',
      () => to('web', 'wrong', '?sslmode=require'),
      /password authentication failed/,
      /correct user and password in DATABASE_URL/,
    ],
    [
      'a password that has expired',
      () => to('gone', PASSWORD, '?sslmode=require'),
      /password authentication failed/,
      /may have expired/,
    ],
    [
      'a connection in the clear, which the server refuses',
      () => to('web', PASSWORD, '?sslmode=disable'),
      /no encryption/,
      /set sslmode=require in DATABASE_URL/,
    ],
    [
      'a certificate of an unknown authority',
      () => to('web', PASSWORD, '?sslmode=verify-full'),
      /certificate/,
      /sslrootcert in DATABASE_URL/,
    ],
    [
      'a certificate of another name',
      () => to('web', PASSWORD, `?sslmode=verify-full&sslrootcert=${server.certificate}`),
      /127\.0\.0\.1/,
      /by a name that its certificate has/,
    ],
  ];
  it.each(faults)('%s', async (_, url, says, remedy) => {
    const examined = await examine({ DATABASE_URL: url() });
    expect(wrong(examined)).toEqual([
      {
        check: 'database',
        level: 'error',
        says: expect.stringMatching(says),
        remedy: expect.stringMatching(remedy),
      },
    ]);
    expect(examined.code).toBe(1);
  });

  it('an encrypted connection to an unverified server', async () => {
    const { findings } = await examine({ DATABASE_URL: to('web', PASSWORD, '?sslmode=require') });
    expect(findings.find(({ check }) => check === 'encryption')).toEqual({
      check: 'encryption',
      level: 'warning',
      says: 'the certificate of the server of DATABASE_URL is not verified (sslmode=require)',
      remedy: 'set sslmode=verify-full and sslrootcert in DATABASE_URL',
    });
  });
});

const HAS_PGBOUNCER = spawnSync('pgbouncer', ['--version']).status === 0;
if (!HAS_PGBOUNCER)
  process.stderr.write('skipped: doctor before a pooler needs pgbouncer, which is not installed here\n');

it.runIf(HAS_PGBOUNCER)(
  'doctor detects PgBouncer in front of the database if DATABASE_PREPARE=false is missing',
  async () => {
    const folder = makeFolder();
    const pooler = await startPooler('pgbouncer', database.directUrl, LOGIN, folder);
    try {
      const url = new URL(databaseUrl(pooler.url, new URL(database.directUrl).pathname.slice(1)));
      url.username = LOGIN;
      const [fault, ...others] = wrong(await examine({ DATABASE_URL: url.href }));
      expect(others).toEqual([]);
      expect(fault).toMatchObject({
        level: 'error',
        remedy: expect.stringContaining('set DATABASE_PREPARE=false'),
      });
    } finally {
      await pooler.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);

/** Mounting needs root, which is restricted in some containers. */
function mountSmall(folder: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m,mode=0777', 'tmpfs', folder]).status === 0;
}

it('doctor detects a full disk', async context => {
  const folder = makeFolder();
  if (!mountSmall(folder)) return context.skip('needs the right to mount');
  try {
    const [{ isLocal }] = (await stock.sql.query(
      'select inet_server_addr() is null or inet_server_addr() << \'127.0.0.0/8\' as "isLocal"',
    )) as [{ isLocal: boolean }];
    if (!isLocal) return context.skip('needs PostgreSQL on this machine');
    const account = serverAccount(folder);
    if (account) chownSync(folder, account.uid, account.gid);
    await stock.sql.query(`create tablespace ${FULL} location '${folder}'`);
    await stock.sql.query(
      `grant create on tablespace ${FULL} to ${FULL}; alter role ${FULL} set temp_tablespaces = ${FULL}`,
    );
    const faults = wrong(await examine({ DATABASE_URL: toUrl(FULL) }));
    expect(faults).toEqual([
      {
        check: 'disk space',
        level: 'error',
        says: expect.stringContaining('No space left on device'),
        remedy: expect.stringContaining('free space on the disk of PostgreSQL'),
      },
    ]);
  } finally {
    await stock.sql.query(`revoke all on tablespace ${FULL} from ${FULL}`).catch(() => {});
    await stock.sql.query(`drop tablespace if exists ${FULL}`);
    spawnSync('umount', [folder]);
  }
});

describe('doctor diagnoses the fault with its remedy:', () => {
  it.each(PLANTED)('$fault', async ({ check, level = 'warning', says, remedy, plant, mend, env }) => {
    const settings = (await env?.()) ?? {};
    if (plant) await stock.sql.query(plant);
    try {
      const examined = await examine(settings);
      expect(wrong(examined)).toEqual([
        { check, level, says: expect.stringMatching(says), remedy: expect.stringMatching(remedy) },
      ]);
      expect(examined.code).toBe(level === 'error' ? 1 : 0);
    } finally {
      if (mend) await stock.sql.query(mend);
      if (check === 'partitions') await sightlineHere(['maintain'], { DATABASE_URL: database.directUrl });
    }
  });

  it('clocks that differ', async () => {
    const config = readConfig({ NODE_ENV: 'production', ADMIN_PORT: '9464' });
    const clock = { now: () => new Date(Date.now() - 90_000) };
    expect(await diagnose(config, toUrl(LOGIN), clock)).toContainEqual({
      check: 'clocks',
      level: 'warning',
      says: expect.stringMatching(/^the clocks of service and database are (?:89|90)\.\d s apart$/),
      remedy: expect.stringContaining('NTP'),
    });
  });

  it('mail reports of more than three days ago, but not of three', { tags: 'slow' }, async () => {
    const config = readConfig({ NODE_ENV: 'production', ADMIN_PORT: '9464' });
    const level = async (days: number) => {
      const day = `(now() at time zone 'UTC')::date - ${days}`;
      await stock.sql.query(`insert into daily_count values ('away', 'tls_rpt', ${day}, '', 1)`);
      const found = await diagnose(config, toUrl(LOGIN), { now: () => new Date() });
      return found.find(({ check }) => check === 'newest mail')?.level;
    };
    try {
      expect([await level(4), await level(3), await level(0)]).toEqual(['warning', 'ok', 'ok']);
      // A day in the future is that of a wrong clock.
      await stock.sql.query(`delete from daily_count where account_id = 'away'`);
      expect([await level(-1), await level(4)]).toEqual([undefined, 'warning']);
    } finally {
      await stock.sql.query(`delete from daily_count where account_id = 'away'`);
    }
  });

  it('loads of more than 24 hours ago, and maintenance of more than 48', async () => {
    const config = readConfig({ NODE_ENV: 'production', ADMIN_PORT: '9464' });
    const levels = async (load: number, maintain: number) => {
      await stock.sql.query(`update last_run
        set finished_at = now() - interval '1 hour' * case command when 'load' then ${load} else ${maintain} end`);
      const found = await diagnose(config, toUrl(LOGIN), { now: () => new Date() });
      return ['last load', 'last maintain'].map(name => found.find(({ check }) => check === name)?.level);
    };
    try {
      expect(await levels(23.9, 47.9)).toEqual(['ok', 'ok']);
      expect(await levels(24.1, 48.1)).toEqual(['warning', 'warning']);
    } finally {
      await stock.sql.query('update last_run set finished_at = now()');
    }
  });

  it('a database that accepts no connections', async () => {
    const name = new URL(unmigrated.directUrl).pathname.slice(1);
    await stock.sql.query(`alter database ${name} allow_connections false`);
    try {
      expect(wrong(await examine({ DATABASE_URL: toUrl(LOGIN, unmigrated.directUrl) }))).toEqual([
        {
          check: 'database',
          level: 'error',
          says: expect.stringContaining('not currently accepting connections'),
          remedy: `open it again: alter database "${name}" allow_connections true`,
        },
      ]);
    } finally {
      await stock.sql.query(`alter database ${name} allow_connections true`);
    }
  });

  it('a database with another encoding', async () => {
    const name = `${new URL(database.directUrl).pathname.slice(1)}_latin`;
    await stock.sql.query(
      `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    );
    try {
      const { findings } = await examine({ DATABASE_URL: databaseUrl(toUrl(LOGIN), name) });
      expect(findings).toContainEqual({
        check: 'encoding',
        level: 'error',
        says: `the database ${name} uses LATIN1`,
        remedy: expect.stringContaining("encoding 'UTF8'"),
      });
    } finally {
      await stock.sql.query(`drop database ${name} with (force)`);
    }
  });
});

describe('health', () => {
  it('exits with 1 if nothing listens or the port is unknown', async () => {
    const port = String(await freePort());
    expect(await sightlineHere(['health'], { PORT: port })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Not ready: http://127.0.0.1:${port}/readyz (connect ECONNREFUSED 127.0.0.1:${port})\n`,
    });
    expect(await sightlineHere(['health'], { PORT: '0' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'PORT is 0: a service on any free port cannot be queried\n',
    });
    const other = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: its } = other.address() as AddressInfo;
    const outcome = await sightlineHere(['health'], { PORT: String(its) });
    other.closeAllConnections();
    other.close();
    expect(outcome).toEqual({
      code: 1,
      stdout: '',
      stderr: `Not ready: http://127.0.0.1:${its}/readyz answers 404\n`,
    });
  });

  it('exits with 1 if the service does not answer within three seconds', async () => {
    const limits = endTimeLimits();
    expect(await sightlineHere(['health'], { PORT: '4000' })).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Not ready: http://127.0.0.1:4000/readyz (The time limit is over)\n',
    });
    expect(limits).toEqual([3000]);
  });
});

describe('an unreachable server', () => {
  it.each([
    ['ENOTFOUND', /correct the host name in DATABASE_URL/],
    ['ETIMEDOUT', /check firewalls and routes/],
    ['57P03', /wait until the server has started/],
    ['CERT_HAS_EXPIRED', /renew the certificate/],
  ])('gets a specific remedy for %s', (code, remedy) => {
    const error = new Error('no connection', { cause: Object.assign(new Error('inner'), { code }) });
    expect(unreachable('database', error, 'DATABASE_URL').remedy).toMatch(remedy);
  });
});

describe('a misspelled setting', () => {
  const existing = ['HOST', 'PORT', 'DATABASE_URL', 'LOG_LEVEL', 'REDIS_URL', 'COLLECT_PORT'];
  it.each([
    ['PROT', 'PORT'],
    ['database_url', 'DATABASE_URL'],
    ['DATABASE-URL', 'DATABASE_URL'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['OLG_LEVLE', 'LOG_LEVEL'],
    ['DATABSE_UR', 'DATABASE_URL'],
    ['SIGHTLINE_REDIS_URL', 'REDIS_URL'],
    ['COLLECT_PORT_NUMBER', 'COLLECT_PORT'],
  ])('%s is reported as a misspelling of %s', (name, nearest) => {
    expect(findMisspelt([name], existing)).toEqual([{ name, nearest }]);
  });

  it.each([
    ...['HOME', 'PATH', 'HOSTNAME', 'DATABASE_USER', 'POSTGRES_URL', 'PWD', 'LANG'],
    ...['PRT1', 'OPRTS', 'DATABSE_U', 'OLG_LEVLES'],
    ...['NGINX_RATE_LIMIT_ZONE', 'MY_COLLECT_PORTS', 'X_ENRICH_ASN'],
  ])('does not include %s', name => {
    expect(findMisspelt([name, ...existing], existing)).toEqual([]);
  });

  it('is a warning in every command, which continues', async () => {
    const { code, stderr } = await sightlineHere(['config'], { DATABSE_URL: 'x' });
    expect(code).toBe(0);
    expect(stderr).toBe(
      'Warning: DATABSE_URL is not a setting of Sightline and has no effect. Did you mean DATABASE_URL?\n',
    );
  });
});
