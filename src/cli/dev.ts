import { existsSync } from 'node:fs';
import { DEMO_PERSONAL } from '@sightline/demo';
import { startEmbedded } from '@sightline/embedded';
import type { CommandConnection } from '@sightline/postgres';
import { print, say } from '@sightline/terminal/output';
import { wholeNumber } from '@sightline/terminal/values';
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
  keptKey,
  makeOwnAccount,
  OWN_ACCOUNT,
  ownKeyFile,
} from './first-start.ts';
import { greeting, type MadeKeys } from './greeting.ts';
import { endInOrder } from './lifetime.ts';

/** Milliseconds within which everything has ended after Ctrl-C, one way or another. */
const END_LIMIT = 5000;
/** The same of a collector, and of its importer, before it. */
const COLLECT_LIMIT = 10_000;

/** Runs the service with nothing prepared: what "npm start" does. */
export function devCommand(): Command {
  return new Command('dev')
    .description('what "npm start" runs: the service on an embedded PostgreSQL, migrated, with demo data')
    .addHelpText('after', '\nWith DATABASE_URL it uses that PostgreSQL instead of an embedded one.')
    .addHelpText('after', 'Demo data is loaded, and keys are made, only where there are no accounts.')
    .option('--empty', 'without demo data: one account, own, with a key')
    .option('--reports <number>', 'how many reports the demo has', wholeNumber(0, 1_000_000_000))
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
  // Both take a while, and do not need one another.
  const [database, start] = await Promise.all([openDatabase(config), starter(config)]);
  try {
    const made = empty
      ? await prepareOwn(database.url, config)
      : await prepareDemo(database.url, config, reports);
    const oneTimeKey = oneTimeKeyOf(config, made);
    const service = await start(database.url, logger, oneTimeKey);
    const account = made.keysFile === ownKeyFile(config.dataDirectory) ? OWN_ACCOUNT : DEMO_PERSONAL;
    const collecting = collect ? await startCollecting(config, database.url, account) : undefined;
    const close = async () => {
      await collecting?.close();
      await service.close();
      await database.stop();
    };
    endInOrder({ logger, close, limit: collect ? END_LIMIT + COLLECT_LIMIT : END_LIMIT });
    const page = config.appPage ? { code: oneTimeKey?.code } : undefined;
    print(greeting({ url: service.url, page, ...made, account, collector: collecting?.address }));
  } catch (error) {
    await database.stop();
    throw error;
  }
}

interface Started {
  url: string;
  close(): Promise<void>;
}

type Start = (databaseUrl: string, logger: Logger, oneTimeKey: OneTimeKey | undefined) => Promise<Started>;

/** Signs the page in: on the demo, or on the own account. */
function oneTimeKeyOf({ appPage }: Config, { keys, ownKey, keysFile }: MadeKeys): OneTimeKey | undefined {
  const key = keys?.personal ?? ownKey ?? keptKey(keysFile);
  return appPage && key !== undefined ? new OneTimeKey(key) : undefined;
}

/** Starts one process or several; all end without a grace. */
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

interface Opened {
  url: string;
  stop(): Promise<void>;
}

async function openDatabase({ databaseUrl, dataDirectory }: Config): Promise<Opened> {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} };
  say(`Starting PostgreSQL in ${dataDirectory}`);
  return startEmbedded({ directory: dataDirectory });
}

async function prepareDemo(
  databaseUrl: string,
  { dataDirectory }: Config,
  reports?: number,
): Promise<MadeKeys> {
  const [demoFile, ownFile] = [demoKeysFile(dataDirectory), ownKeyFile(dataDirectory)];
  const keys = await prepared(databaseUrl, (sql, announcer) =>
    fillWithDemo(sql, announcer, dataDirectory, reports),
  );
  // One that was begun without the demo goes on without it.
  return { keys, keysFile: existsSync(demoFile) || !existsSync(ownFile) ? demoFile : ownFile };
}

async function prepareOwn(databaseUrl: string, { dataDirectory }: Config): Promise<MadeKeys> {
  const ownKey = await prepared(databaseUrl, (sql, announcer) =>
    makeOwnAccount(sql, announcer, dataDirectory),
  );
  return { ownKey, keysFile: ownKeyFile(dataDirectory) };
}

/** Fills a database of this version's form. */
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
