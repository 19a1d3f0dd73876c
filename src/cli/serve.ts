import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { CommandFailed } from '@sightline/terminal/failure';
import { REFUSED } from '@sightline/workers';
import { onReplaced } from '@sightline/workers/replacement';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { createLogger, standardOutput } from '../observability/logger.ts';
import { endInOrder } from './lifetime.ts';

/** Milliseconds beyond what the service takes to close, after which the process ends all the same. */
const END_SLACK = 400;

/** Percent of V8's heap that may be added between two full collections. With it, a `load` would take a fifth longer. */
const GROWTH = 50;

/** Runs the service on the PostgreSQL of DATABASE_URL, which has to be migrated. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service on the PostgreSQL of DATABASE_URL')
    .option('--reload', 'replace its processes on SIGHUP, also where WEB_CONCURRENCY is 1')
    .addHelpText(
      'after',
      '\nIt serves only with a role that may not write, and only from a migrated database.',
    )
    .addHelpText('after', 'On SIGTERM it answers what it has begun, and ends.')
    .addHelpText(
      'after',
      'On SIGHUP several processes are replaced, one after the other, and no request is lost.',
    )
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://reader@db/sightline sightline serve')
    .action(serve);
}

async function serve({ reload }: { reload?: true }): Promise<void> {
  const config = readConfig();
  const { databaseUrl, shutdownGrace } = config;
  if (!databaseUrl) {
    throw new CommandFailed(
      'DATABASE_URL is not set: name your PostgreSQL, or run "npm start" for an embedded one',
    );
  }
  if (cluster.isPrimary && (reload || config.processes > 1)) {
    const { serveByMany } = await import('../cluster/serve.ts');
    const logger = createLogger(config.logLevel);
    const service = await serveByMany({ config, databaseUrl, logger });
    endInOrder({
      logger,
      close: service.close,
      limit: shutdownGrace + service.closeLimit + END_SLACK,
      reload: service.reload,
    });
    logger.info({ url: service.url, processes: config.processes }, 'listening');
    return;
  }
  const isOneOfMany = cluster.isWorker;
  const logger = createLogger(config.logLevel, standardOutput(isOneOfMany));
  // By default V8 collects again only once its heap has grown to four times of what the last full collection left.
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  // The service's modules take a while to load, and no other command needs them.
  const { startService } = await import('../main.ts');
  const service = await startService({
    config,
    databaseUrl,
    logger,
    isOneOfMany,
    onRefusal: async ({ message }) => {
      logger.fatal(message);
      await service.close(0);
      process.exit(isOneOfMany ? REFUSED : 1);
    },
  }).catch(error => {
    // The channel to the primary would keep a worker from ending.
    if (isOneOfMany) process.channel?.unref();
    throw error;
  });
  let isReplaced = false;
  const end = endInOrder({
    logger,
    close: () => (isReplaced ? service.handOver(shutdownGrace) : service.close(shutdownGrace)),
    limit: service.handOverTime(shutdownGrace) + service.closeLimit + END_SLACK,
    // The terminal sends it to all; the process that started this one decides.
    ...(isOneOfMany && { reload: () => {} }),
  });
  if (!isOneOfMany) return logger.info({ url: service.url }, 'listening');
  onReplaced(() => {
    isReplaced = true;
    end({ reason: 'replaced' });
  });
}
