import type { CommandConnection } from '@sightline/postgres';

/** A lock of this project alone: the command that maintains the database holds it. */
const LOCK = 7_446_858_443;

/**
 * Does the work unless somebody else is at it; answers with whether it did. The lock is that of a transaction that
 * does nothing else, because sessions are shared behind a pooler.
 * @param lock a connection that nothing else uses meanwhile
 */
export async function inTurn(lock: CommandConnection, work: () => Promise<void>): Promise<boolean> {
  const transaction = await lock.begin();
  try {
    const [row] = await transaction.query<{ held: boolean }>(`
      set local idle_in_transaction_session_timeout = 0; select pg_try_advisory_xact_lock(${LOCK}) as held`);
    if (row!.held) await work();
    return row!.held;
  } finally {
    await transaction.query('rollback').catch(() => {});
  }
}
