/**
 * Statements as one, each with a text of its own: what spreads a database over servers passes texts on as they are.
 * None of them may answer anything.
 */
export function each(statements: readonly string[]): string {
  return `do $each$ begin ${statements.map(text => `${text};`).join('\n')} end $each$`;
}

/** Milliseconds for which readers may stand behind an attempt to lock, pauses between attempts, and attempts. */
const WAIT = 200;
const PAUSE = 300;
const ATTEMPTS = 240;

/**
 * Locks all others out of a partition and its parent until the end of the transaction, which has to be near. A wait for
 * such a lock makes all readers wait behind it, so it is given up at once, and tried again.
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
