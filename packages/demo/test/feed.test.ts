import { DEMO_DEFAULTS, type DemoOptions, demoFeed } from '@sightline/demo';
import { REPORT_TYPES } from '@sightline/reports';
import { describe, expect, it } from 'vitest';

const options: DemoOptions = { ...DEMO_DEFAULTS, today: '2026-03-01', reports: 2000, auditEvents: 100 };
const textOf = (changes: Partial<DemoOptions> = {}) => [...demoFeed({ ...options, ...changes })].join('');

describe('a feed', () => {
  it('has the same bytes for the same options, and others for another seed', () => {
    expect(textOf()).toBe(textOf());
    expect(textOf({ seed: 2 })).not.toBe(textOf());
  });

  it('has as many reports as are asked for, of every type', () => {
    const lines = textOf()
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    const reports = lines.filter(({ kind }) => kind === 'report');
    expect(reports).toHaveLength(2000);
    expect(new Set(reports.map(({ type }) => type))).toEqual(new Set(REPORT_TYPES));
  });

  it('has nothing of the future', () => {
    const dates = [...textOf().matchAll(/"date":"([^"]+)"/g)].map(([, date]) => date!);
    expect(dates.filter(date => date >= '2026-03-01T06:00:00Z')).toEqual([]);
  });
});
