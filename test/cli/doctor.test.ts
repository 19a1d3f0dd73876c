import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { diagnose } from '../../src/doctor/diagnose.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { createDatabase, databaseUrl, type TestDatabase } from '../support/database.ts';
import { createNetwork, freePort } from '../support/network.ts';
import { sightlineHere } from '../support/sightline.ts';
import { openStock, type Stock } from '../support/stock.ts';

const suffix = randomBytes(4).toString('hex');
const LOGIN = `web_${suffix}`;
const NARROW = `narrow_${suffix}`;
const TIGHT = `tight_${suffix}`;
const POOLED = `pooled_${suffix}`;
const PASSWORD = 'correct-horse-battery';
/** Findings about the server of the tests, which leaves some things out to be quick: no fault that was planted. */
const OF_THE_TESTS = 'server settings';

let database: TestDatabase;
let stranger: TestDatabase;
let stock: Stock;

function urlOf(login: string, of = database.directUrl): string {
  const url = new URL(of);
  url.username = login;
  url.password = PASSWORD;
  return url.href;
}

/** The database by a network, under the name of another machine. */
async function fromElsewhere(): Promise<string> {
  const { url, putUp } = await createNetwork(urlOf(LOGIN));
  await putUp();
  return `${url.replace('@127.0.0.1:', '@db.internal:')}?hostaddr=127.0.0.1`;
}

interface Examined {
  code: number | null;
  findings: Finding[];
}

async function examine(env: Record<string, string> = {}): Promise<Examined> {
  const settings = { DATABASE_URL: urlOf(LOGIN), NODE_ENV: 'production', ADMIN_PORT: '9464', ...env };
  const { code, stdout, stderr } = await sightlineHere(['doctor', '--json'], settings);
  expect(stdout + stderr).not.toContain(PASSWORD);
  const findings = (JSON.parse(stdout) as Finding[]).filter(({ check }) => check !== OF_THE_TESTS);
  return { code, findings };
}

/** The faults: findings that have a remedy. */
function wrong({ findings }: Examined): Finding[] {
  return findings.filter(({ level }) => level !== 'ok');
}

beforeAll(async () => {
  database = await createDatabase();
  stranger = await createDatabase();
  stock = openStock(database.directUrl);
  await stock.account('a-1');
  for (const [name, limit] of [
    [LOGIN, -1],
    [NARROW, 3],
    [TIGHT, 14],
    [POOLED, -1],
  ]) {
    await stock.sql.query(
      `create role ${name} login password '${PASSWORD}' connection limit ${limit} in role sightline_reader`,
    );
  }
  // The rights to a database are not copied with it.
  for (const command of ['migrate', 'maintain'])
    expect((await sightlineHere([command], { DATABASE_URL: database.directUrl })).code).toBe(0);
});

afterAll(async () => {
  await stock?.close();
  await Promise.all([database?.drop(), stranger?.drop()]);
  const administrator = openStock(databaseUrl(database.directUrl, 'postgres'));
  for (const name of [LOGIN, NARROW, TIGHT, POOLED])
    await administrator.sql.query(`drop role if exists ${name}`);
  await administrator.close();
});

describe('doctor', () => {
  it('finds nothing wrong with an installation as the documentation has it', async () => {
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
      'connections',
      'service',
      'rights',
      'extensions',
      'partitions',
      'disk',
      'last load',
      'last maintain',
    ]);
  });

  it('prints a line for each finding, with its remedy below', async () => {
    const env = { DATABASE_URL: database.directUrl, NODE_ENV: 'production', ADMIN_PORT: '9464' };
    const { code, stdout } = await sightlineHere(['doctor'], { ...env, DATABASE_ROLE: 'no_such_role' });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^ok {7}database: PostgreSQL \d+\.\d+ .*answers$/m);
    expect(stdout).toMatch(/^error {4}service: .*no_such_role.*\n {9}remedy: run "sightline migrate"/m);
  });
});

