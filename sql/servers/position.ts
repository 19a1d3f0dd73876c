import type { Database } from '../client.ts';

/** A server's position in the WAL, which any role can query. */
export interface Position {
  /** Identifies the installation and database; the same on a primary and its standbys. */
  system: string;
  /** True if it follows another server. */
  isStandby: boolean;
  /** The end of its WAL, or of the replayed part of its primary's WAL, in bytes since the beginning. */
  bytes: number;
  /** The timeline in hexadecimal; '' on a standby, which follows its primary's. */
  timeline: string;
}

/** Timeout in milliseconds: a silent server is soon detected. */
const LIMIT = 700;

export async function readPosition(db: Database): Promise<Position> {
  const [position] = await db.rows<Position>(
    `select (select system_identifier from pg_control_system()) || '/' ||
         (select oid from pg_database where datname = current_database()) as system,
       standby as "isStandby",
       (case when standby then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end - '0/0'::pg_lsn)::bigint
         as bytes,
       case when standby then '' else left(pg_walfile_name(pg_current_wal_flush_lsn()), 8) end as timeline
     from (select pg_is_in_recovery() as standby offset 0) as server`,
    [],
    { limit: LIMIT },
  );
  return position!;
}
