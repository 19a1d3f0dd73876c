import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { createToken } from '@sightline/collect/tokens';
import { CommandFailed } from '@sightline/terminal/failure';
import { onOneLine } from '@sightline/terminal/one-line';
import { say } from '@sightline/terminal/output';
import { Announcer } from '../../sql/changes/announcer.ts';
import type { Config } from '../config.ts';
import { loadFeed } from '../feed/load.ts';
import { asFeed, setupLine } from './account-lines.ts';
import { withOperator } from './context.ts';
import { OWN_ACCOUNT, writePrivate } from './first-start.ts';

/** Milliseconds from SIGTERM on within which each has ended, one way or another. */
const END_LIMIT = 4000;

/** A collector and its importer, which run beside the service. */
export interface Collecting {
  /** The address that the account's browsers report to. */
  address: string;
  /** Ends both, with all that was taken in the database. */
  close(): Promise<void>;
}

/**
 * Starts both as processes of their own: the collector has no login to the database here, either.
 * @param account whose reports come in
 */
export async function startCollecting(
  config: Config,
  databaseUrl: string,
  account: string,
): Promise<Collecting> {
  const { dataDirectory, collect } = config;
  const [spool, tokens] = [join(dataDirectory, 'spool'), join(dataDirectory, 'collect-tokens.ndjson')];
  await mkdir(spool, { recursive: true });
  const token = await keptToken(dataDirectory, tokens, account);
  const collector = start(['collect'], {
    COLLECT_SPOOL: spool,
    COLLECT_TOKENS: tokens,
    COLLECT_HOST: collect.host,
    COLLECT_PORT: String(collect.port),
    COLLECT_PROXIES: collect.proxies,
    LOG_LEVEL: 'info',
  });
  const url = await listening(collector);
  const address = `${collect.publicUrl ?? url}/r/${token}`;
  const watch = ['--watch-root', spool, '--format', 'collected', '--every', '1s', '--remove'];
  const importer = start(['import', ...watch], { DATABASE_URL: databaseUrl });
  createInterface({ input: importer.stderr! }).on('line', line => say(onOneLine(line)));
  if (account === OWN_ACCOUNT) await setUp(databaseUrl, address);
  return {
    address,
    async close() {
      await end(collector);
      await end(importer);
    },
  };
}

/** The token of an earlier start, or a new one. */
async function keptToken(dataDirectory: string, tokens: string, account: string): Promise<string> {
  const file = join(dataDirectory, `collect-${account}.env`);
  const kept = existsSync(file) && existsSync(tokens) ? readFileSync(file, 'utf8') : '';
  const known = /^TOKEN=(\w+)$/m.exec(kept)?.[1];
  if (known !== undefined) return known;
  const token = await createToken(tokens, { account });
  await writePrivate(file, [`TOKEN=${token}`]);
  return token;
}

function start(args: string[], env: Record<string, string>): ChildProcess {
  const program = process.argv[1]!;
  // As npm's own name for it says: it ends where the process that started it does, however that ended.
  const all = { ...env, npm_lifecycle_event: 'start' };
  return spawn(process.execPath, [program, ...args], { env: all, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Answers with its address once it listens; from then on says what it warns of. */
async function listening(collector: ChildProcess): Promise<string> {
  let failure = '';
  collector.stderr!.on('data', text => {
    failure += text;
  });
  const lines = createInterface({ input: collector.stdout! });
  const found = once(lines, 'line').then(([line]) => JSON.parse(line).url as string);
  const ended = once(collector, 'exit').then(() => {
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
