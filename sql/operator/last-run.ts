import type { Statements } from '@sightline/postgres';

/** The commands that a scheduler has to run again and again. */
export type ScheduledCommand = 'load' | 'maintain';

/** The statement that notes the end of a run: within the transaction of its work, where that has one. */
export function noteRun(command: ScheduledCommand): string {
  return `insert into last_run values ('${command}', clock_timestamp())
    on conflict (command) do update set finished_at = excluded.finished_at`;
}

/** The hours since the last run of each command, by the clock of the database; missing where none is on record. */
export async function hoursSinceRuns(sql: Statements): Promise<Map<ScheduledCommand, number>> {
  const rows = await sql.query<{ command: ScheduledCommand; hours: number }>(
    `select command, (extract(epoch from clock_timestamp() - finished_at) / 3600)::float8 as hours from last_run`,
  );
  return new Map(rows.map(({ command, hours }) => [command, hours]));
}

/** The last day with a report of mail up to today, `YYYY-MM-DD`, and how many days ago; undefined without any. */
export async function newestMail(sql: Statements): Promise<{ day: string; age: number } | undefined> {
  const [row] = await sql.query<{ day: string | null; age: number }>(`
    select max(day)::text as day, (now() at time zone 'UTC')::date - max(day) as age from daily_count
    where type in ('dmarc', 'tls_rpt') and day <= (now() at time zone 'UTC')::date`);
  return row?.day ? { day: row.day, age: row.age } : undefined;
}
