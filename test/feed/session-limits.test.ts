import { setTimeout as pause } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { connectOperator } from '../support/operator.ts';
import { account, createFeedDatabase, report, toText } from './lines.ts';

// The pooler opened its server connections before the database had these limits.
it.skipIf(process.env.TEST_POOLER)(
  'a load can exceed the statement and transaction timeouts of the database',
  async () => {
    await using database = await createFeedDatabase();
    const name = new URL(database.url).pathname.slice(1);
    // The last one exists since PostgreSQL 17.
    const timeouts = await database.sql<{ name: string }[]>`select name from pg_settings where name in
      ('statement_timeout', 'idle_in_transaction_session_timeout', 'lock_timeout', 'transaction_timeout')`;
    expect(timeouts.length).toBeGreaterThanOrEqual(3);
    for (const timeout of timeouts)
      await database.sql.query(`alter database "${name}" set ${timeout.name} = '1s'`);
    const [sql, second] = [connectOperator(database.url), connectOperator(database.url)];
    try {
      expect(await sql.query('show statement_timeout')).toEqual([{ statement_timeout: '1s' }]);
      // The load is idle for longer than its limit, and then runs a statement for longer than that limit.
      async function* slowly() {
        yield toText([account('slow')]);
        await pause(1200);
        yield toText([report('r-1', { accountId: 'slow' })]);
      }
      const loading = loadFeed(sql, new Announcer(second, 0), [{ name: 'feed', content: slowly() }], {
        onBegin: async session => void (await session.query('select pg_sleep(1.2)')),
      });
      expect((await loading).records).toMatchObject({ account: 1, report: 1 });
      // The limits apply again after the load.
      expect(await sql.query('show statement_timeout')).toEqual([{ statement_timeout: '1s' }]);
    } finally {
      await Promise.all([sql.end(), second.end()]);
    }
  },
);
