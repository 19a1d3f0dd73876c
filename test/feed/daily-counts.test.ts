import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runs } from '../faults/scale.ts';
import { account, createFeedDatabase, type FeedDatabase, type Line, report, toText } from './lines.ts';

let database: FeedDatabase;
beforeAll(async () => {
  database = await createFeedDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const accountId = fc.constantFrom('a', 'b', 'c');

/** Uses few keys on few days near the ends of months, so that many reports are replaced, moved and deleted. */
const reportLine: fc.Arbitrary<Line> = fc
  .record({
    accountId,
    type: fc.constantFrom('csp', 'coep'),
    id: fc.constantFrom('r', 'R', 's', 't'),
    date: fc.constantFrom(
      '2026-01-31T23:59:59.999999Z',
      '2026-02-01T00:00:00Z',
      '2026-02-01T00:30:00+01:00',
      '2026-02-28T12:00:00-12:00',
      '2026-05-10T12:00:00Z',
    ),
    count: fc.constantFrom(undefined, 0, 1, 7, 1_000_000_000),
    directive: fc.constantFrom(undefined, '', 'img-src', 'font-src'),
  })
  .map(({ directive, ...rest }) => report('', { ...rest, ...(rest.type === 'csp' && { directive }) }));

const removal: fc.Arbitrary<Line> = fc.record({
  kind: fc.constant('report'),
  accountId,
  type: fc.constantFrom('csp', 'coep'),
  id: fc.constantFrom('r', 'R', 's', 't'),
  deleted: fc.constant(true),
});

const accountRemoval: fc.Arbitrary<Line> = fc.record({
  kind: fc.constant('account'),
  id: accountId,
  deleted: fc.constant(true),
});

const line = fc.oneof(
  { weight: 12, arbitrary: reportLine },
  { weight: 4, arbitrary: removal },
  { weight: 1, arbitrary: accountId.map(id => account(id)) },
  { weight: 1, arbitrary: accountRemoval },
);

/** Loads of several lines, some of which are loaded twice. */
const loads = fc.array(fc.record({ lines: fc.array(line, { maxLength: 25 }), again: fc.boolean() }), {
  minLength: 1,
  maxLength: 5,
});

/** Applies the lines one by one, and returns the number of remaining reports by key. */
function apply(lines: readonly Line[], state: Map<string, Line>): void {
  for (const line of lines) {
    const key = [line.accountId, line.type, line.id].join();
    if (line.kind === 'report' && !line.deleted) state.set(key, line);
    else if (line.kind === 'report') state.delete(key);
    else if (line.deleted) {
      for (const [other, { accountId }] of state) if (accountId === line.id) state.delete(other);
    }
  }
}

it('the daily counts equal a GROUP BY of the reports after any loads, repetitions and deletions', {
  tags: 'slow',
}, async () => {
  await fc.assert(
    fc.asyncProperty(loads, async loads => {
      const everybody = ['a', 'b', 'c'].map(id => account(id));
      const clean = everybody.map(({ kind, id }) => ({ kind, id, deleted: true }));
      await database.load(...clean);
      const expected = new Map<string, Line>();
      for (const { lines, again: isRepeated } of loads) {
        // Accounts come last, so that no line is refused.
        const text = toText([...lines, ...everybody]);
        for (const _ of isRepeated ? [1, 2] : [1]) {
          await database.loadText(text);
          apply(lines, expected);
        }
      }
      expect(await reportKeys()).toEqual([...expected.keys()].sort());
      const [difference] = await database.rows(DIFFERENCE);
      expect(difference).toBeUndefined();
    }),
    runs(2, 100),
  );
});

it('the daily counts equal a GROUP BY of the reports after a load in several batches', {
  tags: 'slow',
}, async () => {
  const everybody = ['a', 'b', 'c'].map(id => account(id));
  // Few account deletions, because each ends a batch, and some characters of more than one byte.
  const lines = fc
    .sample(line, { numRuns: 8000, seed: 7 })
    .filter(({ kind }, index) => kind === 'report' || index % 80 === 0)
    .map((line, index) => (line.kind === 'report' ? { ...line, id: `${line.id}-é${index % 3000}` } : line));
  await database.load(...everybody.map(({ kind, id }) => ({ kind, id, deleted: true })));
  await database.loadText(toText([...lines, ...everybody]));
  const expected = new Map<string, Line>();
  apply(lines, expected);
  expect(expected.size).toBeGreaterThan(2000);
  expect(await reportKeys()).toEqual([...expected.keys()].sort());
  const [difference] = await database.rows(DIFFERENCE);
  expect(difference).toBeUndefined();
});

async function reportKeys(): Promise<string[]> {
  const rows = await database.rows(`select account_id || ',' || type || ',' || id as key from report`);
  return rows.map(({ key }) => String(key)).sort();
}

const DIFFERENCE = `
  with counted as (
    select account_id, type, (date at time zone 'UTC')::date as day, coalesce(directive, '') as directive,
      sum(count)::bigint as total
    from report group by 1, 2, 3, 4 having sum(count) > 0
  )
  (table counted except select account_id, type, day, directive, total from daily_count)
  union all
  (select account_id, type, day, directive, total from daily_count except table counted)
  union all
  select l.account_id, null, l.date::date, 'a locator without a report', l.key
  from report_locator l left join report r on r.account_id = l.account_id and r.date = l.date
  where r.id is null`;
