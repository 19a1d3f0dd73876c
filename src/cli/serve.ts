import cluster from 'node:cluster';
import { setFlagsFromString } from 'node:v8';
import { CommandFailed } from '@sightline/tools';
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { createLogger, standardOutput } from '../observability/logger.ts';
import { onReplaced } from '../workers/replacement.ts';
import { REFUSED } from '../workers/workers.ts';
import { endInOrder } from './lifetime.ts';

/** The process exits at the latest this long after the service's shutdown limit, in milliseconds. */
const END_SLACK = 400;

/**
 * The percentage by which V8's heap can grow between two full collections. It is set only here, since it would slow
 * down a `load` by a fifth.
 */
const GROWTH = 50;

/** Runs the service on the PostgreSQL of DATABASE_URL, which must be migrated. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('run the service on the PostgreSQL of DATABASE_URL')
    .option('--reload', 'replace its processes on SIGHUP, even if WEB_CONCURRENCY is 1')
    .addHelpText(
      'after',
      '\nIt serves only with a role that cannot write, and only from a migrated database.',
    )
    .addHelpText('after', 'On SIGTERM it finishes running requests, and exits.')
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
      'DATABASE_URL is not set: set it to the URL of your PostgreSQL, or run "npm start" for an embedded one',
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
  // By default V8 waits until the heap is four times as large as after the last full collection.
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
  // Loaded on demand, since the service's modules take a while and no other command needs them.
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
    // An open channel to the primary process would keep a worker alive.
    if (isOneOfMany) process.channel?.unref();
    throw error;
  });
  let isReplaced = false;
  const end = endInOrder({
    logger,
    close: () => (isReplaced ? service.handOver(shutdownGrace) : service.close(shutdownGrace)),
    limit: service.handOverTime(shutdownGrace) + service.closeLimit + END_SLACK,
    // The terminal sends the signal to all processes, but only the parent process handles it.
    ...(isOneOfMany && { reload: () => {} }),
  });
  if (!isOneOfMany) return logger.info({ url: service.url }, 'listening');
  onReplaced(() => {
    isReplaced = true;
    end({ reason: 'replaced' });
  });
}
