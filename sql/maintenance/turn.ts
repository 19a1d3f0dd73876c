import type { CommandConnection } from '@sightline/pg-client';
import { ADVISORY_LOCKS } from '../advisory-locks.ts';

/**
 * Does the work unless another process is doing it; returns whether it did. The lock belongs to an otherwise idle
 * transaction, because a pooler shares sessions.
 * @param lock a connection for exclusive use
 */
export async function inTurn(lock: CommandConnection, work: () => Promise<void>): Promise<boolean> {
  const transaction = await lock.begin();
  try {
    const [row] = await transaction.query<{ held: boolean }>(`
      set local idle_in_transaction_session_timeout = 0; select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.maintain}) as held`);
    if (row!.held) await work();
    return row!.held;
  } finally {
    await transaction.query('rollback').catch(() => {});
  }
}
