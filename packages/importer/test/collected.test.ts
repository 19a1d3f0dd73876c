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

describe('a collected line', () => {
  it('becomes one record per report, with the action given by the address', async () => {
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

  it('keeps the sampling rate of the collector and ignores one that a client wrote', async () => {
    const { records, skipped } = await read(
      line('a-0', { rate: 0.5, body: violation }),
      line('a-1', { body: { rate: 0.1, samplingRate: 0.1, ...deprecation } }),
    );
    expect(skipped).toEqual([]);
    expect(records.map(({ samplingRate }) => samplingRate)).toEqual([0.5, undefined]);
  });

  it('produces an id for each equal report, and the same ids when read again', async () => {
    const lines = ['a-0', 'a-1'].map(id => line(id, { body: [violation, violation] }));
    const ids = (await read(...lines)).records.map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
    const later = (await read(lines[1])).records.map(({ id }) => id);
    expect(later).toEqual(ids.slice(2));
  });

  it('has the time of arrival minus the age, which is limited to one day', async () => {
    const aged = (age: number) => ({ ...deprecation, age });
    const { records } = await read(
      line('a', { body: aged(60_000) }),
      line('b', { body: aged(5e10) }),
      // The time is part of the body, so a client can forge it.
      line('c', { body: { time: '2020-01-01T00:00:00Z', ...violation['csp-report'] } }),
    );
    const dates = records.map(({ date }) => NOW - Date.parse(date));
    expect(dates).toEqual([60_000, 86_400_000, 0]);
  });

  it('with usage becomes a usage record for the account of the spool folder', async () => {
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
    ['a report within a body', line('x', { body: { ...violation, usage: lineOfUsage } })],
    ['a string body', line('x', { body: JSON.stringify({ id: 'u', time, usage: lineOfUsage }) })],
    ['a user agent', line('x', { user_agent: '","usage":{"type":"csp"}}', body: violation })],
    ['a line without the fields that the collector writes', { usage: lineOfUsage }],
  ])('cannot inject usage through %s', async (_, given) => {
    expect((await read(given)).usage).toEqual([]);
  });

  it('with usage is ignored in every other format', async () => {
    const text = `${JSON.stringify({ id: 'u', time, usage: lineOfUsage })}\n`;
    const { usage, skipped } = await importBytes(text);
    expect(usage).toEqual([]);
    expect(skipped).toEqual(['file is not a known report']);
  });

  it.each([
    ['a mail report', { 'organization-name': 'x', 'report-id': 'y', policies: [], 'date-range': {} }],
    ['a certificate', { message_type: 'certificate_update', data: {} }],
    ['a log line', { body: JSON.stringify(violation), time }],
    ['a number', 7],
  ])('accepts only browser reports, not %s', async (_, body) => {
    const { records, skipped } = await read(line('x', { body }));
    expect(records).toEqual([]);
    expect(skipped).toEqual(['file is not a browser report']);
  });

  it.each([
    ['a line without a time', { id: 'x', body: violation }],
    ['a line without an id', { time, body: violation }],
    ['a bare report', violation],
  ])('is skipped without affecting the next if it is %s', async (_, given) => {
    const { records, skipped } = await read(given, line('x', { body: violation }));
    expect(skipped).toEqual(['file, line 1 is not a line of a collector']);
    expect(records).toHaveLength(1);
  });
});
