import { rmSync } from 'node:fs';
import { startEmbedded } from '@sightline/embedded';
import { clusterPath } from '../../packages/embedded/src/cluster.ts';
import { migrate } from '../../sql/operator/migrate.ts';
import { createDatabase } from './database.ts';
import { type Fault, FaultProxy } from './fault-proxy.ts';
import { makeFolder } from './folder.ts';
import { type Paced, pace } from './paced.ts';
import { signalServer } from './server-process.ts';
import { startPrimary } from './standby.ts';
import { openStock } from './stock.ts';
import { startTlsServer } from './tls-server.ts';

/** Accounts beside the paced one. */
const ACCOUNTS = 3;

/** A database with paced accounts, to which troubles come. */
export interface TroubledDatabase extends AsyncDisposable {
  /** The service's address of it, and what else the service needs to read from it. */
  url: string;
  env: Record<string, string>;
  paced: Paced;
  /** Begins a trouble. */
  strike(trouble: string): Promise<void>;
  /** When the trouble is over. */
  heal(trouble: string): Promise<void>;
}

/** Its troubles are those of a network: `Fault`. */
export interface DatabaseBehindProxy extends TroubledDatabase {
  proxy: FaultProxy;
}

async function behindProxy(
  url: string,
  env: Record<string, string>,
  paced: Paced,
  end: () => Promise<unknown>,
): Promise<DatabaseBehindProxy> {
  const proxy = await FaultProxy.start(url);
  return {
    proxy,
    url: proxy.url,
    env,
    paced,
    strike: fault => proxy.set(fault as Fault),
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

/** Its troubles: `is killed`, and is started again; `stands still`, with all of its processes. */
export async function onItsOwnServer(): Promise<TroubledDatabase> {
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
    strike: async trouble => signal(trouble === 'is killed' ? 'SIGKILL' : 'SIGSTOP'),
    async heal(trouble) {
      if (trouble !== 'is killed') return signal('SIGCONT');
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

/** It is read from a replica. The troubles are this one's: `stands still`, or `is cut off` from its primary. */
export async function withReplica(): Promise<TroubledDatabase> {
  const primary = await startPrimary();
  const replica = await primary.standby();
  const paced = await pace(primary.url, ACCOUNTS);
  await replica.untilCaughtUp();
  return {
    url: primary.url,
    env: { DATABASE_READ_URL: replica.url, DATABASE_READ_MAX_LAG: '1s' },
    paced,
    strike: async trouble =>
      trouble === 'stands still' ? replica.freeze() : await replica.network('halfOpen'),
    async heal(trouble) {
      if (trouble === 'stands still') return replica.thaw();
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
