import { truncateText } from '@sightline/reports';
import { describe, expect, it } from 'vitest';
import { cutBytes } from '../../src/alert/bounds.ts';
import { toEvents, withEvent, withoutExpired } from '../../src/alert/events.ts';
import { type Insight, insightsSince, isAtLeast, SEVERITIES } from '../../src/alert/insights.ts';
import { isDue, withRefused } from '../../src/alert/queue.ts';
import type { ServiceConnection } from '../../src/service/service.ts';

const NOW = new Date('2026-05-20T12:00:00Z');
const HOUR = 3_600_000;
const before = (hours: number) => new Date(NOW.getTime() - hours * HOUR);

const insight = (kind: string, lastSeen: Date): Insight => ({
  ...{ id: `${kind}-1`, kind, severity: 'change', state: 'ongoing', title: 'a', detail: 'b', subject: 'c' },
  ...{ firstSeen: before(200).toISOString(), lastSeen: lastSeen.toISOString(), count: 1, baseline: 0 },
  ...{ link: '/app#', query: null, verdict: null },
});

describe('a reported insight', () => {
  it.each([
    ['new', []],
    ['ongoing', []],
    ['escalating', []],
    ['resolved', ['newSender-1:resolved']],
  ] as const)('is reported as resolved only if the service says so: %s', (state, events) => {
    const one = insight('newSender', before(200));
    const reported = withEvent({}, { id: '', event: 'new', insight: one }, before(200));
    expect(toEvents(reported, [{ ...one, state }]).map(({ id }) => id)).toEqual(events);
  });

  it('is reported as new once, before resolved ones, which have their last state', () => {
    const [begun, over, gone] = ['newHost', 'newSender', 'newPolicy'].map(kind => insight(kind, NOW));
    let reported = withEvent({}, { id: '', event: 'new', insight: over! }, NOW);
    reported = withEvent(reported, { id: '', event: 'new', insight: gone! }, NOW);
    const last = { ...over!, state: 'resolved' as const, count: 7 };
    expect(toEvents(reported, [last, begun!])).toEqual([
      { id: 'newHost-1:new', event: 'new', insight: begun },
      { id: 'newSender-1:resolved', event: 'resolved', insight: last },
      { id: 'newPolicy-1:resolved', event: 'resolved', insight: gone },
    ]);
    reported = withEvent(reported, { id: '', event: 'new', insight: begun! }, NOW);
    expect(toEvents(reported, [begun!, over!, gone!])).toEqual([]);
  });

  it('is reported as resolved only once, even if the service no longer lists it', () => {
    const one = { ...insight('newHost', before(30)), state: 'resolved' as const };
    let reported = withEvent({}, { id: '', event: 'new', insight: one }, before(40));
    const [event] = toEvents(reported, [one]);
    reported = withEvent(reported, event!, NOW);
    expect(toEvents(reported, [one])).toEqual([]);
    expect(toEvents(reported, [])).toEqual([]);
  });

  it('is not reported again when it recurs, and is forgotten three months after its resolution', () => {
    const one = insight('newHost', before(0));
    const reported = withEvent({}, { id: '', event: 'resolved', insight: one }, before(91 * 24));
    expect(toEvents(reported, [one])).toEqual([]);
    expect(Object.keys(withoutExpired(reported, NOW))).toEqual([one.id]);
    expect(withoutExpired(reported, new Date(NOW.getTime() + 24 * HOUR))).toEqual({});
  });

  it('is not reported again while it lasts, and is reported as resolved even after years', () => {
    const one = insight('newHost', before(0));
    const reported = withEvent({}, { id: '', event: 'new', insight: one }, before(3 * 365 * 24));
    const remembered = withoutExpired(reported, NOW);
    expect(toEvents(remembered, [one])).toEqual([]);
    expect(toEvents(remembered, []).map(({ id }) => id)).toEqual([`${one.id}:resolved`]);
  });
});

it.each([
  ['mine', []],
  ['accepted', []],
  ['forwarder', []],
  ['notMine', ['newHost-1']],
  [null, ['newHost-1']],
])(
  'an insight with the verdict %s of the team is reported only if it is not theirs',
  async (verdict, ids) => {
    const one = { ...insight('newHost', NOW), verdict: verdict && { verdict } };
    const service = { ask: async () => ({ insights: [one] }) } as unknown as ServiceConnection;
    expect((await insightsSince(service)).map(({ id }) => id)).toEqual(ids);
  },
);

it('insights that the service did not find in time are an error', async () => {
  const asked: unknown[] = [];
  const ask = async (_: unknown, variables: unknown) => asked.push(variables) && { insights: null };
  const service = { ask } as unknown as ServiceConnection;
  const message = 'The service took too long to find insights. Run "sightline maintain" there, or wait';
  await expect(insightsSince(service)).rejects.toThrow(message);
  await expect(insightsSince(service, NOW)).rejects.toThrow(message);
  expect(asked).toEqual([{ since: null }, { since: '2026-05-20T12:00:00.000Z' }]);
});

it('an insight is reported from the lowest wanted severity on', () => {
  const reported = SEVERITIES.filter(severity =>
    isAtLeast({ ...insight('newHost', NOW), severity }, 'incident'),
  );
  expect(reported).toEqual(['threat', 'incident']);
});

it('a refused event is retried after a back-off that doubles from one minute up to an hour', () => {
  const event = { id: 'a', event: 'new', insight: insight('newHost', NOW) } as const;
  let refused = withRefused({}, event, NOW);
  // The next run retries it immediately.
  expect(isDue(refused, event, NOW)).toBe(true);
  const delays: number[] = [];
  for (let times = 2; times < 10; times++) {
    refused = withRefused(refused, event, NOW);
    delays.push((Date.parse(refused.a!.due) - NOW.getTime()) / 60_000);
    expect(isDue(refused, event, NOW)).toBe(false);
    expect(isDue(refused, event, new Date(refused.a!.due))).toBe(true);
  }
  expect(delays).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

it('a text is truncated between characters, whether measured in characters or bytes', () => {
  expect([truncateText('ab😀cd', 4), truncateText('ab😀cd', 5), truncateText('abcd', 4)]).toEqual([
    'ab…',
    'ab😀…',
    'abcd',
  ]);
  for (let bytes = 3; bytes < 14; bytes++) {
    const text = cutBytes('aé😀ü…x', bytes);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(bytes);
    expect(text).not.toContain('\ufffd');
  }
});
