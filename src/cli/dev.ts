import { existsSync } from 'node:fs';
import { DEMO_PERSONAL } from '@sightline/demo';
import { startEmbedded } from '@sightline/embedded';
import type { CommandConnection } from '@sightline/pg-client';
import { print, say, wholeNumber } from '@sightline/tools';
import { Command } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import { migrate } from '../../sql/operator/migrate.ts';
import { type Config, readConfig } from '../config.ts';
import { requireFreePort } from '../http/listen.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { OneTimeKey } from '../pages/sign-in.ts';
import { withOperator } from './context.ts';
import { startCollecting } from './dev-collect.ts';
import {
  demoKeysFile,
  fillWithDemo,
  makeOwnAccount,
  OWN_ACCOUNT,
  ownKeyFile,
  readStoredKey,
} from './first-start.ts';
import { type GeneratedKeys, greeting } from './greeting.ts';
import { endInOrder } from './lifetime.ts';

/** Time limit for shutting down after Ctrl-C, in milliseconds. */
const END_LIMIT = 5000;
/** The same for a collector and its importer, which end first. */
const COLLECT_LIMIT = 10_000;

/** Runs the service without preparation, for "npm start". */
export function devCommand(): Command {
  return new Command('dev')
    .description('what "npm start" runs: the service on an embedded PostgreSQL, migrated, with demo data')
    .addHelpText('after', '\nWith DATABASE_URL it uses that PostgreSQL instead of an embedded one.')
    .addHelpText('after', 'Demo data is loaded and keys are created only if there are no accounts.')
    .option('--empty', 'without demo data: one account, own, with a key')
    .option('--reports <number>', 'the number of reports in the demo', wholeNumber(0, 1_000_000_000))
    .option('--collect', 'with a collector for the reports of browsers, and its importer')
    .addHelpText('after', '\nExample:\n  PORT=4001 sightline dev')
    .action(dev);
}

interface Options {
  empty?: boolean;
  reports?: number;
  collect?: boolean;
}

async function dev({ empty = false, collect = false, reports }: Options): Promise<void> {
  const config = readConfig(undefined, { LOG_LEVEL: 'warn' });
  const logger = createLogger(config.logLevel);
  await requireFreePort(config);
  // Both take a while and are independent.
  const [database, start] = await Promise.all([openDatabase(config), starter(config)]);
  const opened = [database.stop];
  const close = async () => {
    for (const end of opened.toReversed()) await end();
  };
  try {
    const made = empty
      ? await prepareOwn(database.url, config)
      : await prepareDemo(database.url, config, reports);
    const oneTimeKey = createOneTimeKey(config, made);
    const service = await start(database.url, logger, oneTimeKey);
    opened.push(service.close);
    const account = made.keysFile === ownKeyFile(config.dataDirectory) ? OWN_ACCOUNT : DEMO_PERSONAL;
    const collecting = collect ? await startCollecting(config, database.url, account) : undefined;
    if (collecting) opened.push(collecting.close);
    endInOrder({ logger, close, limit: collect ? END_LIMIT + COLLECT_LIMIT : END_LIMIT });
    const page = config.appPage ? { code: oneTimeKey?.code } : undefined;
    print(greeting({ url: service.url, page, ...made, account, collector: collecting?.address }));
  } catch (error) {
    await close();
    throw error;
  }
}

interface DevServer {
  url: string;
  close(): Promise<void>;
}

type Start = (databaseUrl: string, logger: Logger, oneTimeKey: OneTimeKey | undefined) => Promise<DevServer>;

/** Creates a code that signs the page in, for the demo or the own account. */
function createOneTimeKey(
  { appPage }: Config,
  { keys, ownKey, keysFile }: GeneratedKeys,
): OneTimeKey | undefined {
  const key = keys?.personal ?? ownKey ?? readStoredKey(keysFile);
  return appPage && key !== undefined ? new OneTimeKey(key) : undefined;
}

/** Starts one or several processes, which end without a grace period. */
async function starter(config: Config): Promise<Start> {
  if (config.processes > 1) {
    const { serveByMany } = await import('../cluster/serve.ts');
    return (databaseUrl, logger, oneTimeKey) => {
      const env = { DATABASE_URL: databaseUrl, LOG_LEVEL: config.logLevel, SHUTDOWN_GRACE: '0' };
      return serveByMany({ config, databaseUrl, logger, oneTimeKey, env });
    };
  }
  const { startService } = await import('../main.ts');
  return async (databaseUrl, logger, oneTimeKey) => {
    const service = await startService({ config, databaseUrl, logger, oneTimeKey, onRefusal: crash });
    return { url: service.url, close: () => service.close(0) };
  };
}

interface OpenDatabase {
  url: string;
  stop(): Promise<void>;
}

async function openDatabase({ databaseUrl, dataDirectory }: Config): Promise<OpenDatabase> {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} };
  say(`Starting PostgreSQL in ${dataDirectory}`);
  return startEmbedded({ directory: dataDirectory });
}

async function prepareDemo(
  databaseUrl: string,
  { dataDirectory }: Config,
  reports?: number,
): Promise<GeneratedKeys> {
  const [demoFile, ownFile] = [demoKeysFile(dataDirectory), ownKeyFile(dataDirectory)];
  const keys = await prepared(databaseUrl, (sql, announcer) =>
    fillWithDemo(sql, announcer, dataDirectory, reports),
  );
  // A data folder created without the demo never gets it.
  return { keys, keysFile: existsSync(demoFile) || !existsSync(ownFile) ? demoFile : ownFile };
}

async function prepareOwn(databaseUrl: string, { dataDirectory }: Config): Promise<GeneratedKeys> {
  const ownKey = await prepared(databaseUrl, (sql, announcer) =>
    makeOwnAccount(sql, announcer, dataDirectory),
  );
  return { ownKey, keysFile: ownKeyFile(dataDirectory) };
}

/** Migrates the database, and fills it. */
function prepared<Made>(
  databaseUrl: string,
  fill: (sql: CommandConnection, announcer: Announcer) => Promise<Made>,
): Promise<Made> {
  const context = { databaseUrl: () => databaseUrl };
  return withOperator(context, async sql => {
    await migrate(sql);
    return withOperator(context, second => fill(sql, new Announcer(second)));
  });
}

function crash(error: Error): never {
  throw error;
}
