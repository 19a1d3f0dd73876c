/** A lock of this project alone. A writer of reports holds it, so that one at a time moves the daily counts. */
const LOCK = 7_446_858_442;

/** Answers at once with whether the transaction holds the lock now, until its end. */
export const TRY_LOCK = `select pg_try_advisory_xact_lock(${LOCK}) as held`;

/** Waits for the lock. */
export const LOCK_REPORTS = `select pg_advisory_xact_lock(${LOCK})`;
