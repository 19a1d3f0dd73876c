import { Redis } from 'ioredis';
import type { Logger } from './logger.ts';

/** Milliseconds after which a Redis that answers nothing counts as away, so that requests wait for it only once. */
const SILENCE = 500;

/**
 * Connects, and connects again for as long as it takes. While Redis is away every command fails at once. End it
 * with `disconnect()`.
 */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    connectTimeout: 1000,
    socketTimeout: SILENCE,
    // For what comes a little at a time.
    commandTimeout: 2 * SILENCE,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: attempts => Math.min(1000, 50 * 2 ** attempts),
  });
  let isAway = false;
  redis.on('error', ({ message }: Error) => {
    if (!isAway) logger.warn({ reason: message }, 'Redis is away: each instance counts for itself');
    isAway = true;
  });
  redis.on('ready', () => {
    if (isAway) logger.info('Redis is there again');
    isAway = false;
  });
  return redis;
}
