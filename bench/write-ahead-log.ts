import type { Operator } from '../test/support/operator.ts';

/** Settings under which PostgreSQL recycles files of the write-ahead log. */
export const LOG_SETTINGS = { max_wal_size: '4GB', min_wal_size: '2GB' };

/** In MB: more than any measured load writes. */
const WRITTEN_BEFORE = 1800;

/**
 * Creates the write-ahead log files that a server has after running for a while. Otherwise, a load would spend a tenth
 * of its time creating them.
 */
export async function useLog(sql: Operator): Promise<void> {
  await sql`
    select count(pg_logical_emit_message(false, 'bench', repeat('.', 1000000)))
    from generate_series(1, ${WRITTEN_BEFORE})`;
  await sql`checkpoint`;
}
