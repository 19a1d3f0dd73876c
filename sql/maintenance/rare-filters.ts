import type { Sql } from 'postgres';
import { LOCK_REPORTS } from '../feed/lock.ts';
import { type Month, partitionName } from '../feed/partitions.ts';
import { REPORT_FILTERS } from '../report-filters.ts';
import { isClosed, monthsOf } from './months.ts';
import { each, transaction } from './transaction.ts';

const EXTENSIONS = ['bloom', 'pg_trgm', 'btree_gin'] as const;
type Extension = (typeof EXTENSIONS)[number];

/** What a month gets so that what few reports have need not be looked for in all of an account's month. */
interface Aid {
  /** Of its name, behind that of the month's partition. */
  suffix: string;
  /** PostgreSQL's extensions that it needs. */
  extensions: readonly Extension[];
  /** Whether it costs a load so much that only months that are over get it. */
  closedOnly: boolean;
  /** The statement that makes it. */
  make(name: string, table: string): string;
}

/** Filters for equality with two or three values, on types that are few, and the one that the locator serves. */
const LEFT_OUT = new Set(['disposition', 'phase', 'cert_type', 'id']);

/**
 * What the filters for equality compare, to the letter: an index serves no other expression. The account comes
 * first, as every query names one.
 */
const EXPRESSIONS = [
  'account_id',
  ...new Set(
    REPORT_FILTERS.filter(({ column }) => !LEFT_OUT.has(column)).flatMap(({ kind, column }) => {
      if (kind === 'equals' || kind === 'policy') return [`lower(${column})`];
      return kind === 'paths' || kind === 'hashes' ? [column] : [];
    }),
  ),
];

/** Bits of a row's signature, and of each value in it: of a hundred rows that do not match, less than one is read. */
const SIGNATURE = `length = 160, ${EXPRESSIONS.map((_, column) => `col${column + 1} = 3`).join(', ')}`;

/** What stars may stand in. The other paths belong to types that are few. */
const WITH_STARS = ['path', 'blocked_path', 'host_reversed', 'blocked_host_reversed'];

const AIDS: readonly Aid[] = [
  {
    suffix: 'rare',
    extensions: ['bloom'],
    closedOnly: false,
    make: (name, table) =>
      `create index ${name} on ${table} using bloom (${EXPRESSIONS.map(text => `(${text})`).join(', ')})
       with (${SIGNATURE})`,
  },
  {
    suffix: 'stars',
    extensions: ['pg_trgm', 'btree_gin'],
    closedOnly: true,
    make: (name, table) =>
      // With the account and the type: what the others have that matches is as much again.
      `create index ${name} on ${table} using gin (account_id, type, ${WITH_STARS.map(column => `${column} gin_trgm_ops`).join(', ')})`,
  },
  {
    suffix: 'score',
    extensions: [],
    closedOnly: false,
    make: (name, table) =>
      `create index ${name} on ${table} (account_id, type, domain_reputation_score)
       where domain_reputation_score is not null`,
  },
  // Values that are common each by itself, and never come together: PostgreSQL would expect them to.
  {
    suffix: 'browsers',
    extensions: [],
    closedOnly: false,
    make: (name, table) =>
      `create statistics ${name} (mcv) on (lower(browser)), (lower(platform)) from ${table}`,
  },
  {
    suffix: 'policies',
    extensions: [],
    closedOnly: false,
    make: (name, table) =>
      `create statistics ${name} (mcv) on (lower(action)), (lower(policy_id)) from ${table}`,
  },
];

export interface RareFilters {
  /** Those that got something. */
  months: Month[];
  /** Why an extension cannot be had. Filters work without it, but slower. */
  missing: string[];
}

/** Gives each month what it lacks. Writers wait while an index is made, readers do not. */
export async function indexRareFilters(sql: Sql, today: string): Promise<RareFilters> {
  const missing = new Map<Extension, string>();
  for (const name of EXTENSIONS) {
    const reason = await whyNoExtension(sql, name);
    if (reason) missing.set(name, reason);
  }
  const aids = AIDS.filter(({ extensions }) => !extensions.some(name => missing.has(name)));
  const months: Month[] = [];
  for (const month of (await monthsOf(sql)).reverse()) {
    const wanted = aids.filter(({ closedOnly }) => !closedOnly || isClosed(month, today));
    if (await giveMonth(sql, partitionName(month), wanted)) months.push(month);
  }
  return { months, missing: [...missing.values()] };
}

async function giveMonth(sql: Sql, table: string, aids: readonly Aid[]): Promise<boolean> {
  const rows = await sql.unsafe<{ name: string }[]>(`
    select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
    where i.indrelid = '${table}'::regclass
    union all select stxname from pg_statistic_ext where stxrelid = '${table}'::regclass`);
  const existing = new Set(rows.map(({ name }) => name));
  const lacking = aids.filter(({ suffix }) => !existing.has(`${table}_${suffix}`));
  for (const { suffix, make } of lacking) {
    const statement = make(`${table}_${suffix}`, table);
    await transaction(sql, `${LOCK_REPORTS}; set local maintenance_work_mem = '256MB'; ${each([statement])}`);
  }
  // Without these, no plan knows how rare a value is.
  if (lacking.length > 0) await sql.unsafe(`analyze ${table}`);
  return lacking.length > 0;
}

async function whyNoExtension(sql: Sql, name: Extension): Promise<string | undefined> {
  try {
    await sql.unsafe(`create extension if not exists ${name}`);
    return undefined;
  } catch (error) {
    return `"${name}" cannot be had (${(error as Error).message})`;
  }
}
