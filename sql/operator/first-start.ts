import type { Statements } from '@sightline/pg-client';

/** Checks whether the database has never been loaded. */
export async function hasNoAccounts(sql: Statements): Promise<boolean> {
  return (await sql.query('select from account limit 1')).length === 0;
}

/** Checks whether all of these accounts exist and none ever had a key. */
export async function lackKeys(sql: Statements, accounts: readonly string[]): Promise<boolean> {
  const [row] = await sql.query<{ lacking: boolean }>(
    `select (select count(*) from account where id = any($1)) = cardinality($1)
       and not exists (select from api_key) as lacking`,
    [accounts],
  );
  return row!.lacking;
}
