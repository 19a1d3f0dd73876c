import { createHash } from 'node:crypto';
import { REPORT_TYPES } from '@sightline/reports';
import { describe, expect, it } from 'vitest';
import { importFiles } from '../src/import/write.ts';
import { DEMO_DEFAULTS, type DemoOptions, demoFeed } from '../src/index.ts';

const toDigest = (...parts: readonly (string | Uint8Array)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('base64url');

const options: DemoOptions = { ...DEMO_DEFAULTS, today: '2026-03-01', reports: 2000, auditEvents: 100 };
const toText = (changes: Partial<DemoOptions> = {}) => [...demoFeed({ ...options, ...changes })].join('');
const text = toText();

describe('a demo feed', () => {
  it('is reproducible from its options, and differs for another seed', { tags: 'slow' }, () => {
    expect(toText()).toBe(text);
    expect(toText({ seed: 2 })).not.toBe(text);
  });

  it('matches the bytes that the documents and benchmarks are based on', () => {
    const lines = text.trimEnd().split('\n');
    // After an intended change of the demo, copy the new values from the failure message.
    expect([lines.length, toDigest(text)]).toEqual([7496, 'xqLp7SdJ0VJbU5t_8x2oMl7IhLuvTHxPuK4hrXauvKA']);
    const files = importFiles('2026-03-01');
    const parts = files.flatMap(({ path, content, modified }) => [path, content, String(modified)]);
    expect([files.length, toDigest(...parts)]).toEqual([77, 'ZzR6NxwPnwsW3YlpodBYAT_oq0eINLEybqW0ceFnEEo']);
  });

  it('matches them also with further accounts and with incidents', () => {
    const more = toText({ accounts: 12, reports: 200, auditEvents: 40, days: 30, incidents: true, seed: 2 });
    expect(toDigest(more)).toBe('VhzEhSjYTBERiNTrUz1Zeo0bokcoCwqMmIkradqpv5s');
  });

  it('has the requested number of reports, covering every type', () => {
    const lines = text
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const reports = lines.filter(({ kind }) => kind === 'report');
    expect(reports).toHaveLength(2000);
    expect(new Set(reports.map(({ type }) => type))).toEqual(new Set(REPORT_TYPES));
  });

  it('contains no future dates', () => {
    const dates = [...text.matchAll(/"date":"([^"]+)"/g)].map(([, date]) => date!);
    expect(dates.filter(date => date >= '2026-03-01T06:00:00Z')).toEqual([]);
  });
});
