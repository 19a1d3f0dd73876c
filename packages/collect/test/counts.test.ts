import { expect, it } from 'vitest';
import { Counts, type UsageLine } from '../src/counts.ts';

function toldBy(counts: Counts): UsageLine[] {
  const lines: UsageLine[] = [];
  counts.tellUsage((_, line) => lines.push(line) > 0);
  return lines;
}

it('tells as usage what the feed counts of a known type, and nothing else', () => {
  const counts = new Counts(() => 0);
  counts.drop('acme', '', 'rate');
  counts.drop('acme', 'csp', 'unkept');
  expect(toldBy(counts)).toEqual([]);
  counts.drop('acme', 'csp', 'otherHost', 2);
  counts.drop('acme', 'csp', 'sampled');
  expect(toldBy(counts)).toMatchObject([{ type: 'csp', rejected: 2, sampled: 1, filtered: 0 }]);
  expect(toldBy(counts)).toEqual([]);
});
