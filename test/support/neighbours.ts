import { setTimeout as sleep } from 'node:timers/promises';
import { Announcer } from '../../sql/changes/announcer.ts';
import { partitionName } from '../../sql/feed/partitions.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { report } from './fixtures.ts';
import { connectOperator, type Operator } from './operator.ts';
import { openStock } from './stock.ts';
import { until } from './until.ts';

/** Accounts in one database. The calm account requests reports of one month, the others those of another month. */
export interface Neighbours extends AsyncDisposable {
  calm: string;
  /** Keys of the other accounts. */
  others: string[];
  /** Keys of accounts whose lists of reports take `COMPUTES` milliseconds of processor time. */
  computing: string[];
  /** Keys of accounts with more reports than connections buffer. */
  large: string[];
  /** Locks the month of the other accounts until the returned function is called. */
  lock(): Promise<() => Promise<void>>;
  /** Suspends server processes that wait for a lock until the returned function is called. */
  freeze(): () => Promise<void>;
  /** The number of exports that wait for their clients. */
  waitingStreams(): Promise<number>;
}

/** This month and the previous one, both within every retention period. */
export const CALM_MONTH = new Date().toISOString().slice(0, 7);
export const OTHER_MONTH = new Date(Date.parse(`${CALM_MONTH}-01`) - 1).toISOString().slice(0, 7);

const graphql = (month: string) => {
  const query = `{ viewer { cspReports(unit: months, date: "${month}") { reports { id } } } }`;
  return `/graphql?query=${encodeURIComponent(query)}&n=*`;
};

export const CALM_PATHS = [`/v1/reports/csp?unit=months&date=${CALM_MONTH}&n=*`, '/v1/quota?n=*'];
export const OTHER_PATHS = [`/v1/reports/csp?unit=months&date=${OTHER_MONTH}&n=*`];

/** Endpoints outside of `/v1`. */
export const CALM_DOORS = [graphql(CALM_MONTH), `/export/reports/csp?from=${CALM_MONTH}-01T00:00:00Z`];
export const OTHER_ENDPOINTS = {
  '/graphql': [graphql(OTHER_MONTH)],
  '/export': ['/export/reports/csp'],
  '/export with a cursor': ['/export/reports/csp?after='],
};

/** In milliseconds. */
const COMPUTES = 1500;

/** The number of large responses, of one megabyte each. */
const LARGE = 40;

export interface Counts {
  others: number;
  computing?: number;
  large?: number;
}

/**
 * @param url of a migrated and empty database, as administrator
 * @param readUrl of the server for reads, if that is a different one
 */
export async function settle(url: string, counts: Counts, readUrl = url): Promise<Neighbours> {
  const stock = openStock(url);
  const reader = connectOperator(readUrl);
  const listKeys = async (name: string, count: number) => {
    const keys: string[] = [];
    for (let n = 0; n < count; n++) keys.push(await stock.account(`${name}-${n}`));
    return keys;
  };
  const [calm] = await listKeys('calm', 1);
  const others = await listKeys('other', counts.others);
  const computing = await listKeys('computing', counts.computing ?? 0);
  const large = await listKeys('large', counts.large ?? 0);
  const lines = [
    ...Array.from({ length: 300 }, (_, n) =>
      report('calm-0', 'csp', `c-${n}`, {
        date: `${CALM_MONTH}-01T00:${String(n % 60).padStart(2, '0')}:00Z`,
      }),
    ),
    ...others.map((_, n) => report(`other-${n}`, 'csp', 'o', { date: `${OTHER_MONTH}-28T00:00:00Z` })),
    ...computing.map((_, n) => report(`computing-${n}`, 'csp', 'p', { date: `${OTHER_MONTH}-28T00:00:00Z` })),
  ];
  await load(stock.sql, lines);
  for (const n of large.keys()) await load(stock.sql, manyReports(`large-${n}`));
  if (computing.length > 0) await stock.sql.query(COMPUTING);
  return {
    calm: calm!,
    others,
    computing,
    large,
    async lock() {
      const holder = connectOperator(url);
      await holder.query(`begin; lock table ${partitionName(OTHER_MONTH)} in access exclusive mode`);
      await until(() => isLocked(reader));
      return async () => {
        await holder.end();
        await until(async () => !(await isLocked(reader)));
      };
    },
    freeze() {
      const stopped = new Set<number>();
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          const rows = await reader<{ pid: number }[]>`
            select pid from pg_stat_activity
            where application_name = 'sightline' and wait_event_type = 'Lock' and wait_event = 'relation'`;
          for (const { pid } of rows) if (sendSignal(pid, 'SIGSTOP')) stopped.add(pid);
          await sleep(20);
        }
        for (const pid of stopped) sendSignal(pid, 'SIGCONT');
      })();
      return () => {
        isOver = true;
        return watching;
      };
    },
    async waitingStreams() {
      const rows = await reader`
        select from pg_stat_activity
        where application_name = 'sightline' and datname = current_database() and wait_event = 'ClientWrite'`;
      return rows.length;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([stock.close(), reader.end()]);
    },
  };
}

async function load(sql: Operator, lines: readonly object[]): Promise<void> {
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  await loadFeed(sql, new Announcer(sql, 0), [{ name: 'test', content: [text] }]);
}

function manyReports(account: string): object[] {
  return Array.from({ length: LARGE }, (_, n) =>
    report(account, 'csp', `l-${n}`, {
      date: `${CALM_MONTH}-01T00:00:00Z`,
      raw: 'x'.repeat(1_000_000),
    }),
  );
}

/** Checks whether the month of the other accounts is locked on a server. */
async function isLocked(sql: Operator): Promise<boolean> {
  const [{ locked }] = (await sql`
    select exists (select from pg_locks join pg_database on pg_database.oid = database
      where datname = current_database() and relation = ${partitionName(OTHER_MONTH)}::regclass
        and mode = 'AccessExclusiveLock' and granted) as locked`) as [{ locked: boolean }];
  return locked;
}

function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Reading one of their reports keeps a processor busy. */
const COMPUTING = `
  alter table report rename to stored_report;
  create function busy() returns boolean language plpgsql volatile as $$
    declare until timestamptz := clock_timestamp() + interval '${COMPUTES} milliseconds';
    begin
      while clock_timestamp() < until loop end loop;
      return true;
    end $$;
  create view report as select * from stored_report where not starts_with(account_id, 'computing-') or busy();
  grant select on report to sightline_reader`;
