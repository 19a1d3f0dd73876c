import { connectOperator } from './operator.ts';

export interface Copies {
  accountId: string;
  type: string;
  count: number;
  /** The columns of copy `n`, starting with 0, as SQL: `{ blocked_path: "'/' || n" }`. */
  columns?: Readonly<Record<string, string>>;
}

/**
 * Stores copies of the only report that an account has of a type, as `copy-0` and so on. Loading them as feed lines
 * would take most of the time. They are not counted and have the same place in the order of arrival.
 */
export async function copyReport(
  databaseUrl: string,
  { accountId, type, count, columns = {} }: Copies,
): Promise<void> {
  const sql = connectOperator(databaseUrl);
  try {
    const names = (
      await sql<{ name: string }[]>`
        select attname as name from pg_attribute
        where attrelid = 'report'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`
    ).map(({ name }) => name);
    const values: Readonly<Record<string, string>> = { id: "'copy-' || n", ...columns };
    const stored = await sql.query(
      `insert into report (${names.join(', ')})
      select ${names.map(name => values[name] ?? name).join(', ')}
      from report cross join generate_series(0, ${count - 1}) n
      where account_id = $1 and type = $2::report_type returning 1`,
      [accountId, type],
    );
    if (stored.length !== count) throw new Error(`${stored.length} copies were stored instead of ${count}`);
  } finally {
    await sql.end();
  }
}
