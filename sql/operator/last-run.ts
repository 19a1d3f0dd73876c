import type { Statements } from '@sightline/pg-client';
import { MAIL_REPORT_TYPES } from '@sightline/reports';
import { toLiterals } from '../literals.ts';

/** Commands that a scheduler should run regularly. */
export type ScheduledCommand = 'load' | 'maintain';

/** The statement that records the end of a run, within the transaction of its work if there is one. */
export function noteRun(command: ScheduledCommand): string {
  return `insert into last_run values ('${command}', clock_timestamp())
    on conflict (command) do update set finished_at = excluded.finished_at`;
}

/**
 * Returns the hours since the last run of each command, by the database's clock; a command without a recorded run is
 * absent.
 */
export async function hoursSinceRuns(sql: Statements): Promise<Map<ScheduledCommand, number>> {
  const rows = await sql.query<{ command: ScheduledCommand; hours: number }>(
    `select command, (extract(epoch from clock_timestamp() - finished_at) / 3600)::float8 as hours from last_run`,
  );
  return new Map(rows.map(({ command, hours }) => [command, hours]));
}

/**
 * Returns the last day with a mail report, up to today, as `YYYY-MM-DD`, and how many days ago it was; undefined if
 * there is none.
 */
export async function newestMail(sql: Statements): Promise<{ day: string; age: number } | undefined> {
  const [row] = await sql.query<{ day: string | null; age: number }>(`
    select max(day)::text as day, (now() at time zone 'UTC')::date - max(day) as age from daily_count
    where type in (${toLiterals(MAIL_REPORT_TYPES)}) and day <= (now() at time zone 'UTC')::date`);
  return row?.day ? { day: row.day, age: row.age } : undefined;
}
