import { expect, it } from 'vitest';
import { isDistributed } from '../../sql/operator/distribute.ts';
import { account, createFeedDatabase, type FeedDatabase, report } from './lines.ts';

it('replacing a report costs the same regardless of how many reports the account has', {
  tags: 'slow',
}, async context => {
  await using database = await createFeedDatabase();
  if (await isDistributed(database.sql))
    context.skip('the servers that hold the shards do not report block reads immediately');
  const perReport = async (from: number, to: number) => {
    const lines = Array.from({ length: to - from }, (_, index) => {
      const date = new Date(Date.UTC(2026, 4, 10) + index * 100_000).toISOString();
      return report(`r-${from + index}`, { date });
    });
    await database.load(account('a'), ...lines);
    const before = await blocksRead(database);
    await database.load(...lines);
    return ((await blocksRead(database)) - before) / lines.length;
  };
  const amongFew = await perReport(0, 200);
  expect(await perReport(200, 2000)).toBeLessThan(2 * amongFew);
});

/** The number of blocks of the reports' primary key index that were read since the start, from the cache or not. */
async function blocksRead({ rows }: FeedDatabase): Promise<number> {
  await rows('select pg_stat_force_next_flush()');
  const [read] = await rows(`
    select sum(idx_blks_hit + idx_blks_read) as blocks from pg_statio_user_indexes
    where indexrelname ~ '^report_y.*_pkey$'`);
  return Number(read?.blocks);
}
