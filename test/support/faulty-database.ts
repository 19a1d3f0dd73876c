import { rmSync } from 'node:fs';
import { startEmbedded } from '@sightline/embedded';
import { clusterPath } from '../../packages/embedded/src/cluster.ts';
import { migrate } from '../../sql/operator/migrate.ts';
import { createDatabase } from './database.ts';
import { FaultProxy, type ProxyFault } from './fault-proxy.ts';
import { makeFolder } from './folder.ts';
import { type PacedService, pace } from './paced.ts';
import { signalServer } from './server-process.ts';
import { startPrimary } from './standby.ts';
import { openStock } from './stock.ts';
import { startTlsServer } from './tls-server.ts';

/** The number of accounts besides the one with slow statements. */
const ACCOUNTS = 3;

/** A database of accounts with statements of a set duration, in which faults can be caused. */
export interface FaultyDatabase extends AsyncDisposable {
  /** The service's connection URL and the other settings that it needs. */
  url: string;
  env: Record<string, string>;
  paced: PacedService;
  /** Starts a fault. */
  strike(fault: string): Promise<void>;
  /** Ends the fault. */
  heal(fault: string): Promise<void>;
}

/** With network faults (`Fault`). */
export interface DatabaseBehindProxy extends FaultyDatabase {
  proxy: FaultProxy;
}

async function behindProxy(
  url: string,
  env: Record<string, string>,
  paced: PacedService,
  end: () => Promise<unknown>,
): Promise<DatabaseBehindProxy> {
  const proxy = await FaultProxy.start(url);
  return {
    proxy,
    url: proxy.url,
    env,
    paced,
    strike: fault => proxy.set(fault as ProxyFault),
    heal: () => proxy.set('none'),
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await paced[Symbol.asyncDispose]();
      await end();
    },
  };
}

export async function inTheClear(): Promise<DatabaseBehindProxy> {
  const database = await createDatabase();
  return behindProxy(database.url, {}, await pace(database.url, ACCOUNTS), () => database.drop());
}

export async function encrypted(): Promise<DatabaseBehindProxy> {
  const server = await startTlsServer('localhost');
  const stock = openStock(server.url);
  await migrate(stock.sql);
  await stock.sql`create role web login password 'web' in role sightline_reader`;
  await stock.close();
  const url = server.url.replace(/\/\/.*@/, '//web:web@');
  const paced = await pace(server.url, ACCOUNTS);
  return behindProxy(url, { DATABASE_ROLE: '' }, paced, async () => server[Symbol.asyncDispose]());
}

/** With these faults: `is killed`, after which it is restarted, and `stands still`, with all of its processes. */
export async function onItsOwnServer(): Promise<FaultyDatabase> {
  const directory = makeFolder();
  const launch = () => startEmbedded({ directory, settings: { fsync: 'off' } });
  const signal = (name: NodeJS.Signals) => signalServer(clusterPath(directory), name);
  let database = await launch();
  const stock = openStock(database.url);
  await migrate(stock.sql);
  await stock.close();
  const proxy = await FaultProxy.start(database.url);
  const paced = await pace(database.url, ACCOUNTS);
  return {
    url: proxy.url,
    env: {},
    paced,
    strike: async fault => signal(fault === 'is killed' ? 'SIGKILL' : 'SIGSTOP'),
    async heal(fault) {
      if (fault !== 'is killed') return signal('SIGCONT');
      database = await launch();
      proxy.retarget(database.url);
    },
    async [Symbol.asyncDispose]() {
      await proxy.close();
      await paced[Symbol.asyncDispose]();
      await database.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Reads use a replica, which has the faults: `stands still`, or `is cut off` from its primary. */
export async function withReplica(): Promise<FaultyDatabase> {
  const primary = await startPrimary();
  const replica = await primary.standby();
  const paced = await pace(primary.url, ACCOUNTS);
  await replica.untilCaughtUp();
  return {
    url: primary.url,
    env: { DATABASE_READ_URL: replica.url, DATABASE_READ_MAX_LAG: '1s' },
    paced,
    strike: async fault => (fault === 'stands still' ? replica.freeze() : await replica.network('halfOpen')),
    async heal(fault) {
      if (fault === 'stands still') return replica.thaw();
      await replica.network('reset');
      await replica.network('none');
    },
    async [Symbol.asyncDispose]() {
      await paced[Symbol.asyncDispose]();
      await replica[Symbol.asyncDispose]();
      await primary[Symbol.asyncDispose]();
    },
  };
}
