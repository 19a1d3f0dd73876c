/** Joins statements as one text, because Citus forwards texts unchanged. None of them may return rows. */
export function each(statements: readonly string[]): string {
  return `do $each$ begin ${statements.map(text => `${text};`).join('\n')} end $each$`;
}

/** Milliseconds for which an attempt to lock can block readers, pause between attempts, and number of attempts. */
const WAIT = 200;
const PAUSE = 300;
const ATTEMPTS = 240;

/**
 * Locks a partition and its parent exclusively until the end of the transaction, which must be short. All readers queue
 * behind a waiting lock, so it is abandoned quickly and retried.
 */
export function lockOut(partition: string): string {
  return `do $$ begin
    for attempt in 1..${ATTEMPTS} loop
      begin
        set local lock_timeout = ${WAIT};
        lock table only report, only ${partition} in access exclusive mode;
        return;
      exception when lock_not_available then
        perform pg_sleep(${PAUSE / 1000});
      end;
    end loop;
    raise lock_not_available using message = '${partition} is read without a pause: it stays as it is';
  end $$`;
}
