import type { Sql } from 'postgres';

/** A lock of this project alone: the command that maintains the database holds it. */
const LOCK = 7_446_858_443;

/**
 * Does the work unless somebody else is at it; answers with whether it did. The lock is that of a transaction that
 * does nothing else, because sessions are shared behind a pooler.
 * @param lock a connection that nothing else uses meanwhile
 */
export async function inTurn(lock: Sql, work: () => Promise<void>): Promise<boolean> {
  const results = await lock.unsafe(`begin; set local idle_in_transaction_session_timeout = 0;
    select pg_try_advisory_xact_lock(${LOCK}) as held`);
  const held = (results as unknown as Record<string, unknown>[][]).flat().some(row => row.held === true);
  try {
    if (held) await work();
    return held;
  } finally {
    await lock.unsafe('rollback').catch(() => {});
  }
}
