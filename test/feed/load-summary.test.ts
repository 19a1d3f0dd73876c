import { expect, it } from 'vitest';
import type { LoadSummary } from '../../src/feed/load.ts';
import { account, apiKey, createFeedDatabase, type Line, plan, report, toText, watch } from './lines.ts';

/** Tests the summary of a load with lines of each outcome: new, equal, replaced, deleted, too old, or bad. */

const removed = (id: string): Line => ({ kind: 'report', accountId: 'a', type: 'csp', id, deleted: true });

const LINES: readonly Line[] = [
  account('a'),
  account('b'),
  account('a', { email: 'last@example.org' }),
  plan('a'),
  watch('a'),
  watch('a', { alertThreshold: 9 }),
  apiKey('b', 'a'),
  apiKey('deleted', 'a'),
  { kind: 'apiKey', id: 'deleted', deleted: true },
  report('replaced', { count: 2 }),
  report('replaced', { count: 3 }),
  report('deleted'),
  removed('deleted'),
  removed('deleted'),
  removed('never stored'),
  report('stored again'),
  removed('stored again'),
  report('stored again', { count: 4 }),
  report('nel', { type: 'nel', statusCode: 0 }),
];

const comparable = ({ seconds: _, ...summary }: LoadSummary) => summary;

it('a load counts each line once, in a trial, in the load itself, and if it begins anew', {
  tags: 'slow',
}, async () => {
  await using database = await createFeedDatabase();
  const trial = await database.loadText(toText(LINES), { isTrial: true });
  expect(await database.rows('select id from account')).toEqual([]);
  const first = await database.load(...LINES);
  expect(comparable(first)).toEqual(comparable(trial));
  expect(comparable(first)).toMatchObject({
    hasChanged: true,
    records: { account: 3, plan: 1, watch: 2, apiKey: 3, report: 10 },
    superseded: { account: 1, watch: 1, apiKey: 1, csp: 1 },
    ...{ repeated: {}, pastRetention: {}, rejected: 0, cut: 0, badLines: [] },
  });
  expect(await database.rows('select type::text, id, count::int from report order by 1, 2')).toEqual([
    { type: 'csp', id: 'replaced', count: 3 },
    { type: 'csp', id: 'stored again', count: 4 },
    { type: 'nel', id: 'nel', count: 1 },
  ]);

  const again = [
    account('a', { email: 'last@example.org' }),
    plan('a'),
    report('nel', { type: 'nel', statusCode: 0 }),
  ];
  expect(comparable(await database.load(...again))).toMatchObject({
    ...{ hasChanged: false, records: { account: 0, plan: 0, report: 0 } },
    ...{ repeated: { account: 1, plan: 1, nel: 1 }, superseded: {} },
  });

  // A day is full, which is known only after all lines have been read, so that they are read again.
  await database.rows(`update daily_count set total = ${Number.MAX_SAFE_INTEGER} where type = 'csp';
    insert into removed_position (account_id, type, position, date, id, removed_before)
    values ('a', 'nel', 0, '2026-01-01', '', '2026-02-01 00:00Z')`);
  const lines = [
    ...again,
    report('too many'),
    report('old', { type: 'nel', statusCode: 0, date: '2026-01-31T23:59:59Z' }),
    report('kept', { type: 'nel', statusCode: 0, date: '2026-02-01T00:00:00Z' }),
    report('kept', { type: 'nel', statusCode: 0, date: '2026-02-01T00:00:00Z', count: 2 }),
    { kind: 'nothing' },
  ];
  const rejects: Uint8Array[] = [];
  let read = 0;
  const summary = await database.loadText(toText(lines), {
    rejects: bytes => rejects.push(bytes),
    onProgress: progress => {
      read = progress.lines;
    },
  });
  expect(comparable(summary)).toMatchObject({
    ...{ hasChanged: true, records: { account: 0, plan: 0, report: 2 }, superseded: { nel: 1 } },
    ...{ repeated: { account: 1, plan: 1, nel: 1 }, pastRetention: { nel: 1 }, rejected: 2, cut: 0 },
  });
  expect(read).toBe(lines.length);
  expect(Buffer.concat(rejects).toString()).toBe(toText([lines[3]!, lines.at(-1)!]));
});

it('a bad line of 64 KiB is passed on whole, and a longer one is cut', async () => {
  await using database = await createFeedDatabase();
  const rejects: Uint8Array[] = [];
  const LONGEST = 64 * 1024;
  const text = [LONGEST, LONGEST + 1].map(length => `${'x'.repeat(length)}\n`).join('');
  const { rejected, cut } = await database.loadText(text, { rejects: bytes => rejects.push(bytes) });
  expect([rejected, cut, rejects.map(({ length }) => length)]).toEqual([2, 1, [LONGEST + 1, LONGEST + 1]]);
});
