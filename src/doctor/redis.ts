import { type Finding, good, warning } from './finding.ts';

/** A service without its Redis goes on, and counts for itself. */
export async function checkRedis(url: string): Promise<Finding> {
  try {
    // Its client takes a while to load, and most services have no Redis.
    const { pingRedis } = await import('../redis.ts');
    await pingRedis(url);
    return good('redis', 'it answers');
  } catch (error) {
    return warning(
      'redis',
      `instances do not share their rate limits: ${(error as Error).message}`,
      'start Redis, or correct host, port and password of REDIS_URL',
    );
  }
}
