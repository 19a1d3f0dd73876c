import { describe, expect, it } from 'vitest';
import { importBytes } from './reports.ts';

const NOW = Math.floor(Date.now() / 1000) * 1000;
const time = new Date(NOW).toISOString();
const today = time.slice(0, 10);
const violation = {
  'csp-report': { 'document-uri': 'https://acme.example/', 'effective-directive': 'img-src' },
};
const deprecation = { type: 'deprecation', age: 0, url: 'https://acme.example/', body: { id: 'x' } };

const line = (id: string, more: object) => ({ id, time, kind: '', user_agent: '', ...more });
const read = (...lines: unknown[]) =>
  importBytes(lines.map(one => `${JSON.stringify(one)}\n`).join(''), { format: 'collected' });
const lineOfUsage = { type: 'csp', date: today, filtered: 1, sampled: 2, rejected: 3 };

describe('a line of a collector', () => {
  it('is a record for each report of its body, as the address says that it came by', async () => {
    const { records, skipped } = await read(
      line('a-0', { kind: 'enforce', body: violation }),
      line('a-1', { kind: 'report', body: violation, user_agent: 'Mozilla/5.0 Firefox/140.0' }),
      line('a-2', { kind: 'wizard', body: [violation, deprecation] }),
    );
    expect(skipped).toEqual([]);
    expect(records).toMatchObject([
      { type: 'csp', action: 'enforced', date: time, accountId: 'a', directive: 'img-src' },
      { type: 'csp', action: 'reportOnly', browser: 'Firefox' },
      { type: 'csp', action: 'reportOnly' },
      { type: 'deprecation', featureId: 'x' },
    ]);
  });

  it('keeps the part of its like that the collector has kept, which no stranger can write', async () => {
    const { records, skipped } = await read(
      line('a-0', { rate: 0.5, body: violation }),
      line('a-1', { body: { rate: 0.1, samplingRate: 0.1, ...deprecation } }),
    );
    expect(skipped).toEqual([]);
    expect(records.map(({ samplingRate }) => samplingRate)).toEqual([0.5, undefined]);
  });

  it('counts equal reports as often as they came, and the same line once', async () => {
    const lines = ['a-0', 'a-1'].map(id => line(id, { body: [violation, violation] }));
    const ids = (await read(...lines)).records.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    const later = (await read(lines[1])).records.map(({ id }) => id);
    expect(later).toEqual(ids.slice(2));
  });

  it('has the time at which it came, less an age of a day at most', async () => {
    const aged = (age: number) => ({ ...deprecation, age });
    const { records } = await read(
      line('a', { body: aged(60_000) }),
      line('b', { body: aged(5e10) }),
      // Logs of other collectors have a time of their own: here a stranger has posted it.
      line('c', { body: { time: '2020-01-01T00:00:00Z', ...violation['csp-report'] } }),
    );
    const dates = records.map(({ date }) => NOW - Date.parse(date));
    expect(dates).toEqual([60_000, 86_400_000, 0]);
  });

  it('of usage is one of the feed, for the account of the spool', async () => {
    const found = await read({
      id: 'u',
      time,
      usage: { ...lineOfUsage, accountId: 'other', kind: 'account' },
    });
    expect(found.usage).toEqual([{ kind: 'usage', accountId: 'a', ...lineOfUsage }]);
  });

  it.each([
    ['a body', line('x', { body: { usage: lineOfUsage } })],
    ['a list in a body', line('x', { body: [{ id: 'u', time, usage: lineOfUsage }] })],
    ['a report in a body', line('x', { body: { ...violation, usage: lineOfUsage } })],
    ['a text in a body', line('x', { body: JSON.stringify({ id: 'u', time, usage: lineOfUsage }) })],
    ['a user agent', line('x', { user_agent: '","usage":{"type":"csp"}}', body: violation })],
    ['a line without what the collector writes', { usage: lineOfUsage }],
  ])('of usage cannot stand in %s', async (_, given) => {
    expect((await read(given)).usage).toEqual([]);
  });

  it('of usage is none in any other format', async () => {
    const text = `${JSON.stringify({ id: 'u', time, usage: lineOfUsage })}\n`;
    const { usage, skipped } = await importBytes(text);
    expect(usage).toEqual([]);
    expect(skipped).toEqual(['file is no report that is known']);
  });

  it.each([
    ['of mail', { 'organization-name': 'x', 'report-id': 'y', policies: [], 'date-range': {} }],
    ['of a certificate', { message_type: 'certificate_update', data: {} }],
    ['in a line of a log', { body: JSON.stringify(violation), time }],
    ['of nothing', 7],
  ])('has no report %s, which a stranger may post', async (_, body) => {
    const { records, skipped } = await read(line('x', { body }));
    expect(records).toEqual([]);
    expect(skipped).toEqual(['file is no report of a browser']);
  });

  it.each([
    ['without a time', { id: 'x', body: violation }],
    ['without an id', { time, body: violation }],
    ['of a report itself', violation],
  ])('%s is none, and keeps no other out', async (_, given) => {
    const { records, skipped } = await read(given, line('x', { body: violation }));
    expect(skipped).toEqual(['file, line 1 is no line of a collector']);
    expect(records).toHaveLength(1);
  });
});
