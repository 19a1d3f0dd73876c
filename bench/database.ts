import { once } from 'node:events';
import { chmodSync, createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DEMO_DEFAULTS, DEMO_PERSONAL, DEMO_TEAM, type DemoOptions, demoFeed } from '@sightline/demo';
import { startEmbedded } from '@sightline/embedded';
import { migrate } from '../sql/operator/migrate.ts';
import { issueKey } from '../src/keys/issue.ts';
import { connectOperator } from '../test/support/operator.ts';
import { startTlsServer } from '../test/support/tls-server.ts';
import type { BenchOptions } from './options.ts';
import { childrenCpuSeconds, getParent, start } from './processes.ts';
import type { BenchCaller } from './routes.ts';
import type { ProcessUsage } from './sightline.ts';
import { LOG_SETTINGS, useLog } from './write-ahead-log.ts';

export interface BenchDatabase {
  url: string;
  /** One key for each account. */
  keys: Record<BenchCaller, string>;
  loads: LoadMeasure[];
  stop(): Promise<void>;
}

/** The cost of a `sightline load`. */
export interface LoadMeasure {
  what: string;
  lines: number;
  seconds: number;
  /** Peak memory of the command in MB. */
  peak: number;
  /** Processor time of the command and of PostgreSQL in seconds. */
  cpu: number;
  databaseCpu: number;
}

/** A separate database, migrated and loaded by the command line, with a key for each account. */
export async function prepareDatabase(options: BenchOptions): Promise<BenchDatabase> {
  const directory = mkdtempSync(join(tmpdir(), 'sightline-bench-'));
  chmodSync(directory, 0o755);
  const given = process.env.BENCH_DATABASE_URL;
  const server = given ? { url: given, stop: async () => {} } : await startServer(directory, options.tls);
  const stop = async () => {
    await server.stop();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    return { url: server.url, ...(await fill(server.url, directory, options)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startServer(directory: string, tls: boolean): Promise<{ url: string; stop(): Promise<void> }> {
  // Ordinary settings of a small server; autovacuum would disturb the measurements.
  const settings = { shared_buffers: '512MB', ...LOG_SETTINGS, autovacuum: 'off' };
  const folder = join(directory, 'data');
  if (!tls) return startEmbedded({ directory: folder, settings });
  const server = await startTlsServer('localhost', { folder, settings });
  return { url: server.url, stop: async () => server[Symbol.asyncDispose]() };
}

async function fill(url: string, directory: string, options: BenchOptions) {
  const operator = connectOperator(url);
  try {
    await migrate(operator);
    // Writing the log takes long, and only the times of a load depend on it.
    if (options.parts.includes('load') && !process.env.BENCH_DATABASE_URL) await useLog(operator);
    const [backend] = await operator<{ pid: number }[]>`select pg_backend_pid() as pid`;
    const postmaster = getParent(backend!.pid);
    const loads: LoadMeasure[] = [];
    for (const feed of feeds(options)) {
      const file = join(directory, 'feed.ndjson');
      const lines = await writeFeed(feed, file);
      const before = childrenCpuSeconds(postmaster);
      const measure = await load(url, file, feed.what, lines);
      loads.push({ ...measure, databaseCpu: childrenCpuSeconds(postmaster) - before });
      rmSync(file);
    }
    await operator`vacuum analyze`;
    return { loads, keys: await makeKeys(operator) };
  } finally {
    await operator.end();
  }
}

async function makeKeys(operator: ReturnType<typeof connectOperator>): Promise<Record<BenchCaller, string>> {
  const toKey = async (kind: 'personal' | 'team', accountId: string) =>
    (await issueKey(operator, kind, { accountId, name: 'bench', expiresAt: null })).key;
  return {
    [DEMO_PERSONAL]: await toKey('personal', DEMO_PERSONAL),
    [DEMO_TEAM]: await toKey('team', DEMO_TEAM),
  };
}

interface Feed {
  what: string;
  options: DemoOptions;
  /** Selects the lines of this kind. The demo writes the accounts into every feed. */
  kind: string;
}

/** First the accounts and a year with few reports, then many reports into the same tables, then a long audit trail. */
function feeds({ reports, auditEvents }: BenchOptions): Feed[] {
  const today = new Date().toISOString().slice(0, 10);
  const base: DemoOptions = { ...DEMO_DEFAULTS, today, accounts: 2, reports: 0, auditEvents: 0, largest: 1 };
  return [
    { what: 'accounts and a year', options: { ...base, days: 365, reports: 60_000 }, kind: '' },
    { what: 'reports', options: { ...base, days: 62, reports, seed: 2 }, kind: 'report' },
    { what: 'audit events', options: { ...base, auditEvents, largest: 0, seed: 3 }, kind: 'auditEvent' },
  ];
}

/** Writes the feed and returns the number of lines. */
async function writeFeed({ options, kind }: Feed, file: string): Promise<number> {
  const start = kind && `{"kind":"${kind}"`;
  let lines = 0;
  function* wanted(): Generator<string> {
    for (const chunk of demoFeed(options)) {
      const kept = chunk.split('\n').filter(line => line !== '' && line.startsWith(start));
      lines += kept.length;
      if (kept.length > 0) yield `${kept.join('\n')}\n`;
    }
  }
  await pipeline(Readable.from(wanted()), createWriteStream(file));
  return lines;
}

async function load(
  url: string,
  file: string,
  what: string,
  lines: number,
): Promise<Omit<LoadMeasure, 'databaseCpu'>> {
  const began = performance.now();
  const child = start('sightline', { args: ['load', file], env: { DATABASE_URL: url, DATABASE_ROLE: '' } });
  let usage: ProcessUsage = { peak: Number.NaN, cpu: Number.NaN };
  child.on('message', (message: ProcessUsage) => {
    usage = message;
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`loading ${what} (${statSync(file).size} bytes) failed`);
  return { what, lines, seconds: (performance.now() - began) / 1000, ...usage };
}
