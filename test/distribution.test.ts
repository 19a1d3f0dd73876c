import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer, LONGEST_LEASE, NotEverywhere } from '../sql/changes/announcer.ts';
import { connect } from '../sql/client.ts';
import {
  type DistributableTable,
  distribute,
  isDistributed,
  listDistributedTables,
} from '../sql/operator/distribute.ts';
import { migrate } from '../sql/operator/migrate.ts';
import { listUnreadableWorkers } from '../sql/servers/workers.ts';
import { loadFeed } from '../src/feed/load.ts';
import { createBareDatabase, createDatabase, type TestDatabase } from './support/database.ts';
import { NOW, plan, team } from './support/fixtures.ts';
import { data } from './support/graphql.ts';
import { connectOperator } from './support/operator.ts';
import { belongings, everyRoute } from './support/routes.ts';
import { readAll } from './support/selections.ts';
import { startService, type TestService } from './support/service.ts';
import { listSources } from './support/sources.ts';

/** Checks what Citus requires of a schema and of statements, without Citus itself. */
let database: TestDatabase;
let sql: ReturnType<typeof connectOperator>;
let tables: DistributableTable[];
/** True in a run with the real Citus. */
let hasCitus: boolean;

beforeAll(async () => {
  database = await createDatabase();
  sql = connectOperator(database.url);
  tables = await listDistributedTables(sql);
  hasCitus = await isDistributed(sql);
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});

const listNames = (isTenantScoped: boolean) =>
  tables.filter(table => table.tenantScoped === isTenantScoped).map(({ name }) => name);

describe('a table', () => {
  it('is distributed by account unless it has none or is needed to find the account', () => {
    expect(listNames(false)).toEqual(['account', 'api_key', 'certificate', 'plan']);
    expect(listNames(true)).toHaveLength(16);
  });

  it('that is distributed has the account in every unique key', async () => {
    const keys = await sql<{ name: string; columns: string[] }[]>`
      select c.relname as name, array_to_json(array(
        select attname from pg_attribute a where a.attrelid = i.indrelid and a.attnum = any(i.indkey)))  as columns
      from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relname = any(${listNames(true)}) and i.indisunique`;
    expect(keys.length).toBeGreaterThan(8);
    for (const { name, columns } of keys) expect(columns, name).toContain('account_id');
  });

  it('has a replica identity for moving shards, in one case the full row', () => {
    expect(tables.filter(({ hasKey }) => !hasKey).map(({ name }) => name)).toEqual(['report_locator']);
  });

  it('has no foreign keys, triggers, rules, sequences or exclusions that shards reject', async () => {
    const found = await sql`
      select conname from pg_constraint where contype in ('f', 'x', 't') and connamespace = 'public'::regnamespace
      union all select tgname from pg_trigger where not tgisinternal and tgrelid in (select oid from pg_class
        where relnamespace = 'public'::regnamespace) and not starts_with(tgname, 'truncate_trigger_')
      union all select rulename from pg_rules where schemaname = 'public'
      union all select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace
        and oid in (select refobjid from pg_depend where classid = 'pg_attrdef'::regclass)`;
    expect([...found]).toEqual([]);
  });
});

