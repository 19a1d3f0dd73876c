import type { LoadSession } from './session.ts';

/** What the load writes from here on has a higher position than all that was committed before. */
export async function nextPosition(session: LoadSession): Promise<void> {
  await session.run(`select set_config('sightline.position', nextval('load_position')::text, true)`);
}
