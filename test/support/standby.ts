import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EmbeddedDatabase, startEmbedded } from '@sightline/embedded';
import { clusterPath } from '../../packages/embedded/src/cluster.ts';
import { migrate } from '../../sql/operator/migrate.ts';
import { FaultProxy, type ProxyFault } from './fault-proxy.ts';
import { makeFolder } from './folder.ts';
import { connectOperator, type Operator } from './operator.ts';
import { signalServer } from './server-process.ts';
import { openStock, type Stock } from './stock.ts';

const SETTINGS = {
  fsync: 'off',
  wal_keep_size: '1GB',
  max_wal_senders: '10',
  autovacuum: 'off',
  // With these settings, a disconnected standby notices soon and reconnects.
  wal_receiver_timeout: '3s',
  wal_retrieve_retry_interval: '200ms',
};

/** A standby with streaming replication. */
export interface Standby extends AsyncDisposable {
  url: string;
  /** As a superuser. */
  sql: Operator;
  /** Stops it in order, which notifies its clients. */
  stop(): Promise<void>;
  /** Suspends all processes, which keeps their connections open. */
  freeze(): void;
  thaw(): void;
  /** Causes a fault between the standby and its primary. */
  network(fault: ProxyFault): Promise<void>;
  /** Resolves when the standby has replayed everything. */
  untilCaughtUp(): Promise<void>;
}

/** A separate PostgreSQL from which standbys stream. */
export interface Primary extends AsyncDisposable {
  url: string;
  stock: Stock;
  standby(): Promise<Standby>;
  /** Kills all processes. */
  kill(): void;
}

/** The database is migrated and empty. */
export async function startPrimary(): Promise<Primary> {
  const folder = makeFolder();
  const template = makeFolder();
  const first = await startEmbedded({ directory: folder, settings: SETTINGS });
  const operator = connectOperator(first.url);
  await migrate(operator);
  await operator.end();
  await first.stop();
  copy(clusterPath(folder), clusterPath(template));
  const database = await startEmbedded({ directory: folder, settings: SETTINGS });
  const stock = openStock(database.url);
  return {
    url: database.url,
    stock,
    standby: () => startStandby(template, database, stock.sql),
    kill: () => signalServer(clusterPath(folder), 'SIGKILL'),
    async [Symbol.asyncDispose]() {
      await stock.close();
      await database.stop();
      for (const path of [folder, template]) rmSync(path, { recursive: true, force: true });
    },
  };
}

async function startStandby(
  template: string,
  primary: EmbeddedDatabase,
  primarySql: Operator,
): Promise<Standby> {
  const folder = makeFolder();
  const cluster = clusterPath(folder);
  copy(clusterPath(template), cluster);
  const proxy = await FaultProxy.start(primary.url);
  const { hostname, port, username } = new URL(proxy.url);
  writeFileSync(join(cluster, 'standby.signal'), '');
  const settings = {
    ...SETTINGS,
    primary_conninfo: `host=${hostname} port=${port} user=${username}`,
    hot_standby_feedback: 'on',
  };
  const database = await startEmbedded({ directory: folder, settings });
  const sql = connectOperator(database.url);
  let isStopped = false;
  const stop = async () => {
    if (isStopped) return;
    isStopped = true;
    await database.stop();
  };
  const untilCaughtUp = async () => {
    const [{ position }] = (await primarySql`select pg_current_wal_flush_lsn() as position`) as [
      { position: string },
    ];
    for (;;) {
      const [row] = await sql`select pg_last_wal_replay_lsn() >= ${position}::pg_lsn as done`;
      if (row!.done) return;
      await sleep(10);
    }
  };
  await untilCaughtUp();
  return {
    url: database.url,
    sql,
    stop,
    freeze: () => signalServer(clusterPath(folder), 'SIGSTOP'),
    thaw: () => signalServer(clusterPath(folder), 'SIGCONT'),
    network: fault => proxy.set(fault),
    untilCaughtUp,
    async [Symbol.asyncDispose]() {
      signalServer(clusterPath(folder), 'SIGCONT');
      await sql.end();
      await stop();
      await proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** With the owners of the files. */
function copy(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to]);
}
