import type { RecordTable } from '@sightline/feed/records';
import { touch } from './accounts.ts';
import { amongst, LISTED, type LoadSession, listed } from './session.ts';

/** The temporary table into which a kind's records are copied: its columns, `deleted`, and a number for each. */
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
    `on commit drop as select ${columns}, false as deleted from ${table.name} with no data;
     alter table ${staging} add place int generated always as identity`,
  );
  await session.query(`truncate ${staging}`);
  await session.copy(`${staging} (${columns}, deleted)`, pieces);
}

/** The staged records that are there, by their numbers, and whether they are as the line has them. */
function knownOf({ name }: RecordTable): string {
  return `known_${name}`;
}

/** Takes out of the staging table what is there already, as it is. Answers with how many records that were. */
export async function takeOutRepeated(session: LoadSession, table: RecordTable): Promise<number> {
  const [staging, known] = [stagingOf(table), knownOf(table)];
  const { name, key, columns } = table;
  const rest = columns.filter(column => !key.includes(column));
  const row = (alias: string) => `(${rest.map(column => `${alias}.${column}`).join(', ')})`;
  await session.temporary(
    known,
    `on commit drop as select ${key[0]} as first, false as deleted, false as same, 0 as place from ${name} with no data`,
  );
  await session.query(`truncate ${known};
    insert into ${known}
    select l.${key[0]}, l.deleted, not l.deleted and ${row('t')} is not distinct from ${row('l')}, l.place
    from ${staging} l join ${name} t on ${sameKey(table)}`);
  const same = (await session.texts(`select place::text as text from ${known} where same`)).map(Number);
  if (same.length > 0) await session.query(`delete from ${staging} where ${amongst('place', same)}`);
  return same.length;
}

/** Notes the accounts of which the staged records change something. */
export async function touchOwners(session: LoadSession, table: RecordTable): Promise<void> {
  const owner = table.name === 'account' ? 'id' : 'account_id';
  if (!table.columns.includes(owner)) return;
  await touch(session, `select distinct ${owner} as text from ${stagingOf(table)} where not deleted`);
  if (table.key[0] === owner)
    await touch(session, `select distinct first as text from ${knownOf(table)} where deleted`);
}

/** Puts the staged records in the place of those with the same key. */
export async function replace(session: LoadSession, table: RecordTable): Promise<void> {
  const staging = stagingOf(table);
  const columns = table.columns.join(', ');
  const known = await session.query(`select from ${knownOf(table)} where not same limit 1`);
  if (known.length > 0) await remove(session, table);
  await session.query(
    `insert into ${table.name} (${columns}) select ${columns} from ${staging} where not deleted`,
  );
}

/** A table that every server has whole can be joined with no temporary one, so keys of one column go as a list. */
async function remove(session: LoadSession, table: RecordTable): Promise<void> {
  const staging = stagingOf(table);
  const [first, ...others] = table.key;
  if (others.length > 0) {
    await session.query(`delete from ${table.name} t using ${staging} l where ${sameKey(table)}`);
    return;
  }
  const keys = await session.texts(`select ${first} as text from ${staging}`);
  await session.query(`delete from ${table.name} where ${first} in (${LISTED})`, [listed(keys)]);
}

/** Like `replace`, but what the feed does not name, such as an account's version, stays as it is. */
export async function upsert(session: LoadSession, table: RecordTable): Promise<void> {
  const columns = table.columns.join(', ');
  const rest = table.columns.filter(column => !table.key.includes(column));
  await session.query(`
    insert into ${table.name} (${columns}) select ${columns} from ${stagingOf(table)} where not deleted
    on conflict (${table.key.join(', ')}) do update
    set ${rest.map(column => `${column} = excluded.${column}`).join(', ')}`);
}

function sameKey({ key }: RecordTable): string {
  return key.map(column => `t.${column} = l.${column}`).join(' and ');
}

/** A watch takes its findings with it, also where it is not there itself. */
export async function removeFindings(session: LoadSession): Promise<void> {
  await touch(
    session,
    `delete from watch_finding f using load_watch l
     where l.deleted and f.account_id = l.account_id and f.product = l.product and f.site_key = l.site_key
     returning f.account_id as text`,
  );
}

/** The staged keys whose digest belongs to another key already; they are taken out of the staging table. */
export async function takeOutTakenDigests(session: LoadSession): Promise<string[]> {
  const ids = await session.texts(`
    select l.id as text from load_api_key l where not l.deleted and (
      exists (select from api_key k where k.digest = l.digest and k.id <> l.id
              and not exists (select from load_api_key o where o.id = k.id))
      or exists (select from load_api_key o where o.digest = l.digest and not o.deleted and o.ctid < l.ctid))`);
  await session.query(`delete from load_api_key where id in (${LISTED})`, [listed(ids)]);
  return ids;
}

/** A key that goes, or moves to another account, touches the one it leaves. */
export async function touchFormerHolders(session: LoadSession): Promise<void> {
  await touch(
    session,
    `select distinct k.account_id as text from api_key k join load_api_key l on l.id = k.id
     where k.account_id is not null`,
  );
}
