import { execFileSync, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  handOver,
  isNameless,
  NOBODY,
  type SystemUser,
  serverAccount,
} from '../../packages/embedded/src/account.ts';
import type { Binaries } from '../../packages/embedded/src/binaries.ts';
import { clusterPath, SUPERUSER } from '../../packages/embedded/src/cluster.ts';
import { runInitdb } from '../../packages/embedded/src/command.ts';
import { makeFolder } from './folder.ts';
import { freePort } from './network.ts';
import { type ServerProcess, signalServer, startServerProcess } from './server-process.ts';
import { joinWorkers } from './workers.ts';

/**
 * A coordinator and two workers without data. They use the system's PostgreSQL, because Citus is an extension of it.
 */
export interface Citus extends AsyncDisposable {
  /** The connection URL of the coordinator's administrator. */
  url: string;
  workers: CitusServer[];
}

export interface CitusServer {
  url: string;
  port: number;
  /** Kills all processes. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Suspends all processes, which keeps their connections open. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

const SETTINGS = {
  shared_preload_libraries: 'citus',
  wal_level: 'logical',
  max_connections: '300',
  // Citus needs one for each database.
  max_worker_processes: '64',
  max_prepared_transactions: '200',
  max_locks_per_transaction: '1024',
  fsync: 'off',
  autovacuum: 'off',
  'citus.shard_count': '8',
  'citus.node_conninfo': 'sslmode=prefer',
};

/** The system's PostgreSQL, or undefined if it lacks Citus. */
function binariesWithCitus(): Binaries | undefined {
  const { status, stdout } = spawnSync('pg_config', ['--sharedir', '--bindir'], { encoding: 'utf8' });
  if (status !== 0) return undefined;
  const [share, bin] = stdout.trim().split('\n') as [string, string];
  if (!existsSync(join(share, 'extension', 'citus.control'))) return undefined;
  const version = execFileSync('pg_config', ['--version'], { encoding: 'utf8' });
  return { folder: dirname(bin), major: /\d+/.exec(version)![0] };
}

export function hasCitus(): boolean {
  return binariesWithCitus() !== undefined;
}

export async function startCitus(): Promise<Citus> {
  const binaries = binariesWithCitus()!;
  const [coordinator, ...workers] = (await Promise.all([1, 2, 3].map(() => startServer(binaries)))) as [
    CitusServer,
    CitusServer,
    CitusServer,
  ];
  const all = [coordinator, ...workers];
  await joinWorkers(
    coordinator.url,
    workers.map(({ url }) => url),
  );
  return {
    url: coordinator.url,
    workers,
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map(server => server.stop()));
    },
  };
}

async function startServer(binaries: Binaries): Promise<CitusServer> {
  const folder = makeFolder();
  const account = serverAccount(folder);
  const cluster = await makeCluster(folder, binaries, account);
  const port = await freePort();
  const launch = () => startServerProcess({ binaries, cluster, account, settings: SETTINGS, port });
  let process: ServerProcess = await launch();
  const thaw = () => signalServer(cluster, 'SIGCONT');
  return {
    url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres?sslmode=disable`,
    port,
    async kill() {
      signalServer(cluster, 'SIGKILL');
      await process.end();
    },
    async start() {
      process = await launch();
    },
    freeze: () => signalServer(cluster, 'SIGSTOP'),
    thaw,
    async stop() {
      thaw();
      await process.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function makeCluster(
  directory: string,
  { folder: root }: Binaries,
  account: SystemUser | undefined,
): Promise<string> {
  const cluster = clusterPath(directory);
  const maker = account && isNameless(account) ? NOBODY : account;
  mkdirSync(cluster, { mode: 0o700 });
  if (maker) chownSync(cluster, maker.uid, maker.gid);
  const options = [
    '-U',
    SUPERUSER,
    '--auth=trust',
    '--locale=C.UTF-8',
    '--encoding=UTF8',
    '--no-instructions',
  ];
  await runInitdb(join(root, 'bin', 'initdb'), ['-D', cluster, ...options], maker);
  writeFileSync(join(cluster, 'pg_hba.conf'), 'host all all 127.0.0.1/32 trust\n');
  if (account) handOver(cluster, account);
  return cluster;
}
