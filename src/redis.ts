import { Redis } from 'ioredis';
import type { Logger } from './observability/logger.ts';

/** Milliseconds between two looks at whether Redis answers, and the looks at which it may be silent. */
const LOOK = 100;
const LOOKS = 5;

/** Milliseconds after which a command fails that Redis is slow to answer, while it answers others. */
const COMMAND_TIMEOUT = 1500;

/**
 * Connects, and connects again for as long as it takes. While Redis is away every command fails at once. End it
 * with `disconnect()`.
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
    if (!isAway) logger.warn({ reason }, 'Redis is away: each instance counts for itself');
    isAway = true;
  };
  redis.on('error', ({ message }: Error) => away(message));
  // It can end a connection without an error, and take the next one at once.
  redis.on('reconnecting', () => away('The connection was closed'));
  redis.on('ready', () => {
    if (isAway) logger.info('Redis is there again');
    isAway = false;
  });
  giveUpInSilence(redis);
  return redis;
}

/**
 * A Redis that takes commands and answers none counts as away, so that requests wait for it only once. The silence is
 * counted in looks and not by the clock: when this process stood still, the answers are there and were not read yet.
 */
function giveUpInSilence(redis: Redis): void {
  let heard = 0;
  let silent = 0;
  const look = setInterval(() => {
    const bytesRead = redis.stream?.bytesRead ?? 0;
    silent = redis.commandQueue.length > 0 && bytesRead === heard ? silent + 1 : 0;
    heard = bytesRead;
    if (silent === LOOKS) redis.stream.destroy(new Error('Redis answers nothing'));
  }, LOOK).unref();
  redis.once('end', () => clearInterval(look));
}

/** Asks once whether a Redis answers and takes the password. @throws {Error} which says why not */
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
  } catch (error) {
    // The connection's own error says more than that it ended.
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
