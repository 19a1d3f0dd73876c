import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { report } from './fixtures.ts';
import type { Operator } from './operator.ts';
import { openStock } from './stock.ts';

/** Duration in milliseconds of a statement for a paced account, which sleeps without using a processor. */
export const PACE = 25;

/** Number of reports of an account that is not paced. */
const REPORTS = 60;

/** Accounts with a few reports of today, and one with slow statements. */
export interface PacedService extends AsyncDisposable {
  /** Keys of accounts that are not paced. */
  keys: string[];
  /** The key of the paced account. */
  paced: string;
}

/** A part of the current day, fixed for the test. */
export const TODAY = new Date().toISOString().slice(0, 10);

/** @param url of a migrated database without data, as administrator */
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
