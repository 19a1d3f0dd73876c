import { setTimeout as sleep } from 'node:timers/promises';
import type { BreakerEvents, DatabaseCounters } from '@sightline/postgres';
import { connect, type DatabaseClient } from '../sql/client.ts';
import { type ReplicaEvents, Replicated } from '../sql/servers/replicas.ts';
import { onlyServer, type Servers } from '../sql/servers/servers.ts';
import { unreadWorkers } from '../sql/servers/workers.ts';
import { createApp } from './app.ts';
import { systemClock } from './clock.ts';
import { RedeemedForAll } from './cluster/one-time-key.ts';
import { type Config, httpAddress } from './config.ts';
import { type AdminServer, startAdmin } from './http/admin.ts';
import { countedForAll } from './http/counting.ts';
import { answerLimitOf, closeLimitOf } from './http/deadlines.ts';
import { createDrain, handOverTime } from './http/drain.ts';
import { listen } from './http/listen.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createServer } from './http/server.ts';
import type { Logger } from './observability/logger.ts';
import { serviceVersion } from './observability/version.ts';
import { createAppPage } from './pages/app.ts';
import { createDocs } from './pages/docs.ts';
import { servedFiles } from './pages/served.ts';
import type { OneTimeKey } from './pages/sign-in.ts';
import { preflight, Unserviceable } from './preflight.ts';

/** Milliseconds between two looks at a database that was away at the start. */
const RETRY = 500;

/** Milliseconds within which the database has to answer for the service to be ready. */
const READY_LIMIT = 1000;

export interface ServiceOptions {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** True if this process is one of several on the same port, whose starter counts and tells for all of them. */
  isOneOfMany?: boolean;
  /** The key that the page's one-time link signs in with. */
  oneTimeKey?: OneTimeKey | undefined;
  /** The database was away at the start, came back, and cannot be served from. */
  onRefusal(error: Unserviceable): void;
}

export interface Service {
  /** The address of the service from this machine. */
  url: string;
  /** Milliseconds that closing takes at most, beyond its grace. */
  closeLimit: number;
  /** @param grace milliseconds for which it goes on listening, as not ready */
  close(grace: number): Promise<void>;
  /** Milliseconds for which it stays ready when it hands over. @param grace the least of them */
  handOverTime(grace: number): number;
  /** Ends where another process serves on the same port. @param grace milliseconds for which it stays ready at least */
  handOver(grace: number): Promise<void>;
}

/**
 * Connects and listens. A database that is away does not keep the service from starting: it is not ready
 * then, and serves once the database is there and was looked at.
 * @throws {Unserviceable} when the database is there but cannot be served from
 * @throws {ListenFailed} when the port cannot be had
 */
