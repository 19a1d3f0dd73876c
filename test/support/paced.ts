import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { report } from './fixtures.ts';
import type { Operator } from './operator.ts';
import { openStock } from './stock.ts';

/** The duration in milliseconds of a statement of the slow account, which sleeps without using a processor. */
export const PACE = 25;

/** The number of reports of each other account. */
const REPORTS = 60;

/** Accounts with a few reports of today, one of which has slow statements. */
export interface PacedService extends AsyncDisposable {
  /** Keys of the accounts with ordinary statements. */
  keys: string[];
  /** A key of the account with slow statements. */
  paced: string;
}

/** The same part of the current day throughout a test. */
export const TODAY = new Date().toISOString().slice(0, 10);

/** @param url of a migrated and empty database, as administrator */
export async function pace(url: string, count: number): Promise<PacedService> {
  const stock = openStock(url);
  const keys: string[] = [];
  for (let n = 0; n < count; n++) keys.push(await stock.account(`free-${n}`));
  const paced = await stock.account('paced');
  const made = (account: string, n: number) =>
    report(account, 'csp', `r-${n}`, { date: `${TODAY}T00:00:00Z`, raw: 'x'.repeat(300) });
  const lines = keys.flatMap((_, account) =>
    Array.from({ length: REPORTS }, (_, n) => made(`free-${account}`, n)),
  );
  await load(stock.sql, [...lines, made('paced', 0)]);
  await stock.sql.query(PACING);
  return { keys, paced, [Symbol.asyncDispose]: () => stock.close() };
}

async function load(sql: Operator, lines: readonly object[]): Promise<void> {
  const text = lines.map(line => `${JSON.stringify(line)}\n`).join('');
  await loadFeed(sql, new Announcer(sql, 0), [{ name: 'test', content: [text] }]);
}

const PACING = `
  alter table report rename to stored_report;
  create function pace() returns boolean language plpgsql volatile as $$
    begin
      perform pg_sleep(${PACE / 1000});
      return true;
    end $$;
  create view report as select * from stored_report where account_id <> 'paced' or pace();
  grant select on report to sightline_reader`;
