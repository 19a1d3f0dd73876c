import { Command } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import { migrate } from '../../sql/operator/migrate.ts';
import { OneTimeKey } from '../app-page/sign-in.ts';
import { type Config, readConfig } from '../config.ts';
import { startEmbedded } from '../embedded/start.ts';
import { requireFreePort } from '../http/listen.ts';
import { createLogger, type Logger } from '../observability/logger.ts';
import { withOperator } from './context.ts';
import { type DemoKeys, demoKeysFile, fillWithDemo, keptPersonalKey } from './first-start.ts';
import { greeting } from './greeting.ts';
import { endInOrder } from './lifetime.ts';
import { print, say } from './output.ts';

/** Milliseconds within which everything has ended after Ctrl-C, one way or another. */
const END_LIMIT = 5000;

/** Runs the service with nothing prepared: what "npm start" does. */
export function devCommand(): Command {
  return new Command('dev')
    .description('what "npm start" runs: the service on an embedded PostgreSQL, migrated, with demo data')
    .addHelpText('after', '\nWith DATABASE_URL it uses that PostgreSQL instead of an embedded one.')
    .addHelpText('after', 'Demo data is loaded, and keys are made, only where there are no accounts.')
    .addHelpText('after', '\nExample:\n  PORT=4001 sightline dev')
    .action(dev);
}

async function dev(): Promise<void> {
  const config = readConfig(undefined, { LOG_LEVEL: 'warn' });
  const logger = createLogger(config.logLevel);
  await requireFreePort(config);
  // Both take a while, and do not need one another.
  const [database, start] = await Promise.all([openDatabase(config), starter(config)]);
  try {
    const keys = await prepare(database.url, config);
    const oneTimeKey = oneTimeKeyOf(config, keys);
    const service = await start(database.url, logger, oneTimeKey);
    const close = async () => {
      await service.close();
      await database.stop();
    };
    endInOrder({ logger, close, limit: END_LIMIT });
    const keysFile = demoKeysFile(config.dataDirectory);
    const page = config.appPage ? { code: oneTimeKey?.code } : undefined;
    print(greeting({ url: service.url, page, keys, keysFile }));
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

/** Signs the page in on the demo. */
function oneTimeKeyOf(
  { appPage, dataDirectory }: Config,
  keys: DemoKeys | undefined,
): OneTimeKey | undefined {
  if (!appPage) return undefined;
  const key = keys?.personal ?? keptPersonalKey(dataDirectory);
  return key === undefined ? undefined : new OneTimeKey(key);
}

/** By one process or by several, which all end without a grace. */
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

/** Answers with the keys, where this made them. */
function prepare(databaseUrl: string, { dataDirectory }: Config): Promise<DemoKeys | undefined> {
  const context = { databaseUrl: () => databaseUrl };
  return withOperator(context, async sql => {
    await migrate(sql);
    return withOperator(context, second => fillWithDemo(sql, new Announcer(second), dataDirectory));
  });
}

function crash(error: Error): never {
  throw error;
}
