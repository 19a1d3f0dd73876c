import { type Parameter, Rows } from '@sightline/pg-client';
import type { Database } from '../sql/client.ts';

export interface Statement {
  text: string;
  parameters: readonly Parameter[];
}

/**
 * Returns the statement of a query in `sql/` without sending it. The hand-written service sends the same statements.
 */
export function toStatement(query: (database: Database) => Promise<unknown>): Statement {
  let sent: Statement | undefined;
  const record = async (text: string, parameters: readonly Parameter[]) => {
    sent = { text, parameters };
    return Rows.of<never>([]);
  };
  const recorder: Pick<Database, 'rows' | 'queryTenant'> = {
    rows: record,
    queryTenant: (_accounts, text, parameters) => record(text, parameters),
  };
  // The query fails when it reads the missing row, but by then the statement is recorded.
  query(recorder as Database).catch(() => {});
  if (!sent) throw new Error('the query sends no statement at once');
  return sent;
}
