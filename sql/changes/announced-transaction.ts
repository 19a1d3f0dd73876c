import type { CommandConnection } from '@sightline/postgres';
import type { Announcer } from './announcer.ts';

type Row = Record<string, unknown>;

export interface AnnouncedWork {
  /** Moves versions on. */
  statements: string;
  /** Tells whether the rows of all of them say that something changed; otherwise nothing is announced. */
  isChange(rows: readonly Row[]): boolean;
  /** A statement that locks readers out, and so has to be near to the end. */
  last?: string;
}

/** Statements in one transaction, announced before they are committed. Answers with the rows of all but the last. */
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
