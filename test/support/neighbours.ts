import { setTimeout as sleep } from 'node:timers/promises';
import { Announcer } from '../../sql/changes/announcer.ts';
import { partitionName } from '../../sql/feed/partitions.ts';
import { connectOperator } from '../../sql/operator/connect.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { report } from './fixtures.ts';
import type { Outcome } from './load.ts';
import { openStock } from './stock.ts';

/** Accounts in one database: the calm one asks for its reports of a month, the others for theirs of another one. */
export interface Neighbours extends AsyncDisposable {
  calm: string;
  /** Keys of the other accounts. */
  others: string[];
  /** Keys of accounts whose lists of reports compute for `COMPUTES` milliseconds. */
  computing: string[];
  /** Nothing can be read of the others' month until the answer is called. */
  lock(): Promise<() => Promise<void>>;
  /** From now until the answer is called, server processes that wait for a lock stand still. */
  freeze(): () => Promise<void>;
}

/** The month that it is, and the one before: both within anybody's retention. */
export const CALM_MONTH = new Date().toISOString().slice(0, 7);
export const OTHER_MONTH = new Date(Date.parse(`${CALM_MONTH}-01`) - 1).toISOString().slice(0, 7);

export const CALM_PATHS = [`/v1/reports/csp?unit=months&date=${CALM_MONTH}&n=*`, '/v1/quota?n=*'];
export const OTHER_PATHS = [`/v1/reports/csp?unit=months&date=${OTHER_MONTH}&n=*`];

/** Milliseconds. */
const COMPUTES = 1500;

/** @param url of a migrated database without data, as its administrator */
export async function settle(
  url: string,
  counts: { others: number; computing?: number },
): Promise<Neighbours> {
  const stock = openStock(url);
  const keysOf = async (name: string, count: number) => {
    const keys: string[] = [];
    for (let n = 0; n < count; n++) keys.push(await stock.account(`${name}-${n}`));
    return keys;
  };
  const [calm] = await keysOf('calm', 1);
  const others = await keysOf('other', counts.others);
  const computing = await keysOf('computing', counts.computing ?? 0);
  const lines = [
    ...Array.from({ length: 300 }, (_, n) =>
      report('calm-0', 'csp', `c-${n}`, {
        date: `${CALM_MONTH}-01T00:${String(n % 60).padStart(2, '0')}:00Z`,
      }),
    ),
    ...others.map((_, n) => report(`other-${n}`, 'csp', 'o', { date: `${OTHER_MONTH}-28T00:00:00Z` })),
    ...computing.map((_, n) => report(`computing-${n}`, 'csp', 'p', { date: `${OTHER_MONTH}-28T00:00:00Z` })),
  ];
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  await loadFeed(stock.sql, new Announcer(stock.sql, 0), [{ name: 'test', content: [text] }]);
  if (computing.length > 0) await stock.sql.unsafe(COMPUTING);
  return {
    calm: calm!,
    others,
    computing,
    async lock() {
      const holder = connectOperator(url);
      await holder.unsafe(`begin; lock table ${partitionName(OTHER_MONTH)} in access exclusive mode`);
      return () => holder.end({ timeout: 1 });
    },
    freeze() {
      const stopped = new Set<number>();
      let isOver = false;
      const watching = (async () => {
        while (!isOver) {
          const rows = await stock.sql<{ pid: number }[]>`
            select pid from pg_stat_activity
            where application_name = 'sightline' and wait_event_type = 'Lock' and wait_event = 'relation'`;
          for (const { pid } of rows) if (signalled(pid, 'SIGSTOP')) stopped.add(pid);
          await sleep(20);
        }
        for (const pid of stopped) signalled(pid, 'SIGCONT');
      })();
      return () => {
        isOver = true;
        return watching;
      };
    },
    [Symbol.asyncDispose]: () => stock.close(),
  };
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

/** Reading a report of theirs keeps a processor busy. */
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

export interface Figures {
  asked: number;
  failed: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  slowest: number;
}

/** Of the requests that began from an instant on. */
export function figuresOf(outcomes: readonly Outcome[], since = 0): Figures {
  const counted = outcomes.filter(({ begun }) => begun >= since);
  const times = counted.map(({ took }) => took).sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round(times[Math.min(times.length - 1, Math.floor(times.length * share))]!);
  return {
    asked: counted.length,
    failed: counted.filter(({ status }) => status !== 200).length,
    p50: at(0.5),
    p99: at(0.99),
    slowest: at(1),
  };
}
