import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { connect } from '../sql/client.ts';
import { READER } from '../sql/roles.ts';
import { type Config, readConfig } from '../src/config.ts';
import { checkReplicas } from '../src/doctor/replicas.ts';
import { startService } from '../src/main.ts';
import { createLogger } from '../src/observability/logger.ts';
import { FaultProxy } from './support/fault-proxy.ts';
import { makeFolder } from './support/folder.ts';
import { connectOperator } from './support/operator.ts';
import { createReplicatedServers, type ReplicatedServers } from './support/replicated.ts';
import { UNHURRIED } from './support/sightline.ts';
import { until } from './support/until.ts';

let servers: ReplicatedServers;
beforeAll(async () => {
  servers = await createReplicatedServers(['primary', 'standby', 'late', 'promoted', 'foreign']);
  await servers.set('standby', { isStandby: true });
  await servers.set('late', { isStandby: true, wal: '0/60' });
  await servers.set('foreign', { isStandby: true, system: 'other' });
  const operator = connectOperator(urlOf('primary'));
  await operator.query(`grant usage on schema faked to ${READER}`);
  await operator.query(`grant select on faked.server to ${READER}`);
  await operator.end();
});
afterAll(() => servers[Symbol.asyncDispose]());

const urlOf = (name: string) => servers.read(name).url;

function configure(replicas: readonly string[], settings: Record<string, string> = {}): Config {
  const config = readConfig({ PORT: '0', DATABASE_POOL_SIZE: '1', ...UNHURRIED, ...settings });
  return { ...config, replicas: { urls: [...replicas], maxLag: 1000 } };
}

/** Starts the service until the end of the test. Returns its address and its log. */
async function start(
  databaseUrl: string,
  replicas: readonly string[] = [],
  settings: Record<string, string> = {},
) {
  const lines: Record<string, unknown>[] = [];
  const service = await startService({
    config: configure(replicas, settings),
    databaseUrl,
    logger: createLogger('info', { write: line => void lines.push(JSON.parse(line)) }),
    onRefusal: error => expect.unreachable(error.message),
  });
  onTestFinished(() => service.close(0));
  const find = (msg: string) =>
    lines
      .filter(line => line.msg === msg)
      .map(({ level, server, reason, problem }) => ({
        level,
        ...(server ? { server } : {}),
        reason,
        ...(problem ? { problem } : {}),
      }));
  return {
    url: service.url,
    logged: (msg: string) => until(() => find(msg).length > 0 && find(msg)),
  };
}

