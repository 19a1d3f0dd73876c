import { createHash } from 'node:crypto';
import type { CommandConnection, Statements } from '@sightline/postgres';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, partitionName } from '../feed/partitions.ts';
import { isDistributed } from '../operator/distribute.ts';
import { ANY_FLAG } from '../report/conditions.ts';
import { REPORT_FILTERS } from '../report/filters.ts';
import { type Compared, indexed, isCompared, partlyIndexed } from '../report/indexed-values.ts';
import { isClosed } from './months.ts';
import { each, lockOut } from './transaction.ts';

/** PostgreSQL's extensions that large months are answered by. */
export const EXTENSIONS = ['bloom', 'pg_trgm', 'btree_gin'] as const;
type Extension = (typeof EXTENSIONS)[number];

/** An index or statistic of a month: filters that match few reports need not read all of an account's month. */
interface Aid {
  /** Follows the name of the month's partition, and precedes a digest of the definition. */
  suffix: string;
  /** PostgreSQL's extensions that it needs. */
  extensions?: readonly Extension[];
  /** True if it costs a load so much that only months that are over get it. */
  closedOnly?: boolean;
  /** The suffixes of those that a month with this one needs no more, some of which earlier versions made. */
  replaces?: readonly string[];
  /** A column whose values are counted more finely for it. */
  finer?: string;
  /** The statement that makes it. */
  make(name: string, table: string): string;
}

/** The compared columns, but for the id, which the locator serves: an index serves no other expression. */
const COMPARED = REPORT_FILTERS.filter(({ column }) => column !== 'id').filter(isCompared);
const HOSTS = ofKind('hosts');
const PATHS = ofKind('paths');
const EQUAL = COMPARED.filter(({ kind }) => kind !== 'hosts');

function ofKind(wanted: Compared['kind']): Compared[] {
  return COMPARED.filter(({ kind }) => kind === wanted);
}

/** Filters with two or three values, on types that are few: more than a bloom index is worth. */
const FEW_VALUES = new Set(['disposition', 'phase', 'cert_type']);
const BLOOM = ['account_id', ...EQUAL.filter(({ column }) => !FEW_VALUES.has(column)).map(indexed)];
/** Bits of a row's signature, and of each value in it: of a hundred rows that do not match, less than one is read. */
const SIGNATURE = `length = 160, ${BLOOM.map((_, column) => `col${column + 1} = 3`).join(', ')}`;

/** The account and the type come first: what the others have that matches is as much again. */
function gin(name: string, table: string, columns: readonly string[]): string {
  return `create index ${name} on ${table} using gin (${['account_id', 'type', ...columns].join(', ')})`;
}

/** Hashes are long, and mostly tell a report by themselves. */
const ORDERED = [
  ...EQUAL.filter(({ kind }) => kind !== 'hashes').map(one => `(${indexed(one)})`),
  ...HOSTS.map(indexed),
  'domain_reputation_score',
].join(', ');

const AIDS: readonly Aid[] = [
  {
    suffix: 'signatures',
    extensions: ['bloom'],
    replaces: ['bloom', 'rare'],
    make: (name, table) =>
      `create index ${name} on ${table} using bloom (${BLOOM.map(text => `(${text})`).join(', ')})
       with (${SIGNATURE})`,
  },
  {
    suffix: 'values',
    extensions: ['btree_gin'],
    closedOnly: true,
    replaces: ['equal', 'signatures', 'bloom', 'rare'],
    make: (name, table) => gin(name, table, EQUAL.map(indexed)),
  },
  {
    suffix: 'patterns',
    extensions: ['pg_trgm', 'btree_gin'],
    closedOnly: true,
    replaces: ['stars', 'parts'],
    make: (name, table) =>
      gin(
        name,
        table,
        [...PATHS, ...HOSTS].map(one => `${partlyIndexed(one)} gin_trgm_ops`),
      ),
  },
  // Values that thousands of an account's reports have, in the order of the answers. The open month has hosts
  // without the date, which takes a tenth of the room.
  {
    suffix: 'hosts',
    closedOnly: true,
    make: (name, table) =>
      `create index ${name} on ${table} (account_id, type, host_reversed, date) where host_reversed is not null`,
  },
  // All that is compared behind the order of the answers, so that only what matches is read: whatever comes together,
  // and however many have it.
  {
    suffix: 'newest',
    closedOnly: true,
    replaces: ['ordered', 'policy'],
    make: (name, table) => `create index ${name} on ${table} (account_id, type, date, ${ORDERED})`,
  },
  // The same of the few with a sign of a threat.
  {
    suffix: 'threats',
    closedOnly: true,
    make: (name, table) =>
      `create index ${name} on ${table} (account_id, type, date, ${ORDERED}) where ${ANY_FLAG}`,
  },
  {
    suffix: 'score',
    make: (name, table) =>
      `create index ${name} on ${table} (account_id, type, domain_reputation_score)
       where domain_reputation_score is not null`,
  },
  // A host belongs to one account: PostgreSQL would expect a part of its reports, and then not read them in order.
  {
    suffix: 'owners',
    closedOnly: true,
    finer: 'host_reversed',
    make: (name, table) =>
      `create statistics ${name} (dependencies) on account_id, host_reversed from ${table}`,
  },
  // Values of one type alone, and such as are common each by itself and never come together: PostgreSQL would expect a
  // part of all reports to have them. A policy is one account's.
  together('agents', ['browsers', 'platforms'], ['type', ...['browser', 'platform'].map(equals)]),
  together('rulings', ['policies', 'actions'], ['type', ...['action', 'policy_id', 'directive'].map(equals)]),
  together(
    'accounts',
    [],
    [
      'account_id',
      ...['browser', 'platform', 'action', 'policy_id'].map(equals),
      ...ofKind('policy').map(indexed),
    ],
  ),
  together(
    'traits',
    ['kinds'],
    [
      'type',
      ...['browser', 'platform', 'nel_type', 'phase', 'disposition', 'property', 'destination'].map(equals),
    ],
  ),
  together(
    'targets',
    [],
    [
      'type',
      'blocked_host_reversed',
      indexed({ kind: 'paths', column: 'blocked_path' }),
      'domain_reputation_score',
    ],
  ),
];

