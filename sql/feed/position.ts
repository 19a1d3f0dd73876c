import type { LoadSession } from './session.ts';

/**
 * Gives all later rows of the load a higher position than all that was committed before. That is the next number, or
 * the milliseconds since 1970 where these are more. A standby that takes over may have lost the last numbers that
 * others have seen; the time has not.
 */
const NEXT = `setval('load_position', greatest(nextval('load_position'),
  (extract(epoch from clock_timestamp()) * 1000)::bigint))`;

export async function nextPosition(session: LoadSession): Promise<void> {
  await session.query(`select set_config('sightline.position', ${NEXT}::text, true)`);
}
