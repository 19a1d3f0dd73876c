import type { CommandConnection } from '@sightline/pg-client';
import type { Announcer } from './announcer.ts';

type Row = Record<string, unknown>;

export interface AnnouncedWork {
  /** Statements that increment versions. */
  statements: string;
  /** Checks whether the rows of all statements report a change; otherwise nothing is announced. */
  isChange(rows: readonly Row[]): boolean;
  /** A statement that blocks readers and therefore runs last. */
  last?: string;
}

/**
 * Runs statements in one transaction that is announced before its commit. Returns the rows of all statements except
 * `last`.
 */
export async function announcedTransaction(
  sql: CommandConnection,
  announcer: Announcer,
  { statements, isChange, last }: AnnouncedWork,
): Promise<Row[]> {
  const work = sql.transaction(async transaction => {
    const rows = await transaction.query(statements);
    if (isChange(rows)) await announcer.announce(transaction);
    if (last) await transaction.query(last);
    return rows;
  });
  const rows = await work.catch(async error => {
    await announcer.giveUp();
    throw error;
  });
  await announcer.settle();
  return rows;
}
