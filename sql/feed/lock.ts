import { ADVISORY_LOCKS } from '../advisory-locks.ts';

/** Tries to take the lock of writers until the end of the transaction, without waiting. */
export const TRY_LOCK = `select pg_try_advisory_xact_lock(${ADVISORY_LOCKS.reports}) as held`;

/** Waits for the lock. */
export const LOCK_REPORTS = `select pg_advisory_xact_lock(${ADVISORY_LOCKS.reports})`;