describe('the log of the service', () => {
  it('says when a database that was away at the start answers', async () => {
    const proxy = await FaultProxy.start(urlOf('primary'));
    onTestFinished(() => proxy.close());
    await proxy.set('refuse');
    const { url, logged } = await start(proxy.url);
    expect(await logged('not ready: the database could not be checked')).toEqual([
      { level: 40, reason: expect.stringContaining('ECONNREFUSED') },
    ]);
    expect((await fetch(`${url}/readyz`)).status).toBe(503);
    expect(await logged('the database is unreachable: requests fail immediately')).toEqual([
      { level: 50, reason: expect.stringContaining('ECONNREFUSED') },
    ]);
    await proxy.set('none');
    expect(await logged('ready: the database is available')).toEqual([{ level: 30 }]);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    expect(await logged('the database answers again')).toEqual([{ level: 30 }]);
  });

  it('says which replica is read from and which cannot be used', async () => {
    const proxy = await FaultProxy.start(urlOf('standby'));
    onTestFinished(() => proxy.close());
    const { logged } = await start(urlOf('primary'), [urlOf('foreign'), proxy.url]);
    expect(await logged('requests read from another database server')).toEqual([
      { level: 30, server: 'replica-2' },
    ]);
    expect(await logged('a replica cannot be used: requests go to the other servers')).toEqual([
      { level: 50, server: 'replica-1', reason: 'it holds other data than the primary' },
    ]);
    await proxy.set('refuse');
    expect(await logged('a database server is unreachable: requests go to another one')).toEqual([
      { level: 40, server: 'replica-2', reason: expect.any(String) },
    ]);
    await proxy.set('none');
    expect(await logged('a database server responds again')).toEqual([{ level: 30, server: 'replica-2' }]);
  });

  it('says that the file of accounts has changed and cannot be used', async () => {
    const folder = makeFolder();
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'accounts.yaml');
    writeFileSync(file, 'users: { ann: nobody }');
    const secret = 's'.repeat(32);
    const { url, logged } = await start(urlOf('primary'), [], {
      PAGE_LOGIN: 'proxy',
      PAGE_LOGIN_PEERS: '127.0.0.1',
      PAGE_LOGIN_SECRET: secret,
      PAGE_LOGIN_ACCOUNTS: file,
    });
    writeFileSync(file, 'users: [');
    // The file is looked at every second.
    using now = vi.spyOn(Date, 'now');
    now.mockReturnValue(Date.now() + 1000);
    const headers = { 'x-sightline-proxy-secret': secret, 'x-forwarded-user': 'ann' };
    expect((await fetch(`${url}/app/session`, { headers })).status).toBe(403);
    expect(await logged('the accounts of the previous file stay in use')).toEqual([
      { level: 50, problem: `PAGE_LOGIN_ACCOUNTS names ${file}, which is not YAML or JSON` },
    ]);
  });

  it('says which worker of the database cannot be read, or that this is unknown', async () => {
    const operator = connectOperator(urlOf('primary'));
    onTestFinished(() => operator.end());
    await operator.query(`create table pg_dist_placement (shardid int, groupid int)`);
    const first = await start(urlOf('primary'));
    expect(await first.logged('the database workers could not be checked')).toEqual([
      { level: 50, reason: 'relation "pg_dist_shard" does not exist' },
    ]);
    await operator.query(`
      create table pg_dist_shard (shardid int, logicalrelid regclass);
      create table pg_dist_node (nodeid int, groupid int, nodename text, nodeport int, noderole text);
      insert into pg_dist_node values
        (1, 1, 'good', 5432, 'primary'), (2, 2, 'bad', 5433, 'primary'), (3, 2, 'spare', 5434, 'secondary');
      insert into pg_dist_shard select n, 'report'::regclass from generate_series(101, 104) n;
      insert into pg_dist_shard values (100, 'watch'::regclass);
      insert into pg_dist_placement values (100, 2), (101, 1), (104, 2), (103, 2), (102, 1);
      grant select on pg_dist_shard, pg_dist_node, pg_dist_placement to ${READER};
      create function master_run_on_worker(text[], int[], text[], boolean)
        returns table (node_name text, node_port int, success boolean, result text) language sql as
        $$ select n, p, n = 'good', c from unnest($1, $2, $3) as asked (n, p, c) $$`);
    const second = await start(urlOf('primary'));
    expect(await second.logged('a database worker cannot be read: its accounts get 500')).toEqual([
      { level: 50, server: 'bad:5433', reason: 'select 1 from report_103 limit 1' },
    ]);
  });
});

describe('doctor says of a replica', () => {
  it.each([
    [
      'that follows',
      'standby',
      { level: 'ok', says: expect.stringMatching(/^it is at most \d+ ms behind$/) },
    ],
    [
      'that is late',
      'late',
      {
        level: 'error',
        says: 'it is more than DATABASE_READ_MAX_LAG behind (1000 ms, 4 bytes)',
        remedy: 'check pg_stat_replication of the primary, and the disk, network and load of the standby',
      },
    ],
    [
      'that was promoted',
      'promoted',
      {
        level: 'error',
        says: 'it does not follow another server',
        remedy: 'point DATABASE_URL at it, or make it a standby again',
      },
    ],
    [
      'of another primary',
      'foreign',
      {
        level: 'error',
        says: 'it holds other data than the primary',
        remedy: 'name standbys of DATABASE_URL in DATABASE_READ_URL',
      },
    ],
  ])('%s what it found', async (_, name, found) => {
    const config = configure([urlOf(name)]);
    const primary = connect({ ...config.database, url: urlOf('primary') });
    onTestFinished(() => primary.end());
    expect(await checkReplicas(primary, config)).toEqual([{ check: 'replica-1', ...found }]);
  });

  it('only that it answers if the primary does not', async () => {
    expect(await checkReplicas(undefined, configure([urlOf('standby'), urlOf('late')]))).toEqual(
      ['replica-1', 'replica-2'].map(check => ({ check, level: 'ok', says: 'it answers' })),
    );
  });
});
