/** The advisory lock for writers of reports, which ensures that only one at a time changes the daily counts. */
const LOCK = 7_446_858_442;

/** Tries to take the lock until the end of the transaction, without waiting. */
export const TRY_LOCK = `select pg_try_advisory_xact_lock(${LOCK}) as held`;

/** Waits for the lock. */
export const LOCK_REPORTS = `select pg_advisory_xact_lock(${LOCK})`;
