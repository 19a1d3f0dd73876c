import { createHash } from 'node:crypto';
import type { CommandConnection, Statements } from '@sightline/pg-client';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { existingMonths, type Month, partitionName } from '../feed/partitions.ts';
import { isDistributed } from '../operator/distribute.ts';
import { ANY_FLAG } from '../report/conditions.ts';
import { REPORT_FILTERS } from '../report/filters.ts';
import {
  type ComparedColumn,
  isCompared,
  toIndexExpression,
  toPartialIndexExpression,
} from '../report/indexed-values.ts';
import { isClosed } from './months.ts';
import { each, lockOut } from './transaction.ts';

/** PostgreSQL's extensions that speed up large months. */
export const EXTENSIONS = ['bloom', 'pg_trgm', 'btree_gin'] as const;
type Extension = (typeof EXTENSIONS)[number];

/** An index or statistic of a month, so filters that match few reports need not read all of an account's month. */
interface Aid {
  /** A part of the name, between the partition and a digest of the definition. */
  suffix: string;
  /** The required PostgreSQL extensions. */
  extensions?: readonly Extension[];
  /** True if it would slow down loads too much, so only closed months get it. */
  closedOnly?: boolean;
  /** The suffixes of indexes that become redundant. */
  replaces?: readonly string[];
  /** A column that needs a larger statistics target. */
  finer?: string;
  /** Returns the statement that creates it. */
  make(name: string, table: string): string;
}

/** The compared columns except the id, which has the locator; only these expressions can use an index. */
const COMPARED = REPORT_FILTERS.filter(({ column }) => column !== 'id').filter(isCompared);
const HOSTS = ofKind('hosts');
const PATHS = ofKind('paths');
const EQUAL = COMPARED.filter(({ kind }) => kind !== 'hosts');

function ofKind(wanted: ComparedColumn['kind']): ComparedColumn[] {
  return COMPARED.filter(({ kind }) => kind === wanted);
}

/** Filters with two or three values on rare types, which are not worth a bloom index. */
const FEW_VALUES = new Set(['disposition', 'phase', 'cert_type']);
const BLOOM = ['account_id', ...EQUAL.filter(({ column }) => !FEW_VALUES.has(column)).map(toIndexExpression)];
/** Size of a row's signature in bits, and bits per value: fewer than 1 % of the rows that do not match are read. */
const SIGNATURE = `length = 160, ${BLOOM.map((_, column) => `col${column + 1} = 3`).join(', ')}`;

/** Account and type come first, because matches of other accounts and types would double the work. */
function gin(name: string, table: string, columns: readonly string[]): string {
  return `create index ${name} on ${table} using gin (${['account_id', 'type', ...columns].join(', ')})`;
}

/** Hashes are long and usually unique. */
const ORDERED = [
  ...EQUAL.filter(({ kind }) => kind !== 'hashes').map(one => `(${toIndexExpression(one)})`),
  ...HOSTS.map(toIndexExpression),
  'domain_reputation_score',
].join(', ');

const AIDS: readonly Aid[] = [
  {
    suffix: 'signatures',
    extensions: ['bloom'],
    make: (name, table) =>
      `create index ${name} on ${table} using bloom (${BLOOM.map(text => `(${text})`).join(', ')})
       with (${SIGNATURE})`,
  },
  {
    suffix: 'values',
    extensions: ['btree_gin'],
    closedOnly: true,
    replaces: ['signatures'],
    make: (name, table) => gin(name, table, EQUAL.map(toIndexExpression)),
  },
  {
    suffix: 'patterns',
    extensions: ['pg_trgm', 'btree_gin'],
    closedOnly: true,
    make: (name, table) =>
      gin(
        name,
        table,
        [...PATHS, ...HOSTS].map(one => `${toPartialIndexExpression(one)} gin_trgm_ops`),
      ),
  },
  // Values that thousands of an account's reports share, in the order of the results. The index of the open month has
  // hosts without the date, so it takes a tenth of the space.
  {
    suffix: 'hosts',
    closedOnly: true,
    make: (name, table) =>
      `create index ${name} on ${table} (account_id, type, host_reversed, date) where host_reversed is not null`,
  },
  // All compared columns in the order of the results, so that only matching reports are read for any combination.
  {
    suffix: 'newest',
    closedOnly: true,
    make: (name, table) => `create index ${name} on ${table} (account_id, type, date, ${ORDERED})`,
  },
  // The same for the few flagged reports.
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
  // A host belongs to one account; without the statistic PostgreSQL underestimates its reports and sorts them.
  {
    suffix: 'owners',
    closedOnly: true,
    finer: 'host_reversed',
    make: (name, table) =>
      `create statistics ${name} (dependencies) on account_id, host_reversed from ${table}`,
  },
  // Values of a single type, and frequent values that never occur together, for which PostgreSQL would assume
  // independence. A policy belongs to one account.
  combine('agents', ['type', ...['browser', 'platform'].map(equals)]),
  combine('rulings', ['type', ...['action', 'policy_id', 'directive'].map(equals)]),
  combine('accounts', [
    'account_id',
    ...['browser', 'platform', 'action', 'policy_id'].map(equals),
    ...ofKind('policy').map(toIndexExpression),
  ]),
  combine('traits', [
    'type',
    ...['browser', 'platform', 'nel_type', 'phase', 'disposition', 'property', 'destination'].map(equals),
  ]),
  combine('targets', [
    'type',
    'blocked_host_reversed',
    toIndexExpression({ kind: 'paths', column: 'blocked_path' }),
    'domain_reputation_score',
  ]),
];

