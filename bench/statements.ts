import { type Parameter, Rows } from '@sightline/postgres';
import type { Database } from '../sql/client.ts';

export interface Statement {
  text: string;
  parameters: readonly Parameter[];
}

/** The statement that a query of `sql/` sends, without sending it: the service by hand sends the same. */
export function statementOf(query: (database: Database) => Promise<unknown>): Statement {
  let sent: Statement | undefined;
  const record = async (text: string, parameters: readonly Parameter[]) => {
    sent = { text, parameters };
    return Rows.of<never>([]);
  };
  const recorder: Pick<Database, 'rows' | 'owned'> = {
    rows: record,
    owned: (_accounts, text, parameters) => record(text, parameters),
  };
  // It fails where it looks into the row that was not found; by then it has said what it asks for.
  query(recorder as Database).catch(() => {});
  if (!sent) throw new Error('the query sends no statement at once');
  return sent;
}
