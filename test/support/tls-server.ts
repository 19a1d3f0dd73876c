import { chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serverAccount } from '../../packages/embedded/src/account.ts';
import { findBinaries } from '../../packages/embedded/src/binaries.ts';
import { prepareCluster, SUPERUSER } from '../../packages/embedded/src/cluster.ts';
import type { Settings } from '../../packages/embedded/src/server.ts';
import { freshCluster } from './cluster.ts';
import { makeFolder } from './folder.ts';
import { freePort } from './network.ts';
import { selfSigned } from './self-signed.ts';
import { startServerProcess } from './server-process.ts';

/** A separate, empty PostgreSQL that accepts only connections with TLS. */
export interface TlsServer extends AsyncDisposable {
  /** The administrator's connection URL at 127.0.0.1, without verification of the certificate. */
  url: string;
  /** The path of the server's certificate, for clients that trust it. */
  certificate: string;
}

/** Nothing needs to survive a crash. */
const FAST: Settings = { fsync: 'off', autovacuum: 'off' };

/** Everybody but the administrator needs a password. */
const ACCESS = `hostssl all ${SUPERUSER} 127.0.0.1/32 trust\nhostssl all all 127.0.0.1/32 scram-sha-256\n`;

export interface TlsServerOptions {
  /** The data folder, which is removed at the end. */
  folder?: string;
  /** PostgreSQL settings in addition to the usual ones. */
  settings?: Settings;
  /** Lines of pg_hba.conf before the usual ones. */
  access?: string;
  /** A PEM certificate of an authority that signs clients' certificates. */
  clientAuthority?: string;
}

/** @param host name or IPv4 address in its certificate */
export async function startTlsServer(
  host: string,
  { folder = makeFolder(), settings: given = FAST, access = '', clientAuthority = '' }: TlsServerOptions = {},
): Promise<TlsServer> {
  await freshCluster(folder);
  const account = serverAccount(folder);
  const binaries = findBinaries(folder, account);
  const { folder: cluster } = await prepareCluster(folder, binaries, account);
  const { certificate, key } = selfSigned(host);
  const files = {
    'server.crt': certificate,
    'server.key': key,
    'pg_hba.conf': access + ACCESS,
    'client.crt': clientAuthority,
  };
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(cluster, name), content, { mode: 0o600 });
    if (account) chownSync(join(cluster, name), account.uid, account.gid);
  }
  const port = await freePort();
  const settings = { ...given, ssl: 'on', ...(clientAuthority && { ssl_ca_file: 'client.crt' }) };
  const server = await startServerProcess({ binaries, cluster, account, settings, port });
  return {
    url: `postgres://${SUPERUSER}@127.0.0.1:${port}/postgres?sslmode=require`,
    certificate: join(cluster, 'server.crt'),
    async [Symbol.asyncDispose]() {
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
