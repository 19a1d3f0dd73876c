import { setTimeout as sleep } from 'node:timers/promises';
import type { BreakerEvents, DatabaseCounters } from '@sightline/pg-client';
import { connect, type DatabaseClient } from '../sql/client.ts';
import { type ReplicaEvents, ReplicaSet } from '../sql/servers/replicas.ts';
import { onlyServer, type Servers } from '../sql/servers/servers.ts';
import { listUnreadableWorkers } from '../sql/servers/workers.ts';
import { createApp } from './app.ts';
import { systemClock } from './clock.ts';
import { RedeemedForAll } from './cluster/one-time-key.ts';
import { type Config, httpAddress } from './config.ts';
import { type AdminServer, startAdmin } from './http/admin.ts';
import { createSharedCounter } from './http/counting.ts';
import { getAnswerLimit, getCloseLimit } from './http/deadlines.ts';
import { createDrain, handOverTime } from './http/drain.ts';
import { listen } from './http/listen.ts';
import { createRateLimit } from './http/rate-limit.ts';
import { createServer } from './http/server.ts';
import type { ProxyLoginConfig } from './login-settings.ts';
import type { Logger } from './observability/logger.ts';
import { serviceVersion } from './observability/version.ts';
import { createAppPage } from './pages/app.ts';
import { createDocs } from './pages/docs.ts';
import { readAccountMap } from './pages/login/accounts.ts';
import { createProxyLogin, type ProxyLogin } from './pages/login/proxy-login.ts';
import { servedFiles } from './pages/served.ts';
import type { OneTimeKey } from './pages/sign-in.ts';
import { preflight, Unserviceable } from './preflight.ts';
import { canExchangeMessages } from './workers/messages.ts';

/** Milliseconds between two attempts to reach a database that was unavailable at the start. */
const RETRY = 500;

/** Time limit in milliseconds for the database's answer to the readiness check. */
const READY_LIMIT = 1000;

/** Logged by a worker whose parent runs another version. */
const OTHER_PARENT =
  'The parent process runs an incompatible release, so this process counts rate limits by itself ' +
  'and allows each key its share. Restart the service ("systemctl restart sightline") to count together again';

export interface ServiceOptions {
  config: Config;
  databaseUrl: string;
  logger: Logger;
  /** True if this process shares its port with others, and the primary counts and logs for all of them. */
  isOneOfMany?: boolean;
  /** The key that the page's one-time link signs in with. */
  oneTimeKey?: OneTimeKey | undefined;
  /** Called when a database that was unavailable at the start turns out to be unusable. */
  onRefusal(error: Unserviceable): void;
}

export interface Service {
  /** The address of the service from this machine. */
  url: string;
  /** The longest time for closing after the grace period, in milliseconds. */
  closeLimit: number;
  /** @param grace milliseconds for which it keeps listening while not ready */
  close(grace: number): Promise<void>;
  /** Returns the milliseconds for which it stays ready during a hand-over. @param grace minimum */
  handOverTime(grace: number): number;
  /**
   * Shuts down while another process serves on the same port.
   * @param grace minimum milliseconds for which it stays ready
   */
  handOver(grace: number): Promise<void>;
}