/** The names, without month and digest, of the indexes and statistics that only months that are over have. */
export const CLOSED_ONLY = AIDS.filter(({ closedOnly }) => closedOnly).map(({ suffix }) => suffix);

function equals(column: string): string {
  return indexed({ kind: 'equals', column });
}

function together(suffix: string, replaces: readonly string[], expressions: readonly string[]): Aid {
  const list = expressions.map(text => `(${text})`).join(', ');
  return {
    suffix,
    replaces,
    make: (name, table) => `create statistics ${name} (mcv) on ${list} from ${table}`,
  };
}

export interface RareFilters {
  /** Those that got something. */
  months: Month[];
  /** Why an extension cannot be had. Filters work without it, but slower. */
  missing: string[];
}

/** Gives each month what it lacks. Writers wait while an index is made, readers do not. */
export async function indexRareFilters(sql: CommandConnection, today: string): Promise<RareFilters> {
  const missing = new Map<Extension, string>();
  for (const name of EXTENSIONS) {
    const reason = await whyNoExtension(sql, name);
    if (reason) missing.set(name, reason);
  }
  const aids = AIDS.filter(({ extensions = [] }) => !extensions.some(name => missing.has(name)));
  const months: Month[] = [];
  for (const month of (await existingMonths(sql)).reverse()) {
    const fitting = aids.filter(({ closedOnly }) => !closedOnly || isClosed(month, today));
    if (await giveMonth(sql, partitionName(month), fitting)) months.push(month);
  }
  return { months, missing: [...missing.values()] };
}

/**
 * The names tell the definitions. An aid is made anew where its definition has changed, or where an earlier release
 * named it otherwise. The old one goes once the new one is there.
 */
async function giveMonth(sql: CommandConnection, table: string, aids: readonly Aid[]): Promise<boolean> {
  const rows = await sql.query<{ name: string; kind: string }>(`
    select c.relname as name, 'index' as kind from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = '${table}'::regclass
    union all select stxname, 'statistics' from pg_statistic_ext where stxrelid = '${table}'::regclass`);
  const existing = new Map(rows.map(({ name, kind }) => [name, kind]));
  const replaced = new Set(aids.flatMap(({ replaces = [] }) => replaces));
  const wanted = new Map(
    aids.filter(({ suffix }) => !replaced.has(suffix)).map(aid => [nameOf(aid, table), aid]),
  );
  const lacking = [...wanted].filter(([name]) => !existing.has(name));
  for (const [name, { finer, make }] of lacking) {
    const statement = make(name, table);
    const text = `${LOCK_REPORTS}; set local maintenance_work_mem = '256MB'; ${each([statement])}`;
    await sql.transaction(transaction => transaction.query(text));
    if (finer) await countFinely(sql, table, finer);
  }
  // Without these, no plan knows how rare a value is.
  if (lacking.length > 0) await sql.query(`analyze ${table}`);
  const known = new Set([...replaced, ...aids.map(({ suffix }) => suffix)]);
  const needless = [...existing.keys()].filter(name => !wanted.has(name) && known.has(suffixOf(name, table)));
  if (needless.length > 0) {
    const drops = needless.map(name => `drop ${existing.get(name)} ${name}`);
    const text = `${LOCK_REPORTS}; ${lockOut(table)}; ${each(drops)}`;
    await sql.transaction(transaction => transaction.query(text));
  }
  return lacking.length + needless.length > 0;
}

/** The same for all months. */
function nameOf({ suffix, make }: Aid, table: string): string {
  const digest = createHash('sha256').update(make('', '')).digest('hex').slice(0, 8);
  return `${table}_${suffix}_${digest}`;
}

function suffixOf(name: string, table: string): string {
  return name.slice(`${table}_`.length).replace(/_[0-9a-f]{8}$/, '');
}

/** Citus has this for shards alone. Where one of them fails, its plans are those that they were. */
async function countFinely(sql: Statements, table: string, column: string): Promise<void> {
  const statement = (name: string) => `alter table ${name} alter column ${column} set statistics 500`;
  await sql.query(
    (await isDistributed(sql))
      ? `select run_command_on_shards('${table}', '${statement('%s')}')`
      : statement(table),
  );
}

/** One that is there is not asked for: with Citus `if not exists` takes its owner, too. */
async function whyNoExtension(sql: Statements, name: Extension): Promise<string | undefined> {
  const present = await sql.query('select from pg_extension where extname = $1', [name]);
  if (present.length > 0) return undefined;
  try {
    await sql.query(`create extension ${name}`);
    return undefined;
  } catch (error) {
    return `"${name}" cannot be had (${(error as Error).message})`;
  }
}