/** The names, without month and digest, of indexes and statistics that only closed months have. */
export const CLOSED_ONLY = AIDS.filter(({ closedOnly }) => closedOnly).map(({ suffix }) => suffix);

function equals(column: string): string {
  return toIndexExpression({ kind: 'equals', column });
}

function combine(suffix: string, expressions: readonly string[]): Aid {
  const list = expressions.map(text => `(${text})`).join(', ');
  return {
    suffix,
    make: (name, table) => `create statistics ${name} (mcv) on ${list} from ${table}`,
  };
}

export interface RareFilters {
  /** The months that got an index or statistics. */
  months: Month[];
  /** The reasons why extensions are unavailable. Filters work without them, but more slowly. */
  missing: string[];
}

/**
 * Creates each month's missing indexes and statistics. Writers wait during the creation of an index, readers do not.
 */
export async function indexRareFilters(
  sql: CommandConnection,
  today: string,
  begin: (step: string) => void,
): Promise<RareFilters> {
  const missing = new Map<Extension, string>();
  for (const name of EXTENSIONS) {
    const reason = await whyNoExtension(sql, name);
    if (reason) missing.set(name, reason);
  }
  const aids = AIDS.filter(({ extensions = [] }) => !extensions.some(name => missing.has(name)));
  const months: Month[] = [];
  for (const month of (await existingMonths(sql)).reverse()) {
    const fitting = aids.filter(({ closedOnly }) => !closedOnly || isClosed(month, today));
    if (await giveMonth(sql, month, fitting, begin)) months.push(month);
  }
  return { months, missing: [...missing.values()] };
}

/**
 * A name contains a digest of the definition. If the definition has changed, the index or statistic is created again
 * and the old one dropped afterwards.
 */
async function giveMonth(
  sql: CommandConnection,
  month: Month,
  aids: readonly Aid[],
  begin: (step: string) => void,
): Promise<boolean> {
  const table = partitionName(month);
  const rows = await sql.query<{ name: string; kind: string }>(`
    select c.relname as name, 'index' as kind from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = '${table}'::regclass
    union all select stxname, 'statistics' from pg_statistic_ext where stxrelid = '${table}'::regclass`);
  const existing = new Map(rows.map(({ name, kind }) => [name, kind]));
  const replaced = new Set(aids.flatMap(({ replaces = [] }) => replaces));
  const wanted = new Map(
    aids.filter(({ suffix }) => !replaced.has(suffix)).map(aid => [getName(aid, table), aid]),
  );
  const lacking = [...wanted].filter(([name]) => !existing.has(name));
  for (const [name, { finer, make }] of lacking) {
    begin(`Creating ${getSuffix(name, table)} of ${month}`);
    const statement = make(name, table);
    const text = `${LOCK_REPORTS}; set local maintenance_work_mem = '256MB'; ${each([statement])}`;
    await sql.transaction(transaction => transaction.query(text));
    if (finer) await countFinely(sql, table, finer);
  }
  // Without statistics, the planner does not know how rare a value is.
  if (lacking.length > 0) begin(`Analysing ${month}`);
  if (lacking.length > 0) await sql.query(`analyze ${table}`);
  const seen = new Set([...replaced, ...aids.map(({ suffix }) => suffix)]);
  const needless = [...existing.keys()].filter(name => !wanted.has(name) && seen.has(getSuffix(name, table)));
  if (needless.length > 0) {
    const drops = needless.map(name => `drop ${existing.get(name)} ${name}`);
    const text = `${LOCK_REPORTS}; ${lockOut(table)}; ${each(drops)}`;
    await sql.transaction(transaction => transaction.query(text));
  }
  return lacking.length + needless.length > 0;
}

/** The same for all months. */
function getName({ suffix, make }: Aid, table: string): string {
  const digest = createHash('sha256').update(make('', '')).digest('hex').slice(0, 8);
  return `${table}_${suffix}_${digest}`;
}

function getSuffix(name: string, table: string): string {
  return name.slice(`${table}_`.length).replace(/_[0-9a-f]{8}$/, '');
}

/** With Citus, only shards have this column statistic. If setting it fails, plans are unchanged. */
async function countFinely(sql: Statements, table: string, column: string): Promise<void> {
  const statement = (name: string) => `alter table ${name} alter column ${column} set statistics 500`;
  await sql.query(
    (await isDistributed(sql))
      ? `select run_command_on_shards('${table}', '${statement('%s')}')`
      : statement(table),
  );
}

/** Skipped if it exists: with Citus, `if not exists` also takes over its ownership. */
async function whyNoExtension(sql: Statements, name: Extension): Promise<string | undefined> {
  const present = await sql.query('select from pg_extension where extname = $1', [name]);
  if (present.length > 0) return undefined;
  try {
    await sql.query(`create extension ${name}`);
    return undefined;
  } catch (error) {
    return `"${name}" is unavailable (${(error as Error).message})`;
  }
}
