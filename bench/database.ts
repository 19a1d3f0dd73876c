import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEMO_DEFAULTS, DEMO_PERSONAL, DEMO_TEAM, type DemoOptions, demoFeed } from '@sightline/demo';
import { startEmbedded } from '@sightline/embedded';
import { migrate } from '../sql/operator/migrate.ts';
import { issueKey } from '../src/keys/issue.ts';
import { connectOperator, type Operator } from '../test/support/operator.ts';
import { startTlsServer } from '../test/support/tls-server.ts';
import { type CommandCost, succeed } from './processes.ts';
import type { ServiceDatabase } from './services.ts';

/** A new, migrated PostgreSQL in a temporary folder. */
export interface BenchDatabase extends AsyncDisposable {
  url: string;
  sql: Operator;
  /** The temporary folder, for further files. */
  folder: string;
}

/** @param tls true for connections with TLS over TCP instead of a Unix socket */
export async function openDatabase(
  settings: Readonly<Record<string, string>> = {},
  tls = false,
): Promise<BenchDatabase> {
  const folder = makeFolder();
  const directory = join(folder, 'data');
  const server = tls
    ? await startTlsServer('localhost', { folder: directory, settings })
    : await startEmbedded({ directory, settings });
  const sql = connectOperator(server.url);
  await migrate(sql);
  return {
    url: server.url,
    sql,
    folder,
    async [Symbol.asyncDispose]() {
      await sql.end();
      await ('stop' in server ? server.stop() : server[Symbol.asyncDispose]());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a temporary folder that the user of PostgreSQL can enter. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  chmodSync(folder, 0o755);
  return folder;
}

export interface LoadCost extends CommandCost {
  lines: number;
}

/**
 * Loads a demo feed with the command line.
 * @param kind selects the lines of a kind, since the demo writes its accounts into every feed
 */
export async function loadDemo(
  { url, folder }: BenchDatabase,
  options: Partial<DemoOptions>,
  kind = '',
): Promise<LoadCost> {
  const today = new Date().toISOString().slice(0, 10);
  const path = join(folder, 'feed.ndjson');
  const file = createWriteStream(path);
  let lines = 0;
  for (const chunk of demoFeed({ ...DEMO_DEFAULTS, today, ...options })) {
    const chosen = chunk
      .split('\n')
      .filter(line => line.startsWith(kind && `{"kind":"${kind}"`) && line !== '');
    lines += chosen.length;
    if (!file.write(chosen.map(line => `${line}\n`).join(''))) await once(file, 'drain');
  }
  await once(file.end(), 'close');
  const cost = await succeed(['load', path], { DATABASE_URL: url });
  rmSync(path);
  return { ...cost, lines };
}

/** Issues a key for the largest account and one for the team. */
export async function issueKeys(sql: Operator): Promise<ServiceDatabase['keys']> {
  const issue = async (kind: 'personal' | 'team', accountId: string) =>
    (await issueKey(sql, kind, { accountId, name: 'bench', expiresAt: null })).key;
  return {
    [DEMO_PERSONAL]: await issue('personal', DEMO_PERSONAL),
    [DEMO_TEAM]: await issue('team', DEMO_TEAM),
  };
}

/** More than any measured load writes, in MB. */
const WRITTEN_BEFORE = 1800;

/**
 * Creates the files of the write-ahead log that a server has after running for a while. Otherwise, a load would spend
 * a tenth of its time creating them.
 */
export async function useLog(sql: Operator): Promise<void> {
  await sql`
    select count(pg_logical_emit_message(false, 'bench', repeat('.', 1000000)))
    from generate_series(1, ${WRITTEN_BEFORE})`;
  await sql`checkpoint`;
}
