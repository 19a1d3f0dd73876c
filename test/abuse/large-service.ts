import { createHash } from 'node:crypto';
import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { createDatabase } from '../support/database.ts';
import { personal, plan, report } from '../support/fixtures.ts';
import { manyEvents } from '../support/many-events.ts';
import { type ServiceProcess, serve } from '../support/served.ts';
import type { Line } from '../support/service.ts';
import { openStock } from '../support/stock.ts';

/** The service in a separate process, and an account whose responses are large. */
export interface LargeService {
  served: ServiceProcess;
  /** Creates keys for an account with large responses and for one without data. */
  keys(account: 'large' | 'small', count: number): Promise<string[]>;
  close(): Promise<void>;
}

export async function serveLarge(): Promise<LargeService> {
  const database = await createDatabase();
  const stock = openStock(database.url);
  await stock.account('small');
  const text = largeAccount('large').map(line => `${JSON.stringify(line)}\n`);
  await loadFeed(stock.sql, new Announcer(stock.sql, 0), [{ name: 'test', content: [text.join('')] }]);
  // An audit trail of 12 MB.
  await stock.sql.query(manyEvents('large', 30_000, { message: MESSAGE }));
  const served = await serve(database.url, { RATE_LIMIT_MAX: '120' });
  await served.untilReady();
  return {
    served,
    keys: (account, count) =>
      Promise.all(Array.from({ length: count }, () => stock.key('personal', account))),
    async close() {
      await served[Symbol.asyncDispose]();
      await stock.close();
      await database.drop();
    },
  };
}

/** A page of reports takes up 434 kB. */
function largeAccount(id: string): Line[] {
  return [
    personal(id),
    plan(id, { dataRetentionDays: 3660 }),
    ...Array.from({ length: 1000 }, (_, i) => report(id, 'csp', `r${i}`, { raw: noise(i) })),
  ];
}

const noise = (seed: number) => createHash('sha512').update(String(seed)).digest('base64').slice(0, 50);

/** These messages compress poorly. */
const MESSAGE = `(
  select left(replace(encode(string_agg(sha512((n * 3 + part)::text::bytea), ''), 'base64'), chr(10), ''), 250)
  from generate_series(0, 2) part)`;
