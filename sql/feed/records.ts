import { LISTED, type LoadSession, listed } from './session.ts';

/** Where the records of a kind are kept, and by what they are known. */
export interface RecordTable {
  name: string;
  key: readonly string[];
  /** All that a record fills, the key first. */
  columns: readonly string[];
}

/** The temporary table into which a kind's records are copied: its columns, and `deleted`. */
function stagingOf({ name }: RecordTable): string {
  return `load_${name}`;
}

/** Copies records into their staging table. No key may be there twice. */
export async function stage(
  session: LoadSession,
  table: RecordTable,
  pieces: Iterable<Buffer>,
): Promise<void> {
  const staging = stagingOf(table);
  const columns = table.columns.join(', ');
  // From a query, so that a deletion, which has only its key, is not held to the table's constraints.
  await session.temporary(
    staging,
    `on commit drop as select ${columns}, false as deleted from ${table.name} with no data`,
  );
  await session.run(`truncate ${staging}`);
  await session.copy(`${staging} (${columns}, deleted)`, pieces);
}

/** Puts the staged records in the place of those with the same key. */
export async function replace(session: LoadSession, table: RecordTable): Promise<void> {
  const staging = stagingOf(table);
  const columns = table.columns.join(', ');
  await remove(session, table);
  await session.run(
    `insert into ${table.name} (${columns}) select ${columns} from ${staging} where not deleted`,
  );
}

/** A table that every server has whole can be joined with no temporary one, so keys of one column go as a list. */
async function remove(session: LoadSession, table: RecordTable): Promise<void> {
  const staging = stagingOf(table);
  const [first, ...others] = table.key;
  if (others.length > 0) {
    await session.run(`delete from ${table.name} t using ${staging} l where ${sameKey(table)}`);
    return;
  }
  const keys = await session.texts(`select ${first} as text from ${staging}`);
  await session.run(`delete from ${table.name} where ${first} in (${LISTED})`, [listed(keys)]);
}

/** Like `replace`, but what the feed does not name, such as an account's version, stays as it is. */
export async function upsert(session: LoadSession, table: RecordTable): Promise<void> {
  const columns = table.columns.join(', ');
  const rest = table.columns.filter(column => !table.key.includes(column));
  await session.run(`
    insert into ${table.name} (${columns}) select ${columns} from ${stagingOf(table)} where not deleted
    on conflict (${table.key.join(', ')}) do update
    set ${rest.map(column => `${column} = excluded.${column}`).join(', ')}`);
}

function sameKey({ key }: RecordTable): string {
  return key.map(column => `t.${column} = l.${column}`).join(' and ');
}

/** A watch takes its findings with it. */
export async function removeFindings(session: LoadSession): Promise<void> {
  await session.run(`
    delete from watch_finding f using load_watch l
    where l.deleted and f.account_id = l.account_id and f.product = l.product and f.site_key = l.site_key`);
}

/** The staged keys whose digest belongs to another key already; they are taken out of the staging table. */
export async function takeOutTakenDigests(session: LoadSession): Promise<string[]> {
  const ids = await session.texts(`
    select l.id as text from load_api_key l where not l.deleted and (
      exists (select from api_key k where k.digest = l.digest and k.id <> l.id
              and not exists (select from load_api_key o where o.id = k.id))
      or exists (select from load_api_key o where o.digest = l.digest and not o.deleted and o.ctid < l.ctid))`);
  await session.run(`delete from load_api_key where id in (${LISTED})`, [listed(ids)]);
  return ids;
}

/** A key that moves to another account touches the one it leaves. */
export async function touchFormerHolders(session: LoadSession): Promise<void> {
  await session.run(`
    insert into load_touched
    select distinct k.account_id, false from api_key k join load_api_key l on l.id = k.id
    where k.account_id is not null
    on conflict do nothing`);
}
