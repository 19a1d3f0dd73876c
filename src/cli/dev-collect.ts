import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createToken } from '@sightline/collector/tokens';
import { CommandFailed, onOneLine, say } from '@sightline/tools';
import { Announcer } from '../../sql/changes/announcer.ts';
import type { Config } from '../config.ts';
import { loadFeed } from '../feed/load.ts';
import { asFeed, setupLine } from './account-lines.ts';
import { withOperator } from './context.ts';
import { OWN_ACCOUNT, writePrivate } from './first-start.ts';

/** Time limit for ending both processes after SIGTERM, in milliseconds. */
const END_LIMIT = 4000;

/** A collector and its importer, which run alongside the service. */
export interface DevCollector {
  /** The address that the account's browsers report to. */
  address: string;
  /** Ends the collector, and then the importer after its current batch. The next start imports the rest. */
  close(): Promise<void>;
}

/**
 * Starts collector and importer as separate processes, because the collector must not have a database login.
 * @param account the account of the reports
 */
export async function startCollecting(
  config: Config,
  databaseUrl: string,
  account: string,
): Promise<DevCollector> {
  const { dataDirectory, collect } = config;
  const [spool, tokens] = [join(dataDirectory, 'spool'), join(dataDirectory, 'collect-tokens.ndjson')];
  await mkdir(spool, { recursive: true });
  const token = await readOrCreateToken(dataDirectory, tokens, account);
  const collector = startCollector(collect, { spool, tokens });
  const children = [collector];
  const close = async () => {
    for (const child of children) await end(child);
  };
  try {
    const url = await listening(collector);
    children.push(startImporter(databaseUrl, spool));
    const address = `${collect.publicUrl ?? url}/r/${token}`;
    if (account === OWN_ACCOUNT) await setUp(databaseUrl, address);
    return { address, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function startCollector(collect: Config['collect'], { spool, tokens }: { spool: string; tokens: string }) {
  return start(['collect'], {
    COLLECT_SPOOL: spool,
    COLLECT_TOKENS: tokens,
    COLLECT_HOST: collect.host,
    COLLECT_PORT: String(collect.port),
    COLLECT_PROXIES: collect.proxies,
    LOG_LEVEL: 'info',
  });
}

function startImporter(databaseUrl: string, spool: string): ChildProcess {
  const watch = ['--watch-root', spool, '--format', 'collected', '--every', '1s', '--remove'];
  const importer = start(['import', ...watch], { DATABASE_URL: databaseUrl });
  createInterface({ input: importer.stderr! }).on('line', line => say(onOneLine(line)));
  return importer;
}

/** The token of an earlier start, or a new one. */
async function readOrCreateToken(dataDirectory: string, tokens: string, account: string): Promise<string> {
  const file = join(dataDirectory, `collect-${account}.env`);
  const content = existsSync(file) && existsSync(tokens) ? readFileSync(file, 'utf8') : '';
  const existing = /^TOKEN=(\w+)$/m.exec(content)?.[1];
  if (existing !== undefined) return existing;
  const token = await createToken(tokens, { account });
  await writePrivate(file, [`TOKEN=${token}`]);
  return token;
}

function start(args: string[], env: Record<string, string>): ChildProcess {
  const program = process.argv[1]!;
  // With this variable of npm, the child also ends when its parent is killed.
  const all = { ...env, npm_lifecycle_event: 'start' };
  return spawn(process.execPath, [program, ...args], { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Resolves with its address once it listens, and then passes on its warnings. */
async function listening(collector: ChildProcess): Promise<string> {
  let failure = '';
  collector.stderr!.on('data', text => {
    failure += text;
  });
  const lines = createInterface({ input: collector.stdout! });
  const found = once(lines, 'line').then(([line]) => JSON.parse(line).url as string);
  // It emits "exit" before all of its standard error has been read.
  const ended = once(collector, 'close').then(() => {
    throw new CommandFailed(failure.trim() || 'The collector has ended');
  });
  const url = await Promise.race([found, ended]);
  ended.catch(() => {});
  lines.on('line', line => JSON.parse(line).level > 30 && say(onOneLine(`collector: ${line}`)));
  return url;
}

/** Loads the collector's address, which the page shows. */
async function setUp(databaseUrl: string, collector: string): Promise<void> {
  const context = { databaseUrl: () => databaseUrl };
  const content = [asFeed([setupLine({ id: OWN_ACCOUNT, collector })])];
  await withOperator(context, sql =>
    withOperator(context, second => loadFeed(sql, new Announcer(second), [{ name: 'setup', content }])),
  );
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const cut = setTimeout(() => child.kill('SIGKILL'), END_LIMIT);
  await exited;
  clearTimeout(cut);
}
