import { createHash } from 'node:crypto';
import type { Sql } from 'postgres';
import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { createDatabase } from '../support/database.ts';
import { NOW, personal, plan, report } from '../support/fixtures.ts';
import { type Served, serve } from '../support/served.ts';
import type { Line } from '../support/service.ts';
import { openStock } from '../support/stock.ts';

/** The service as a process of its own. */
export interface LargeService {
  served: Served;
  /** New keys: of an account whose answers are large, and of one that has nothing. */
  keys(account: 'large' | 'small', count: number): Promise<string[]>;
  close(): Promise<void>;
}

export async function serveLarge(): Promise<LargeService> {
  const database = await createDatabase();
  const stock = openStock(database.url);
  await stock.account('small');
  const text = largeAccount('large').map(line => `${JSON.stringify(line)}\n`);
  await loadFeed(stock.sql, new Announcer(stock.sql, 0), [{ name: 'test', content: [text.join('')] }]);
  await storeTrail(stock.sql, 'large');
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

/** A page of its reports has 434 kB. */
function largeAccount(id: string): Line[] {
  return [
    personal(id),
    plan(id, { dataRetentionDays: 3660 }),
    ...Array.from({ length: 1000 }, (_, i) => report(id, 'csp', `r${i}`, { raw: noise(i) })),
  ];
}

const noise = (seed: number) => createHash('sha512').update(String(seed)).digest('base64').slice(0, 50);

/** 12 MB that compress badly. To load so many events line by line would take most of the time. */
async function storeTrail(sql: Sql, account: string): Promise<void> {
  await sql`
    insert into audit_event
    select ${account}, 'e' || n, ${NOW}, 'loginSucceeded', left(replace(encode(noise, 'base64'), chr(10), ''), 250),
      'user-1', 'ada@example.com', '192.0.2.1'
    from generate_series(0, 29999) n, lateral (
      select string_agg(sha512((n * 3 + part)::text::bytea), '') from generate_series(0, 2) part) made (noise)`;
}
