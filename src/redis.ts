import { Redis } from 'ioredis';
import type { Logger } from './observability/logger.ts';

/** The interval between checks of Redis in milliseconds, and the number of checks that can remain unanswered. */
const LOOK = 100;
const LOOKS = 5;

/** Time limit of a command in milliseconds. The checks detect earlier that Redis does not respond at all. */
const COMMAND_TIMEOUT = 1500;

/**
 * Connects to Redis, and reconnects without limit. While Redis is unreachable, commands fail immediately. Call
 * `disconnect()` to close the connection.
 */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    connectTimeout: 1000,
    commandTimeout: COMMAND_TIMEOUT,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: attempts => Math.min(1000, 50 * 2 ** attempts),
  });
  let isAway = false;
  const away = (reason: string) => {
    if (!isAway)
      logger.warn({ reason }, 'Redis is unavailable: each instance applies the rate limit by itself');
    isAway = true;
  };
  redis.on('error', ({ message }: Error) => away(message));
  // Redis can close a connection without an error and accept the next one immediately.
  redis.on('reconnecting', () => away('The connection was closed'));
  redis.on('ready', () => {
    const { db = 0 } = redis.options;
    // If the client cannot select the configured database, it would continue in database 0.
    redis
      .select(db)
      .catch(({ message }: Error) => logger.warn({ reason: message }, `Redis has no database ${db}`));
    if (isAway) logger.info('Redis is available again');
    isAway = false;
  });
  giveUpInSilence(redis);
  return redis;
}

/**
 * A Redis that accepts commands without responding counts as unreachable, so that requests wait for it only once.
 * Checks are counted instead of time, because responses can be unread after the process was suspended.
 */
function giveUpInSilence(redis: Redis): void {
  let heard = 0;
  let silent = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = () => {
    const bytesRead = redis.stream?.bytesRead ?? 0;
    silent = redis.commandQueue.length > 0 && bytesRead === heard ? silent + 1 : 0;
    heard = bytesRead;
    if (silent === LOOKS) redis.stream.destroy(new Error('Redis does not respond'));
  };
  redis.on('connect', () => {
    silent = 0;
    clearInterval(timer);
    timer = setInterval(look, LOOK).unref();
  });
  // There is no event "end" if the client is disconnected between two attempts to connect.
  redis.on('close', () => clearInterval(timer));
}

/**
 * Checks once whether Redis responds and accepts the password.
 * @throws {Error} with the reason
 */
export async function pingRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: COMMAND_TIMEOUT,
    commandTimeout: COMMAND_TIMEOUT,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  redis.on('error', error => {
    reason = error;
  });
  try {
    await redis.connect();
    await redis.ping();
    // If the client cannot select the configured database, it would continue in database 0.
    await redis.select(redis.options.db ?? 0);
    const [role] = (await redis.call('role')) as [string];
    if (role === 'slave') throw new Error('READONLY it is a replica, which does not accept counts');
  } catch (error) {
    // The connection's own error is more specific than that of the command.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
