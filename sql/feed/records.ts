import type { RecordTable } from '@sightline/feed';
import { touch } from './accounts.ts';
import { LISTED, type LoadSession, toAnyCondition, toTextList } from './session.ts';

/** The temporary table for a kind's records: its columns, `deleted`, and a number for each. */
function getStagingTable({ name }: RecordTable): string {
  return `load_${name}`;
}

/** Copies records into their staging table. Keys must be distinct. */
export async function stage(
  session: LoadSession,
  table: RecordTable,
  pieces: Iterable<Buffer>,
): Promise<void> {
  const staging = getStagingTable(table);
  const columns = table.columns.join(', ');
  // Created from a query, because deletions, which only have a key, would violate the table's constraints.
  await session.temporary(
    staging,
    `on commit drop as select ${columns}, false as deleted from ${table.name} with no data;
     alter table ${staging} add place int generated always as identity`,
  );
  await session.query(`truncate ${staging}`);
  await session.copy(`${staging} (${columns}, deleted)`, pieces);
}

/** The staged records that already exist, by number, and whether they differ. */
function getStoredTable({ name }: RecordTable): string {
  return `known_${name}`;
}

/** Removes rows from the staging table that are already stored unchanged. Returns their number. */
export async function takeOutRepeated(session: LoadSession, table: RecordTable): Promise<number> {
  const [staging, existing] = [getStagingTable(table), getStoredTable(table)];
  const { name, key, columns } = table;
  const rest = columns.filter(column => !key.includes(column));
  const row = (alias: string) => `(${rest.map(column => `${alias}.${column}`).join(', ')})`;
  await session.temporary(
    existing,
    `on commit drop as select ${key[0]} as first, false as deleted, false as same, 0 as place from ${name} with no data`,
  );
  await session.query(`truncate ${existing};
    insert into ${existing}
    select l.${key[0]}, l.deleted, not l.deleted and ${row('t')} is not distinct from ${row('l')}, l.place
    from ${staging} l join ${name} t on ${sameKey(table)}`);
  const same = (await session.texts(`select place::text as text from ${existing} where same`)).map(Number);
  if (same.length > 0) await session.query(`delete from ${staging} where ${toAnyCondition('place', same)}`);
  return same.length;
}

/** Records the accounts that the staged records change. */
export async function touchOwners(session: LoadSession, table: RecordTable): Promise<void> {
  const owner = table.name === 'account' ? 'id' : 'account_id';
  if (!table.columns.includes(owner)) return;
  await touch(session, `select distinct ${owner} as text from ${getStagingTable(table)} where not deleted`);
  if (table.key[0] === owner)
    await touch(session, `select distinct first as text from ${getStoredTable(table)} where deleted`);
}

/** Replaces the records with the keys of the staged ones. */
export async function replace(session: LoadSession, table: RecordTable): Promise<void> {
  const staging = getStagingTable(table);
  const columns = table.columns.join(', ');
  const existing = await session.query(`select from ${getStoredTable(table)} where not same limit 1`);
  if (existing.length > 0) await remove(session, table);
  await session.query(
    `insert into ${table.name} (${columns}) select ${columns} from ${staging} where not deleted`,
  );
}

/**
 * A table that is replicated to every server can be joined without a temporary one, so keys of one column are passed as
 * a list.
 */
async function remove(session: LoadSession, table: RecordTable): Promise<void> {
  const staging = getStagingTable(table);
  const [first, ...others] = table.key;
  if (others.length > 0) {
    await session.query(`delete from ${table.name} t using ${staging} l where ${sameKey(table)}`);
    return;
  }
  const keys = await session.texts(`select ${first} as text from ${staging}`);
  await session.query(`delete from ${table.name} where ${first} in (${LISTED})`, [toTextList(keys)]);
}

/** Like `replace`, but columns that are not in the feed, such as an account's version, are unchanged. */
export async function upsert(session: LoadSession, table: RecordTable): Promise<void> {
  const columns = table.columns.join(', ');
  const rest = table.columns.filter(column => !table.key.includes(column));
  await session.query(`
    insert into ${table.name} (${columns}) select ${columns} from ${getStagingTable(table)} where not deleted
    on conflict (${table.key.join(', ')}) do update
    set ${rest.map(column => `${column} = excluded.${column}`).join(', ')}`);
}

function sameKey({ key }: RecordTable): string {
  return key.map(column => `t.${column} = l.${column}`).join(' and ');
}

/** Removes the findings of deleted watches, even if the watch itself does not exist. */
export async function removeFindings(session: LoadSession): Promise<void> {
  await touch(
    session,
    `delete from watch_finding f using load_watch l
     where l.deleted and f.account_id = l.account_id and f.product = l.product and f.site_key = l.site_key
     returning f.account_id as text`,
  );
}

/** Removes staged keys whose digest belongs to another key, and returns them. */
export async function takeOutTakenDigests(session: LoadSession): Promise<string[]> {
  const ids = await session.texts(`
    select l.id as text from load_api_key l where not l.deleted and (
      exists (select from api_key k where k.digest = l.digest and k.id <> l.id
              and not exists (select from load_api_key o where o.id = k.id))
      or exists (select from load_api_key o where o.digest = l.digest and not o.deleted and o.ctid < l.ctid))`);
  await session.query(`delete from load_api_key where id in (${LISTED})`, [toTextList(ids)]);
  return ids;
}

/** A key that is deleted or moved changes its previous account as well. */
export async function touchFormerHolders(session: LoadSession): Promise<void> {
  await touch(
    session,
    `select distinct k.account_id as text from api_key k join load_api_key l on l.id = k.id
     where k.account_id is not null`,
  );
}
