import type { Operator } from '../test/support/operator.ts';

/** Files of the write-ahead log that are kept for use again. */
export const LOG_SETTINGS = { max_wal_size: '4GB', min_wal_size: '2GB' };

/** Megabytes: more than any load that is measured writes. */
const WRITTEN_BEFORE = 1800;

/**
 * Makes the files of a new server's write-ahead log, as one has that has run for some time. A load would spend a tenth
 * of its time making them.
 */
export async function useLog(sql: Operator): Promise<void> {
  await sql`
    select count(pg_logical_emit_message(false, 'bench', repeat('.', 1000000)))
    from generate_series(1, ${WRITTEN_BEFORE})`;
  await sql`checkpoint`;
}
