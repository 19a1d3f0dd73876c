import type { LoadSession } from './session.ts';

/**
 * Gives all further rows of the load a higher position than everything committed before: the next number, or the
 * milliseconds since 1970 if that is larger. A promoted standby can have lost the last numbers, but not the time.
 */
const NEXT = `setval('load_position', greatest(nextval('load_position'),
  (extract(epoch from clock_timestamp()) * 1000)::bigint))`;

export async function nextPosition(session: LoadSession): Promise<void> {
  await session.query(`select set_config('sightline.position', ${NEXT}::text, true)`);
}