/**
 * Connects and listens. If the database is unavailable, the service starts anyway, and becomes ready once it has
 * reached and checked the database.
 * @throws {Unserviceable} if the database can be reached but not used
 * @throws {ListenFailed} if the port cannot be opened
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
  const answerLimit = getAnswerLimit(config.database.statementTimeout);
  const closeLimit = getCloseLimit(config.database.statementTimeout);
  // Loaded on demand, since most services have no Redis.
  const redis = config.redisUrl
    ? (await import('./redis.ts')).connectRedis(config.redisUrl, logger)
    : undefined;
  const inRedis =
    redis && (await import('./http/redis-limit.ts')).createRedisCounter(redis, config.rateLimit);
  const isCounted = isOneOfMany && canExchangeMessages();
  const shared = inRedis ?? (isCounted ? createSharedCounter() : undefined);
  const isShare = isOneOfMany && !shared;
  if (isShare) logger.warn(OTHER_PARENT);
  const rateLimit = createRateLimit(config.rateLimit, shared, isShare ? config.processes : 1);
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
    const login = config.proxyLogin && (await loadLogin(config.proxyLogin, logger));
    if (isOneOfMany) metrics?.share();
    else if (metrics && adminPort !== undefined) admin = await startAdmin({ host, port: adminPort }, metrics);
    await database.waitUntilChecked();
    const { servers } = database;
    const failure = await check(servers.choose().database, config);
    let isServiceable = !failure;
    const app = await createApp({
      servers,
      clock: systemClock,
      config,
      logger,
      rateLimit,
      metrics,
      isReady: async () =>
        isServiceable && !drain.isDraining && (await isAnswering(servers.choose().database)),
      files: servedFiles(config.appPage, config.publicUrl, config.publicPath),
      docs: createDocs(config.publicUrl),
      page: config.appPage
        ? createAppPage({
            oneTimeKey: isOneOfMany ? new RedeemedForAll() : oneTimeKey,
            isProxied: Boolean(login),
          })
        : undefined,
      login,
    });
    const server = createServer({ app, logger, metrics, answerLimit, keepAlive: config.keepAlive });
    const drain = createDrain(server);
    const port = await listen(server, config);
    if (failure) {
      logger.warn({ reason: failure.message }, 'not ready: the database could not be checked');
      waitUntilServiceable(servers, config, ended.signal).then(isReached => {
        isServiceable = isReached;
        if (isReached) logger.info('ready: the database is available');
        if (isReached) void logWorkers(servers.choose().database, logger);
      }, onRefusal);
    } else void logWorkers(database.servers.choose().database, logger);
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

/** @throws {Error} if the file of accounts cannot be used */
async function loadLogin(config: ProxyLoginConfig, logger: Logger): Promise<ProxyLogin> {
  const onProblem = ({ message }: Error) =>
    logger.error({ problem: message }, 'the accounts of the previous file stay in use');
  return createProxyLogin(config, await readAccountMap(config.accountsFile, onProblem));
}

/** The connected database servers. */
interface DatabaseServers {
  servers: Servers;
  source: { readonly counters: DatabaseCounters };
  /** Resolves once the state of all servers is known. */
  waitUntilChecked(): Promise<void>;
  end(): Promise<void>;
}

function connectAll(config: Config, databaseUrl: string, logger: Logger): DatabaseServers {
  const primary = { url: databaseUrl, ...config.database };
  const { urls, maxLag } = config.replicas;
  if (urls.length === 0) {
    const database = connect(primary, createReporter(logger));
    return {
      servers: onlyServer(database),
      waitUntilChecked: async () => {},
      source: database,
      end: () => database.end(),
    };
  }
  const validate = (database: DatabaseClient) => inspect(database, config);
  const replicated = new ReplicaSet({ primary, replicaUrls: urls, maxLag, validate }, logReplicas(logger));
  return {
    servers: replicated,
    waitUntilChecked: () => replicated.waitUntilChecked(),
    source: replicated,
    end: () => replicated.end(),
  };
}

function logReplicas(logger: Logger): ReplicaEvents {
  return {
    away: (server, { message }) =>
      logger.warn(
        { server, reason: message },
        'a database server is unreachable: requests go to another one',
      ),
    back: server => logger.info({ server }, 'a database server responds again'),
    chosen: server => logger.info({ server }, 'requests read from another database server'),
    refused: (server, { message }) =>
      logger.error({ server, reason: message }, 'a replica cannot be used: requests go to the other servers'),
  };
}

function createReporter(logger: Logger): BreakerEvents {
  return {
    away: ({ message }) =>
      logger.error({ reason: message }, 'the database is unreachable: requests fail immediately'),
    back: () => logger.info('the database answers again'),
  };
}

async function isAnswering(database: DatabaseClient): Promise<boolean> {
  return database.ping(READY_LIMIT).then(
    () => true,
    () => false,
  );
}

/** Logs problems that do not prevent serving, such as accounts that cannot be read. */
async function logWorkers(database: DatabaseClient, logger: Logger): Promise<void> {
  const message = 'a database worker cannot be read: its accounts get 500';
  try {
    for (const worker of await listUnreadableWorkers(database)) logger.error(worker, message);
  } catch (error) {
    logger.error({ reason: (error as Error).message }, 'the database workers could not be checked');
  }
}

/** Returns the error that prevented the check, or undefined if the service can use the database. */
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

/** Opens connections in advance, so that the first requests do not wait. */
async function openAll(database: DatabaseClient, poolSize: number): Promise<void> {
  await Promise.all(
    Array.from({ length: poolSize }, () => database.rows('select 1', [], { prepare: false })),
  );
}

/** Returns false if the service was shut down in the meantime. */
async function waitUntilServiceable(servers: Servers, config: Config, ended: AbortSignal): Promise<boolean> {
  while (!ended.aborted) {
    await sleep(RETRY);
    if (!(await check(servers.choose().database, config))) return !ended.aborted;
  }
  return false;
}
