import { type Diagnosis, good, warning } from './finding.ts';

/** Without its Redis, a service continues and counts in memory. */
export async function checkRedis(url: string): Promise<Diagnosis> {
  try {
    // Loaded on demand, since most services have no Redis.
    const { pingRedis } = await import('../redis.ts');
    await pingRedis(url);
    return good('redis', 'it answers');
  } catch (error) {
    return warning(
      'redis',
      `instances do not share their rate limits: ${(error as Error).message}`,
      remedyFor((error as Error).message),
    );
  }
}

function remedyFor(message: string): string {
  if (/DB index|invalid DB/i.test(message))
    return 'correct the number of the database in REDIS_URL: it is below "databases" of redis.conf';
  if (/NOAUTH|WRONGPASS|AUTH/.test(message)) return 'correct user and password in REDIS_URL';
  if (/READONLY/.test(message)) return 'name the primary of this Redis in REDIS_URL';
  if (/NOPERM/.test(message))
    return 'let the user of REDIS_URL use its keys: ACL SETUSER … ~sightline* +@all';
  if (/LOADING/.test(message)) return 'wait until Redis has loaded its data';
  if (/wrong version number|SSL|TLS|EPROTO/i.test(message))
    return 'write redis:// in REDIS_URL where Redis has no TLS, and rediss:// where it has';
  if (/ENOTFOUND|EAI_AGAIN/.test(message)) return 'correct the host name in REDIS_URL';
  return 'start Redis, or correct host, port and password of REDIS_URL';
}
