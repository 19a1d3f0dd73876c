import { once } from 'node:events';
import { createWriteStream, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { DEMO_DEFAULTS, demoFeed } from '@sightline/demo';
import { REPORT_COLUMNS } from '@sightline/reports';
import { existingMonths, partitionName } from '../../sql/feed/partitions.ts';
import { isDistributed } from '../../sql/operator/distribute.ts';
import { toReportKey } from '../../sql/report/report-key.ts';
import type { Operator } from '../../test/support/operator.ts';
import { startCommand } from './command.ts';

export interface LoadSummary {
  lines: number;
  seconds: number;
}

const DAY = 86_400_000;

/** Runs the command line of this version, and returns its output. */
export async function sightline(args: readonly string[], url: string): Promise<string> {
  const child = startCommand(args, { DATABASE_URL: url });
  let printed = '';
  child.stdout.on('data', chunk => {
    printed += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`sightline ${args[0]} ended with ${code}`);
  return printed;
}

/** Loads the demo feed of the last 13 months, including the configuration of its accounts. */
export async function loadBase(sql: Operator, url: string, reports: number, now: Date): Promise<LoadSummary> {
  const first = Date.UTC(now.getUTCFullYear() - 1, now.getUTCMonth(), 1);
  const feed = demoFeed({
    ...DEMO_DEFAULTS,
    today: now.toISOString().slice(0, 10),
    days: Math.floor((now.getTime() - first) / DAY) + 1,
    accounts: 200,
    auditEvents: 100_000,
    largest: 0.4,
    reports,
  });
  const file = join(tmpdir(), `sightline-scale-${process.pid}.ndjson`);
  try {
    await pipeline(Readable.from(feed), createWriteStream(file));
    const printed = await sightline(['load', file], url);
    await keepEverything(sql);
    return measured(printed);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Parses a line such as "Loaded account 200, report 1000000; rejected 0; 25.1 s". */
function measured(printed: string): LoadSummary {
  const [, seconds] = /; ([\d.]+) s/.exec(printed) ?? [];
  const lines = [...printed.matchAll(/ (\d+)[,;]/g)].reduce((sum, [, count]) => sum + Number(count), 0);
  return { lines, seconds: Number(seconds) };
}

/** Extends every retention, so that no reports are pruned that are to be measured. */
async function keepEverything(sql: Operator): Promise<void> {
  await sql`update plan set data_retention_days = 36500`;
  await sql`
    insert into plan
    select a.id, p.plan, p.name, p.tier, p.status, p.report_quota, p.collect_hosts, p.data_retention_days, p.features
    from account a, (select * from plan order by account_id limit 1) p
    where not exists (select from plan where account_id = a.id)`;
}

/** The digits of a report's id (a UUID) that contain the number of the copy. They are zero in reports of the feed. */
const COPY_DIGITS = { from: 25, count: 4 };

/** A condition that selects original reports, not copies. */
export const OF_THE_FEED = `substr(id, ${COPY_DIGITS.from}, ${COPY_DIGITS.count}) = '${'0'.repeat(COPY_DIGITS.count)}'`;

export interface Growth {
  /** The present and the wanted number of reports for each report of the feed. */
  from: number;
  to: number;
  /** A condition on `account_id` that selects the accounts to grow. */
  accounts: string;
}

/**
 * Multiplies the reports of the feed from `from` to `to` each. A copy is the same report at another second of its day
 * with another id, so values, skew and order of arrival do not change. The database does this itself, month by month,
 * including indexes, which takes half the time of a load. Each statement stays within an account, so that all servers
 * of a distributed database work in parallel.
 */
export async function multiply(sql: Operator, { from, to, accounts }: Growth): Promise<void> {
  const isSpread = await isDistributed(sql);
  for (const month of await existingMonths(sql)) {
    const table = partitionName(month);
    const [last] = await sql.query<{ day: string | null }>(
      `select (max(date) at time zone 'UTC')::date::text as day from ${table}`,
    );
    if (!last?.day) continue;
    await sql.query(`begin; set local synchronous_commit = off; set local work_mem = '512MB';
      set local max_parallel_workers_per_gather = 0;
      ${withoutMaintenance(table, isSpread)};
      ${copyReports(table, last.day, from, to - 1, accounts)};
      ${copyLocators(table, from, to - 1, accounts)}; commit`);
  }
  await sql`truncate daily_group`;
  await sql`truncate rollup_month`;
  await sql.query(`update daily_count set total = total / ${from} * ${to} where ${accounts}`);
}

/** A month that grows is no longer clustered, and indexes created by `maintain` would slow down the copying. */
function withoutMaintenance(table: string, isSpread: boolean): string {
  return `${isSpread ? `comment on table ${table} is null` : `alter table ${table} set without cluster`};
    do $$ declare made regclass; begin
      for made in
        select indexrelid from pg_index i
        where indrelid = '${table}'::regclass and not exists (select from pg_inherits where inhrelid = i.indexrelid)
      loop
        execute 'drop index ' || made;
      end loop;
    end $$`;
}

function copyReports(table: string, lastDay: string, first: number, last: number, accounts: string): string {
  const { from, count } = COPY_DIGITS;
  const id = `overlay(r.id placing lpad(to_hex(copy), ${count}, '0') from ${from})`;
  // Today is not over, so its copies stay within its past hours.
  const length = `case when r.date >= '${lastDay} 00:00:00+00' then 21600 else 86400 end`;
  const second = `(extract(epoch from r.date)::bigint % 86400 * 7 + copy * 9973) % (${length})`;
  const date = `date_trunc('day', r.date) + make_interval(secs => ${second})`;
  const columns = REPORT_COLUMNS.map(column =>
    column === 'id' ? id : column === 'date' ? date : `r.${column}`,
  );
  return `insert into ${table} (${REPORT_COLUMNS.join(', ')})
    select ${columns.join(', ')} from ${table} r cross join generate_series(${first}, ${last}) copy
    where ${OF_THE_FEED} and ${accounts}
    order by ${REPORT_COLUMNS.indexOf('date') + 1}`;
}

function copyLocators(table: string, first: number, last: number, accounts: string): string {
  const { from, count } = COPY_DIGITS;
  const digits = (copy: number) => `'${copy.toString(16).padStart(count, '0')}'`;
  return `insert into report_locator (account_id, key, date)
    select r.account_id, ${toReportKey('r')} as key, r.date from ${table} r
    where substr(r.id, ${from}, ${count}) between ${digits(first)} and ${digits(last)} and ${accounts}
    order by key`;
}