export async function startService({
  config,
  databaseUrl,
  logger,
  isOneOfMany = false,
  oneTimeKey,
  onRefusal,
}: ServiceOptions): Promise<Service> {
  const database = connectAll(config, databaseUrl, logger);
  const answerLimit = answerLimitOf(config.database.statementTimeout);
  const closeLimit = closeLimitOf(config.database.statementTimeout);
  // Its client takes a while to load, and most services have no Redis.
  const redis = config.redisUrl
    ? (await import('./redis.ts')).connectRedis(config.redisUrl, logger)
    : undefined;
  const inRedis = redis && (await import('./http/redis-limit.ts')).countedInRedis(redis, config.rateLimit);
  const shared = inRedis ?? (isOneOfMany ? countedForAll() : undefined);
  const rateLimit = createRateLimit(config.rateLimit, shared);
  const { host, adminPort } = config;
  const metrics =
    adminPort === undefined
      ? undefined
      : (await import('./observability/metrics.ts')).createMetrics(
          { database: database.source, servers: database.servers, rateLimit, redis },
          serviceVersion(),
        );
  let admin: AdminServer | undefined;
  const ended = new AbortController();
  const end = async () => {
    ended.abort();
    admin?.close();
    redis?.disconnect();
    await database.end();
  };
  try {
    if (isOneOfMany) metrics?.share();
    else if (metrics && adminPort !== undefined) admin = await startAdmin({ host, port: adminPort }, metrics);
    await database.seen();
    const { servers } = database;
    const obstacle = await check(servers.choose().database, config);
    let isServiceable = !obstacle;
    const app = await createApp({
      servers,
      clock: systemClock,
      config,
      logger,
      rateLimit,
      metrics,
      isReady: async () => isServiceable && !drain.isDraining && (await answers(servers.choose().database)),
      files: servedFiles(config.appPage, config.publicUrl),
      docs: createDocs(config.publicUrl),
      page: config.appPage ? createAppPage(isOneOfMany ? new RedeemedForAll() : oneTimeKey) : undefined,
    });
    const server = createServer({ app, logger, metrics, answerLimit });
    const drain = createDrain(server);
    const port = await listen(server, config);
    if (obstacle) {
      logger.warn({ reason: obstacle.message }, 'not ready: the database could not be checked');
      untilThere(servers, config, ended.signal).then(isThere => {
        isServiceable = isThere;
        if (isThere) logger.info('ready: the database is there');
        if (isThere) void tellOfWorkers(servers.choose().database, logger);
      }, onRefusal);
    } else void tellOfWorkers(database.servers.choose().database, logger);
    return {
      url: httpAddress(config.host, port),
      closeLimit,
      handOverTime: grace => handOverTime(server, grace),
      async close(grace) {
        await drain.close(grace, closeLimit);
        await end();
      },
      async handOver(grace) {
        await drain.handOver(grace, closeLimit);
        await end();
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** One server, or several: those of the settings. */
interface Connected {
  servers: Servers;
  source: { readonly counters: DatabaseCounters };
  /** When it is known which of several can be read from. */
  seen(): Promise<void>;
  end(): Promise<void>;
}

function connectAll(config: Config, databaseUrl: string, logger: Logger): Connected {
  const primary = { url: databaseUrl, ...config.database };
  const { urls, maxLag } = config.replicas;
  if (urls.length === 0) {
    const database = connect(primary, tellOf(logger));
    return {
      servers: onlyServer(database),
      seen: async () => {},
      source: database,
      end: () => database.end(),
    };
  }
  const admit = (database: DatabaseClient) => inspect(database, config);
  const replicated = new Replicated({ primary, replicaUrls: urls, maxLag, admit }, tellOfReplicas(logger));
  return {
    servers: replicated,
    seen: () => replicated.seen(),
    source: replicated,
    end: () => replicated.end(),
  };
}

function tellOfReplicas(logger: Logger): ReplicaEvents {
  return {
    away: (server, { message }) =>
      logger.warn(
        { server, reason: message },
        'a database server is unreachable: requests go to another one',
      ),
    back: server => logger.info({ server }, 'a database server answers again'),
    chosen: server => logger.info({ server }, 'requests read from another database server'),
    refused: (server, { message }) =>
      logger.error({ server, reason: message }, 'a replica cannot be used: requests go to the other servers'),
  };
}

function tellOf(logger: Logger): BreakerEvents {
  return {
    away: ({ message }) =>
      logger.error({ reason: message }, 'the database is unreachable: requests fail at once'),
    back: () => logger.info('the database answers again'),
  };
}

async function answers(database: DatabaseClient): Promise<boolean> {
  return database.ping(READY_LIMIT).then(
    () => true,
    () => false,
  );
}

/** The service serves all the same: what cannot be read is a part of the accounts, or all of them where a role is wrong. */
async function tellOfWorkers(database: DatabaseClient, logger: Logger): Promise<void> {
  const message = 'a database worker cannot be read: its accounts get 500';
  try {
    for (const worker of await unreadWorkers(database)) logger.error(worker, message);
  } catch (error) {
    logger.error({ reason: (error as Error).message }, 'the database workers could not be checked');
  }
}

/** The error that kept the database from being examined; undefined when the service can serve from it. */
async function check(database: DatabaseClient, config: Config): Promise<Error | undefined> {
  try {
    await inspect(database, config);
    return undefined;
  } catch (error) {
    if (error instanceof Unserviceable) throw error;
    return error as Error;
  }
}

async function inspect(database: DatabaseClient, { database: { role, poolSize } }: Config): Promise<void> {
  await preflight(database, role);
  await openAll(database, poolSize);
}

/** So that the first requests need not wait until their connections are made. */
async function openAll(database: DatabaseClient, poolSize: number): Promise<void> {
  await Promise.all(
    Array.from({ length: poolSize }, () => database.rows('select 1', [], { prepare: false })),
  );
}

/** False when the service has ended first. */
async function untilThere(servers: Servers, config: Config, ended: AbortSignal): Promise<boolean> {
  while (!ended.aborted) {
    await sleep(RETRY);
    if (!(await check(servers.choose().database, config))) return !ended.aborted;
  }
  return false;
}