describe('the service', () => {
  let service: TestService;
  const statements = new Set<string>();

  /** Wraps a method of the database to record the statements. */
  // biome-ignore lint/suspicious/noExplicitAny: any member with any arguments
  function noting(target: any, name: PropertyKey): unknown {
    const member = target[name];
    if (typeof member !== 'function') return member;
    return (...args: unknown[]) => {
      const answer = member.apply(target, args);
      if (name === 'for') return new Proxy(answer, { get: (inner, of) => noting(inner, of) });
      if (name === 'rows' || name === 'queryTenant') statements.add(args[name === 'rows' ? 0 : 1] as string);
      return answer;
    };
  }

  beforeAll(async () => {
    service = await startService({
      now: NOW,
      through: inner => new Proxy(inner, { get: (target, name) => noting(target, name) }),
    });
    await service.load(team('ada'), plan('ada'), ...belongings('ada'));
    const key = await service.key('team', 'ada');
    for (const { target } of await everyRoute())
      expect((await service.get(target, key)).status, target).toBe(200);
    const internal = await service.key('internal');
    await data(service, key, `{ viewer ${readAll('Account')} }`);
    await data(service, internal, `{ accounts(first: 2) { nodes ${readAll('Account')} } }`);
  });
  afterAll(() => service.close());

  it('sends no statement to all shards, so queries of distributed tables filter by account', () => {
    expect(statements.size).toBeGreaterThan(25);
    const without = [...statements].filter(text => {
      const tables = [...text.matchAll(/\b(?:from|join) (\w+)/g)].filter(([, name]) =>
        listNames(true).includes(name!),
      );
      return tables.length > 0 && !/account_id = (\$1|any\(\$1::text\[\]\))/.test(text);
    });
    expect(without).toEqual([]);
  });

  it('uses no cursors', () => {
    const files = [...listSources('sql'), ...listSources('schema'), ...listSources('src')];
    const using = files.filter(({ text }) => /\.cursor\(|\bdeclare \w+ cursor\b/i.test(text));
    expect(using.map(({ path }) => path)).toEqual([]);
  });
});

it('no command uses grouping sets over many accounts, which Citus cannot distribute', () => {
  const using = ['sql/feed', 'sql/maintenance', 'sql/operator']
    .flatMap(listSources)
    .filter(({ text }) => /\bgrouping sets \(|\bgrouping\(/.test(text));
  expect(using.map(({ path }) => path)).toEqual([]);
});

/** The functions and views of Citus that `migrate` and `load` use, where they can be simulated. */
const STAND_IN = `
  create schema stand_in;
  create table stand_in.pg_dist_partition (logicalrelid regclass, kind text);
  create function stand_in.create_distributed_table(name regclass, key text, colocate_with text) returns void
    language sql as $$ insert into stand_in.pg_dist_partition values (name, key || ' beside ' || colocate_with) $$;
  create function stand_in.create_reference_table(name regclass) returns void
    language sql as $$ insert into stand_in.pg_dist_partition values (name, 'reference') $$;
  create function stand_in.truncate_local_data_after_distributing_table(regclass) returns void
    language sql as $$ $$;
  create table stand_in.answer (success boolean, result text);
  create function stand_in.run_command_on_all_nodes(text, out success boolean, out result text) returns setof record
    language sql as $$ select * from stand_in.answer $$;
  set search_path = public, stand_in`;

describe('migrate', () => {
  const spread = async () =>
    Object.fromEntries(
      (await sql`select logicalrelid::text as name, kind from pg_dist_partition`).map(row => [
        row.name,
        row.kind,
      ]),
    );

  it('leaves a database without Citus unchanged', async context => {
    if (hasCitus) context.skip('there is the extension');
    expect(await distribute(sql)).toEqual([]);
  });

  it('distributes tables once, including those of later migrations', async context => {
    if (hasCitus) context.skip('this takes its place');
    await sql.query(STAND_IN);
    const messages: string[] = [];
    await migrate(sql, { onDistributed: names => messages.push(...names) });
    expect(messages).toEqual(tables.map(({ name }) => name));
    expect(await spread()).toEqual({
      ...Object.fromEntries(listNames(true).map(name => [name, 'account_id beside report'])),
      ...Object.fromEntries(listNames(false).map(name => [name, 'reference'])),
      report: 'account_id beside none',
    });
    const [locator] = await sql`select relreplident from pg_class where relname = 'report_locator'`;
    expect(locator?.relreplident).toBe('f');
    expect(await distribute(sql)).toEqual([]);

    await sql.query(
      'create table added (account_id text primary key); create table catalogue (id text primary key)',
    );
    await migrate(sql);
    expect(await spread()).toMatchObject({ added: 'account_id beside report', catalogue: 'reference' });
    // Roles are shared by the whole server.
    await sql.query(
      'set search_path = public; alter role sightline_reader nologin; drop schema stand_in cascade',
    );
    await sql.query('drop table added, catalogue');
  });
});

describe('a load', () => {
  it('has no outer joins with distributed tables, which would fetch them completely', () => {
    const joined = listSources('sql/feed').flatMap(({ text }) =>
      [...text.matchAll(/\b(?:left|right|full) join (\w+)/g)].map(([, name]) => name!),
    );
    expect(joined.filter(name => listNames(true).includes(name))).toEqual([]);
  });

  const getAnnounced = async (connection: typeof sql) =>
    (await connection`select from announced_change`).length;
  const announced = () => getAnnounced(sql);
  const isAtWork = async (connection: typeof sql) =>
    (await connection`select from pg_locks where locktype = 'advisory' and classid = 744685844`).length > 0;

  it('completes after all servers have committed it, and is announced until then', {
    tags: 'slow',
  }, async context => {
    if (hasCitus) context.skip('this needs servers that do not');
    await sql.query(STAND_IN);
    await sql.query("insert into stand_in.answer values (true, '0'), (true, '1')");
    const second = connectOperator(database.url);
    await second.query('set search_path = public, stand_in');
    // Each has a different limit, because unchanged data is not announced.
    const load = (patience: number) =>
      loadFeed(sql, new Announcer(second, LONGEST_LEASE, patience), [
        { name: 'test', content: [`${JSON.stringify(team('eve', { quotaLimit: patience }))}\n`] },
      ]);
    await expect(load(200)).rejects.toThrow('The change is not committed on all servers yet');
    expect(await announced()).toBe(1);
    expect(await sql`select id from account`).toHaveLength(1);

    await sql.query("update stand_in.answer set success = false, result = 'away'");
    await expect(load(0)).rejects.toThrow(NotEverywhere);
    expect(await announced()).toBe(2);

    const waiting = load(60_000);
    const answer = connectOperator(database.url);
    // The announcement has reached the remaining servers, and the transaction has ended.
    while ((await getAnnounced(answer)) < 3 || (await isAtWork(answer)));
    expect(await getAnnounced(answer)).toBe(3);
    await answer.query("update stand_in.answer set success = true, result = '0'");
    await waiting;
    expect(await announced()).toBe(0);
    await Promise.all([second, answer].map(connection => connection.end()));
    await sql.query('set search_path = public; drop schema stand_in cascade');
  });

  it('of which a server is not known to have committed it stays announced until it has', async context => {
    if (hasCitus) context.skip('this needs servers that have not');
    await sql.query(STAND_IN);
    const second = connectOperator(database.url);
    await second.query('set search_path = public, stand_in');
    try {
      const announcer = new Announcer(second, 1, 0);
      await sql.transaction(transaction => announcer.announce(transaction));
      expect(await announced()).toBe(1);
      for (const answers of [`(true, '0'), (true, '1')`, `(true, '0'), (false, '0')`, `(false, 'away')`]) {
        await sql.query(`delete from stand_in.answer; insert into stand_in.answer values ${answers}`);
        await expect(announcer.settle(), answers).rejects.toThrow(NotEverywhere);
        await announcer.giveUp();
        expect(await announced()).toBe(1);
      }
      // The second time that it asks.
      let asked = 0;
      const patient = new Announcer(
        new Proxy(second, {
          get: (target, name) => (name === 'query' ? ask : Reflect.get(target, name)),
        }),
        1,
      );
      const ask = async (text: string) => {
        if (text.includes('run_command') && ++asked === 2)
          await sql.query("update stand_in.answer set success = true, result = '0'");
        return second.query(text);
      };
      await sql.transaction(transaction => patient.announce(transaction));
      expect(await announced()).toBe(2);
      await patient.settle();
      expect([asked, await announced()]).toEqual([2, 0]);
      await patient.settle();
      expect(asked).toBe(2);
    } finally {
      await second.end();
      await sql.query('set search_path = public; drop schema stand_in cascade');
    }
  });

  it('stays announced if it completes while others check the servers', async context => {
    if (hasCitus) context.skip('this needs servers that are not done at that very moment');
    await sql.query(STAND_IN);
    await sql.query("insert into stand_in.answer values (true, '0')");
    const [atWork, second] = [connectOperator(database.url), connectOperator(database.url)];
    await second.query('set search_path = public, stand_in; insert into announced_change (id) values (1)');
    await atWork.query('begin; select pg_advisory_xact_lock(744685844, 1)');
    const looking = new Proxy(second, {
      get: (target, name) => (name === 'query' ? lookAndLetEnd : Reflect.get(target, name)),
    });
    const lookAndLetEnd = async (text: string) => {
      const answer = await second.query(text);
      if (text.includes('run_command')) await atWork.query('commit');
      return answer;
    };
    await new Announcer(looking).clear();
    expect(await announced()).toBe(1);
    await new Announcer(second).clear();
    expect(await announced()).toBe(0);
    await Promise.all([atWork, second].map(connection => connection.end()));
    await sql.query('set search_path = public; drop schema stand_in cascade');
  });
});

describe('serve', () => {
  it('checks one shard of each worker and reports what it cannot read', async context => {
    if (hasCitus) context.skip('this takes its place');
    const own = await createBareDatabase();
    const administrator = connectOperator(own.url);
    const limits = {
      poolSize: 1,
      statementTimeout: 60_000,
      queueTimeout: 60_000,
      queueLimit: 10,
      prepare: true,
    };
    const client = connect({ ...limits, url: own.url, role: '' });
    expect(await listUnreadableWorkers(client)).toEqual([]);
    await administrator.query(WORKERS);
    expect(await listUnreadableWorkers(client)).toEqual([
      { server: 'two:5432', reason: 'no password, select 1 from report_12 limit 1' },
    ]);
    await Promise.all([client.end(), administrator.end()]);
    await own.drop();
  });
});

/** Two workers, of which the second rejects all logins. */
const WORKERS = `
  create table report ();
  create table pg_dist_node (nodeid int, groupid int, nodename text, nodeport int, noderole text);
  insert into pg_dist_node values (1, 0, 'zero', 5432, 'primary'), (2, 1, 'one', 5432, 'primary'),
    (3, 2, 'two', 5432, 'primary'), (4, 2, 'standby', 5432, 'secondary');
  create table pg_dist_shard (logicalrelid regclass, shardid bigint);
  insert into pg_dist_shard values ('report', 11), ('report', 12), ('report', 13), ('report', 14);
  create table pg_dist_placement (shardid bigint, groupid int);
  insert into pg_dist_placement values (11, 1), (12, 2), (13, 1), (14, 2);
  create function master_run_on_worker(text[], int[], text[], boolean,
      out node_name text, out node_port int, out success boolean, out result text) returns setof record
    language sql as $$ select n, p, n = 'one', 'no password, ' || c from unnest($1, $2, $3) as w (n, p, c) $$`;
