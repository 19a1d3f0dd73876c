import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { CollectorCounts, type UsageLine } from '../src/counts.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-05-20T23:59:59.999Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

/**
 * Returns the written usage lines.
 * @param isTaken false if the lines cannot be written
 */
function takeUsage(counts: CollectorCounts, isTaken = true): (UsageLine & { account: string })[] {
  const lines: (UsageLine & { account: string })[] = [];
  counts.writeUsage((account, line) => {
    lines.push({ account, ...line });
    return isTaken;
  });
  return lines;
}
const csp = { account: 'acme', type: 'csp', date: '2026-05-20', filtered: 0, sampled: 0, rejected: 0 };

it('the collector reports usage only for known types and for outcomes that the feed counts', () => {
  const counts = new CollectorCounts(() => 0);
  counts.drop('acme', '', 'rate');
  for (const outcome of ['unstored', 'unknown', 'unread', 'tooLarge', 'malformed'] as const)
    counts.drop('acme', 'csp', outcome);
  expect(takeUsage(counts)).toEqual([]);
  for (const outcome of ['otherHost', 'rate', 'quota', 'spool'] as const)
    counts.drop('acme', 'csp', outcome, 2);
  counts.drop('acme', 'csp', 'sampled');
  counts.drop('acme', 'csp', 'filtered', 3);
  expect(takeUsage(counts)).toEqual([{ ...csp, rejected: 8, sampled: 1, filtered: 3 }]);
  expect(takeUsage(counts)).toEqual([]);
});

it('the collector reports the sums of the day again after a change or a failed write', () => {
  const counts = new CollectorCounts(() => 0);
  counts.drop('acme', 'csp', 'rate', 2);
  expect(takeUsage(counts, false)).toEqual([{ ...csp, rejected: 2 }]);
  expect(takeUsage(counts)).toEqual([{ ...csp, rejected: 2 }]);
  counts.drop('acme', 'csp', 'quota');
  counts.drop('other', 'csp', 'quota');
  counts.drop('acme', 'nel', 'quota');
  expect(takeUsage(counts)).toEqual([
    { ...csp, rejected: 3 },
    { ...csp, account: 'other', rejected: 1 },
    { ...csp, type: 'nel', rejected: 1 },
  ]);
  expect(takeUsage(counts)).toEqual([]);
});

it('the collector restores the sums of another process and reports only changes since then', () => {
  const before = new CollectorCounts(() => 0);
  before.drop('acme', 'csp', 'rate', 2);
  takeUsage(before);
  before.drop('acme', 'nel', 'rate');
  const after = new CollectorCounts(() => 0);
  after.restore(before.save() as Parameters<CollectorCounts['restore']>[0]);
  expect(takeUsage(after)).toEqual([{ ...csp, type: 'nel', rejected: 1 }]);
  after.drop('acme', 'csp', 'rate', 3);
  expect(takeUsage(after)).toEqual([{ ...csp, rejected: 5 }]);
});

it('the collector starts new sums at midnight UTC and discards sums that are more than three days old', () => {
  const counts = new CollectorCounts(() => 0);
  counts.drop('acme', 'csp', 'rate', 2);
  vi.setSystemTime('2026-05-21T00:00:00Z');
  counts.drop('acme', 'csp', 'rate');
  expect(takeUsage(counts).map(({ date, rejected }) => [date, rejected])).toEqual([
    ['2026-05-20', 2],
    ['2026-05-21', 1],
  ]);
  const listStored = () => {
    counts.drop('acme', 'nel', 'rate');
    return counts.save().map(([, line]) => (line as UsageLine).date);
  };
  // A day remains counted until three days after its start.
  vi.setSystemTime('2026-05-23T00:00:00Z');
  expect(listStored()).toEqual(['2026-05-20', '2026-05-21', '2026-05-23']);
  vi.setSystemTime('2026-05-24T00:00:00Z');
  expect(listStored()).toEqual(['2026-05-21', '2026-05-23', '2026-05-24']);
  // After the clock jumps back, the counts of future days are dropped.
  vi.setSystemTime('2026-05-01T00:00:00Z');
  expect(listStored()).toEqual(['2026-05-01']);
});

it('the counts of dropped and unforwarded reports are returned once', () => {
  const counts = new CollectorCounts(() => 0);
  counts.drop('acme', 'csp', 'rate', 2);
  counts.drop('acme', 'csp', 'rate');
  counts.drop('acme', '', 'malformed');
  expect(counts.takeDropped()).toEqual({ acme: { rate: 3, malformed: 1 } });
  expect(counts.takeDropped()).toEqual({});
  for (const outcome of ['taken', 'refused', 'refused'] as const) counts.forwarded('acme', outcome as never);
  expect(counts.takeNotForwarded()).toEqual({ refused: 2 });
  expect(counts.takeNotForwarded()).toEqual({});
});

it('the metrics count answers, reports and bodies, and show the bytes that wait', async () => {
  let [waiting, forwarding] = [7, 3];
  const counts = new CollectorCounts(
    () => waiting,
    () => forwarding,
  );
  const print = async () => {
    const text = await counts.registry.metrics();
    return text.split('\n').filter(line => line.startsWith('sightline_'));
  };
  for (const status of [204, 413, 204]) counts.answered(status);
  counts.accepted('acme', 4);
  counts.accepted('acme', 1);
  counts.drop('acme', 'csp', 'rate', 2);
  counts.drop('other', '', 'malformed');
  for (const outcome of ['taken', 'taken', 'dropped'] as const) counts.forwarded('acme', outcome);
  const lines = [
    'sightline_collect_reports_total{account="acme",outcome="accepted"} 5',
    'sightline_collect_reports_total{account="acme",outcome="rate"} 2',
    'sightline_collect_reports_total{account="other",outcome="malformed"} 1',
    'sightline_collect_forwarded_total{account="acme",outcome="taken"} 2',
    'sightline_collect_forwarded_total{account="acme",outcome="dropped"} 1',
    'sightline_collect_answers_total{status="204"} 2',
    'sightline_collect_answers_total{status="413"} 1',
  ];
  const before = await print();
  expect(before.sort()).toEqual(
    [...lines, 'sightline_collect_spool_bytes 7', 'sightline_collect_forward_bytes 3'].sort(),
  );
  expect(await counts.registry.metrics()).toMatch(/^process_resident_memory_bytes \d/m);
  // Reading the metrics, or taking the counts for the log, does not change them.
  counts.takeDropped();
  counts.takeNotForwarded();
  [waiting, forwarding] = [0, 11];
  expect((await print()).sort()).toEqual(
    [...lines, 'sightline_collect_spool_bytes 0', 'sightline_collect_forward_bytes 11'].sort(),
  );
});