/** A fault, the check that finds it, how bad it is, and what its remedy says. */
interface Planted {
  fault: string;
  check: string;
  level?: 'error';
  says: RegExp;
  remedy: RegExp;
  /** Statements of an administrator that bring the fault about and mend it. */
  plant?: string;
  mend?: string;
  env?: () => Record<string, string> | Promise<Record<string, string>>;
}

const PLANTED: Planted[] = [
  {
    fault: 'a setting with a wrong value',
    check: 'settings',
    level: 'error',
    env: () => ({ PORT: 'http' }),
    says: /^PORT must be/,
    remedy: /correct the setting/,
  },
  {
    fault: 'an explorer that is open in production',
    check: 'settings',
    env: () => ({ GRAPHIQL: 'true' }),
    says: /GraphiQL is open/,
    remedy: /leave GRAPHIQL empty/,
  },
  {
    fault: 'a database that is not there',
    check: 'database',
    level: 'error',
    env: async () => ({ DATABASE_URL: `postgres://me:${PASSWORD}@127.0.0.1:${await freePort()}/db` }),
    says: /ECONNREFUSED/,
    remedy: /start PostgreSQL, or correct host, port/,
  },
  {
    fault: 'a way to another machine that is not encrypted',
    check: 'encryption',
    env: async () => ({ DATABASE_URL: await fromElsewhere() }),
    says: /DATABASE_URL is not encrypted/,
    remedy: /sslmode=verify-full in DATABASE_URL; in Compose's own network leave it as it is/,
  },
  {
    fault: 'a login that the server does not know',
    check: 'database',
    level: 'error',
    env: () => ({ DATABASE_URL: urlOf('nobody_knows') }),
    says: /nobody_knows/,
    remedy: /(?:login|password) .*DATABASE_URL/,
  },
  {
    fault: 'a database of another name',
    check: 'database',
    level: 'error',
    env: () => ({ DATABASE_URL: databaseUrl(urlOf(LOGIN), 'no_such_database') }),
    says: /no_such_database.*does not exist/,
    remedy: /create the database/,
  },
  {
    fault: 'a migration that is missing',
    check: 'service',
    level: 'error',
    plant:
      'create table kept as select * from schema_migration; delete from schema_migration where version = 5',
    mend: 'insert into schema_migration select * from kept where version = 5; drop table kept',
    says: /lacks migration 0005/,
    remedy: /run "sightline migrate"/,
  },
  {
    fault: 'a database that a later version has migrated',
    check: 'service',
    level: 'error',
    plant: `insert into schema_migration (version, name, checksum) values (9999, 'later', '')`,
    mend: 'delete from schema_migration where version = 9999',
    says: /has migration 9999/,
    remedy: /run the version of Sightline that migrated it last/,
  },
  {
    fault: 'a role that is not there to step down to',
    check: 'service',
    level: 'error',
    env: () => ({ DATABASE_ROLE: 'no_such_role' }),
    says: /cannot step down to DATABASE_ROLE=no_such_role/,
    remedy: /sightline migrate/,
  },
  {
    fault: 'a role that may write',
    check: 'service',
    level: 'error',
    plant: 'grant insert on watch to sightline_reader',
    mend: 'revoke insert on watch from sightline_reader',
    says: /sightline_reader may write to watch/,
    remedy: /DATABASE_ROLE=sightline_reader/,
  },
  {
    fault: 'a role that may not read everything',
    check: 'service',
    level: 'error',
    plant: 'revoke select on watch, report from sightline_reader',
    mend: 'grant select on watch, report to sightline_reader',
    says: /sightline_reader may not read report, watch/,
    remedy: /^grant select on report, watch to sightline_reader$/,
  },
  {
    fault: 'a login that may do everything',
    check: 'login',
    env: () => ({ DATABASE_URL: database.directUrl }),
    says: /is a superuser/,
    remedy: /create role sightline_web/,
  },
  {
    fault: 'an extension that is missing',
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
    remedy: /look at what fetches the mailbox/,
  },
  {
    fault: 'maintenance that never ran',
    check: 'last maintain',
    plant: `delete from last_run where command = 'maintain'`,
    mend: `insert into last_run values ('maintain', now())`,
    says: /no "sightline maintain" is on record/,
    remedy: /run "sightline maintain" from a timer/,
  },
  {
    fault: 'fewer connections than the settings take',
    check: 'connections',
    level: 'error',
    env: () => ({ DATABASE_URL: urlOf(NARROW) }),
    says: /login allows 3 connections, .* takes 12/,
    remedy: /lower WEB_CONCURRENCY or DATABASE_POOL_SIZE/,
  },
  {
    fault: 'fewer connections than the settings take while statements hang',
    check: 'connections',
    env: () => ({ DATABASE_URL: urlOf(TIGHT) }),
    says: /login allows 14 connections: an instance takes 12, and 22 while/,
    remedy: /raise the connection limit of login/,
  },
  {
    fault: 'sessions of a pooled login that may take any time',
    check: 'pooler',
    plant: `alter role ${POOLED} set default_transaction_read_only = on`,
    env: () => ({ DATABASE_URL: urlOf(POOLED), DATABASE_PREPARE: 'false' }),
    says: /begin without statement_timeout/,
    remedy: new RegExp(`^alter role ${POOLED} set statement_timeout = '2s'$`),
  },
  {
    fault: 'a replica that is away',
    check: 'replica-1',
    level: 'error',
    env: async () => ({ DATABASE_READ_URL: `postgres://me:${PASSWORD}@127.0.0.1:${await freePort()}/db` }),
    says: /ECONNREFUSED/,
    remedy: /DATABASE_READ_URL/,
  },
  {
    fault: 'a replica with the data of somebody else',
    check: 'replica-1',
    level: 'error',
    env: () => ({ DATABASE_READ_URL: urlOf(LOGIN, stranger.directUrl) }),
    says: /holds other data than the primary/,
    remedy: /name standbys of DATABASE_URL in DATABASE_READ_URL/,
  },
  {
    fault: 'a Redis that is away',
    check: 'redis',
    env: async () => ({ REDIS_URL: `redis://:${PASSWORD}@127.0.0.1:${await freePort()}` }),
    says: /do not share their rate limits: .*ECONNREFUSED/,
    remedy: /start Redis/,
  },
];

