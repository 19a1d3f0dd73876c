import { Command } from 'commander';
import { Announcer } from '../../sql/announcer.ts';
import { migrate } from '../../sql/migrate.ts';
import { type Config, readConfig } from '../config.ts';
import { startEmbedded } from '../embedded/start.ts';
import { requireFreePort } from '../http/listen.ts';
import { createLogger } from '../logger.ts';
import { withOperator } from './context.ts';
import { type DemoKeys, demoKeysFile, fillWithDemo } from './first-start.ts';
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
  const [database, { startService }] = await Promise.all([openDatabase(config), import('../main.ts')]);
  try {
    const keys = await prepare(database.url, config);
    const service = await startService({ config, databaseUrl: database.url, logger, onRefusal: crash });
    const close = async () => {
      await service.close(0);
      await database.stop();
    };
    endInOrder({ logger, close, limit: END_LIMIT });
    print(greeting({ url: service.url, keys, keysFile: demoKeysFile(config.dataDirectory) }));
  } catch (error) {
    await database.stop();
    throw error;
  }
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
