import type { Sql } from 'postgres';

/** Tells whether nothing was loaded yet. */
export async function hasNoAccounts(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ missing: boolean }]>`select not exists (select from account) as missing`;
  return row.missing;
}

/** Tells whether all of these accounts are there, and none was ever given a key. */
export async function lackKeys(sql: Sql, accounts: readonly string[]): Promise<boolean> {
  const [row] = await sql<[{ lacking: boolean }]>`
    select (select count(*) from account where id in ${sql(accounts)}) = ${accounts.length}
       and not exists (select from api_key) as lacking`;
  return row.lacking;
}
