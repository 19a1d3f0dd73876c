import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { report } from './fixtures.ts';
import type { Operator } from './operator.ts';
import { openStock } from './stock.ts';

/** Milliseconds that a statement about the reports of a paced account takes: it sleeps, and costs no processor. */
export const PACE = 25;

/** Reports of an account that is not paced. */
const REPORTS = 60;

/** Accounts with a few reports of today, and one whose reports take their time. */
export interface Paced extends AsyncDisposable {
  /** Keys of accounts that are not paced. */
  keys: string[];
  /** The key of the one that is. */
  paced: string;
}

/** A part of the day that it is, for all of the test. */
export const TODAY = new Date().toISOString().slice(0, 10);

/** @param url of a migrated database without data, as its administrator */
export async function pace(url: string, count: number): Promise<Paced> {
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
