import type { RecordTable } from '@sightline/feed';
import { touch } from './accounts.ts';
import { LISTED, type LoadSession, toAnyCondition, toTextList } from './session.ts';

/** The temporary table for a kind's records: a number for each, its columns, and `deleted`. */
function getStagingTable({ name }: RecordTable): string {
  return `load_${name}`;
}

/**
 * Copies records into their staging table. Keys must be distinct.
 * @param pieces rows of a number, which must be distinct as well, the columns, and `deleted`
 */
export async function stage(
  session: LoadSession,
  table: RecordTable,
  pieces: Iterable<Buffer>,
): Promise<void> {
  const staging = getStagingTable(table);
  const columns = table.columns.join(', ');
  // Created from a query, because deletions, which only have a key, would violate the table's constraints.
  await session.emptyTemporary(
    staging,
    `on commit drop as select 0 as place, ${columns}, false as deleted from ${table.name} with no data`,
  );
  await session.copy(`${staging} (place, ${columns}, deleted)`, pieces);
}

/** The staged records that already exist. */
export interface StoredRecords {
  /** The number of unchanged ones. */
  repeated: number;
  /** True if any of them is changed or deleted. */
  hasChanged: boolean;
  /** The first columns of the keys of deleted ones. */
  deletedFrom: string[];
}

/** Removes rows from the staging table that are already stored unchanged. */
export async function takeOutRepeated(session: LoadSession, table: RecordTable): Promise<StoredRecords> {
  const staging = getStagingTable(table);
  const { name, key, columns } = table;
  const rest = columns.filter(column => !key.includes(column));
  const row = (alias: string) => `(${rest.map(column => `${alias}.${column}`).join(', ')})`;
  // Citus cannot compute these aggregates over a distributed table directly.
  const [found] = await session.query<{ same: string | null; hasChanged: boolean; deletedFrom: string }>(`
    with stored as materialized (
      select l.place, l.${key[0]} as first, l.deleted,
        not l.deleted and ${row('t')} is not distinct from ${row('l')} as same
      from ${staging} l join ${name} t on ${sameKey(table)}
    )
    select string_agg(place::text, ',') filter (where same) as same,
      coalesce(bool_or(not same), false) as "hasChanged",
      coalesce(jsonb_agg(distinct first) filter (where deleted), '[]')::text as "deletedFrom"
    from stored`);
  const { same, hasChanged, deletedFrom } = found!;
  const places = same?.split(',').map(Number) ?? [];
  if (places.length > 0)
    await session.query(`delete from ${staging} where ${toAnyCondition('place', places)}`);
  return { repeated: places.length, hasChanged, deletedFrom: JSON.parse(deletedFrom) };
}

/** Records the accounts that the staged records change. */
export async function touchOwners(
  session: LoadSession,
  table: RecordTable,
  { deletedFrom }: StoredRecords,
): Promise<void> {
  const owner = table.name === 'account' ? 'id' : 'account_id';
  if (!table.columns.includes(owner)) return;
  await touch(session, `select distinct ${owner} as text from ${getStagingTable(table)} where not deleted`);
  if (table.key[0] === owner) for (const id of deletedFrom) session.touched.add(id);
}

/** Replaces the records with the keys of the staged ones. */
export async function replace(
  session: LoadSession,
  table: RecordTable,
  { hasChanged }: StoredRecords,
): Promise<void> {
  const staging = getStagingTable(table);
  const columns = table.columns.join(', ');
  if (hasChanged) await remove(session, table);
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
