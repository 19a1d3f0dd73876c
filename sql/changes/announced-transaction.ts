import { inTime } from '@sightline/postgres';
import type { Sql } from 'postgres';
import type { Announcer } from './announcer.ts';

/** Milliseconds that a rollback may take: the driver may leave a statement unanswered when its connection was lost. */
const ROLLBACK_LIMIT = 5000;

type Row = Record<string, unknown>;

export interface AnnouncedWork {
  /** Moves versions on. */
  statements: string;
  /** Tells whether the rows of all of them say that something changed; otherwise nothing is announced. */
  isChange(rows: readonly Row[]): boolean;
  /** A statement that locks readers out, and so has to be near to the end. */
  last?: string;
}

/**
 * Statements in one transaction, announced before they are committed. It is sent in two texts, because the driver's own
 * `begin` does not survive a lost connection: the second needs what only the connection of the first has.
 */
export async function announcedTransaction(
  sql: Sql,
  announcer: Announcer,
  { statements, isChange, last = 'select' }: AnnouncedWork,
): Promise<Row[]> {
  const run = async (text: string) => [...(await sql.unsafe(text))].flat() as Row[];
  let rows: Row[];
  try {
    rows = await run(`begin; create temp table announced_work () on commit drop; ${statements}`);
    if (isChange(rows)) await announcer.announce(run);
    await run(`select from announced_work; ${last}; commit`);
  } catch (error) {
    await inTime(sql.unsafe('rollback'), ROLLBACK_LIMIT).catch(() => {});
    await announcer.giveUp();
    throw error;
  }
  await announcer.settle();
  return rows;
}
