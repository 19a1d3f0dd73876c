import type { Statements } from '@sightline/postgres';

/** Tells whether nothing was loaded yet. */
export async function hasNoAccounts(sql: Statements): Promise<boolean> {
  return (await sql.query('select from account limit 1')).length === 0;
}

/** Tells whether all of these accounts are there, and none was ever given a key. */
export async function lackKeys(sql: Statements, accounts: readonly string[]): Promise<boolean> {
  const [row] = await sql.query<{ lacking: boolean }>(
    `select (select count(*) from account where id = any($1)) = cardinality($1)
       and not exists (select from api_key) as lacking`,
    [accounts],
  );
  return row!.lacking;
}