describe('doctor names the fault and its remedy:', () => {
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

  it('clocks that are apart', async () => {
    const config = readConfig({ NODE_ENV: 'production', ADMIN_PORT: '9464' });
    const clock = { now: () => new Date(Date.now() - 90_000) };
    expect(await diagnose(config, urlOf(LOGIN), clock)).toContainEqual({
      check: 'clocks',
      level: 'warning',
      says: expect.stringMatching(/^the clocks of service and database are (?:89|90)\.\d s apart$/),
      remedy: expect.stringContaining('NTP'),
    });
  });

  it('texts in another encoding', async () => {
    const name = `${new URL(database.directUrl).pathname.slice(1)}_latin`;
    await stock.sql.query(
      `create database ${name} template template0 encoding 'LATIN1' locale_provider libc locale 'C'`,
    );
    try {
      const { findings } = await examine({ DATABASE_URL: databaseUrl(urlOf(LOGIN), name) });
      expect(findings).toContainEqual({
        check: 'encoding',
        level: 'error',
        says: `the database ${name} keeps texts in LATIN1`,
        remedy: expect.stringContaining("encoding 'UTF8'"),
      });
    } finally {
      await stock.sql.query(`drop database ${name} with (force)`);
    }
  });
});

describe('health', () => {
  it('ends with 1 where nothing listens, and where PORT cannot be known', async () => {
    const port = String(await freePort());
    expect(await sightlineHere(['health'], { PORT: port })).toEqual({
      code: 1,
      stdout: '',
      stderr: `Not ready: http://127.0.0.1:${port}/readyz (connect ECONNREFUSED 127.0.0.1:${port})\n`,
    });
    expect(await sightlineHere(['health'], { PORT: '0' })).toMatchObject({ code: 1, stdout: '' });
  });
});
