import { describe, expect, it } from 'vitest';
import { networkInsights } from '../../schema/insights/network.ts';
import { createScope, SINCE } from './scope-of-rows.ts';

/** Tests rules on both sides of their thresholds, with the rows that the database would return. */

const HOUR = SINCE / 3600;
const BEGAN = HOUR - 7 * 24;
const ALL = { way: 'hours HOUR', v2: '', v3: '', hours: `[${BEGAN},1,1,0,0]` };

/** An error's reports by hour of the period; the first of an hour is at its seventh second, the last at its 3000th. */
const toError = (host: string, error: string, ...hours: [hour: number, reports: number][]) => ({
  ...{ way: 'hours ERROR', v2: host, v3: error },
  hours: hours.map(([hour, reports]) => `[${HOUR + hour},${reports},${reports},7,3000]`).join(),
});

/** Reports that follow each other by this many seconds, from a second of their hour on. */
const listTimes =
  (seconds: number, startOf: (host: string) => number = () => 0) =>
  ([, hosts, , hours, indexes]: unknown[]) =>
    (hosts as string[]).map((host, place) => ({
      number: place + 1,
      second:
        Date.parse((hours as string[])[place]!) / 1000 +
        startOf(host) +
        seconds * Number((indexes as string[])[place]),
    }));

const find = async (...answers: Parameters<typeof createScope>) =>
  (await networkInsights(createScope(...answers))).drafts;

describe('a network error', () => {
  it('lasts from the twentieth of its reports to that before the end, each in its own hour', async () => {
    // The first hour has 20 of the 420 reports, so the 21st is the first of the second hour, and the 399th its 379th.
    const [found] = await find([ALL, toError('a.example', 'tcp.reset', [5, 20], [6, 400])], listTimes(2));
    const begin = SINCE + 6 * 3600;
    expect([found!.first, found!.last]).toEqual([begin, begin + 2 * 378]);
  });

  it('has exact times if it is one of the 20 with the most reports, otherwise those of its hours', async () => {
    const errors = Array.from({ length: 21 }, (_, n) => toError(`${n}.example`, `e-${n}`, [5, 20 + n]));
    const found = await find(
      [ALL, ...errors],
      listTimes(1, () => 1000),
    );
    const begin = SINCE + 5 * 3600;
    const inexact = found.filter(({ first }) => first < begin + 1000);
    expect(found).toHaveLength(21);
    expect(inexact.map(({ subject, first, last }) => [subject, first, last])).toEqual([
      ['0.example e-0', begin + 7, begin + 3000],
    ]);
  });

  it.each([
    [0, '1 minute'],
    [89, '1 minute'],
    [90, '2 minutes'],
    [119 * 60 + 29, '119 minutes'],
    [119 * 60 + 30, '2 hours'],
    [150 * 60, '3 hours'],
  ])('of %i seconds is called one of %s', async (seconds, length) => {
    const usual = Array.from({ length: 9 }, (_, day): [number, number] => [(day - 9) * 24 + 5, 1]);
    const times = (parameters: unknown[]) =>
      [0, 1].map(place => ({
        ...listTimes(0)(parameters)[place]!,
        second: SINCE + 5 * 3600 + place * seconds,
      }));
    const found = await find([ALL, toError('a.example', 'tcp.reset', ...usual, [5, 21])], times);
    expect(found).toMatchObject([
      {
        ...{ kind: 'networkError', severity: 'incident', subject: 'a.example tcp.reset' },
        title: `tcp.reset on a.example for ${length}`,
        ...{ first: SINCE + 5 * 3600, last: SINCE + 5 * 3600 + seconds },
        ...{ count: 21, baseline: 1, rank: 20, hosts: ['a.example'] },
        reports: { type: 'nel', filters: { hostnames: 'a.example', nelType: 'tcp.reset' } },
      },
    ]);
    expect(found[0]!.detail).toMatch(/^21 reports, most from 10 May 05:00 UTC to .*, where 1 are usual\.$/);
  });

  it('explains a spike of all errors if it has half of it', async () => {
    const all = (reports: number) => ({
      ...ALL,
      hours: `${ALL.hours},[${HOUR + 5},${reports},${reports},7,3000]`,
    });
    const subjects = async (reports: number) =>
      (await find([all(reports), toError('a.example', 'tcp.reset', [5, 25])], listTimes(1))).map(
        ({ subject }) => subject,
      );
    expect(await subjects(50)).toEqual(['a.example tcp.reset']);
    expect(await subjects(51)).toEqual(['a.example tcp.reset', 'nel']);
  });
});

describe('simultaneous errors of several hosts', () => {
  const errors = ['a', 'b', 'c'].map(host => toError(`${host}.example`, 'tcp.reset', [5, 21]));

  it('are those that begin within half an hour of the first one', async () => {
    const starts: Record<string, number> = { 'a.example': 0, 'b.example': 1200, 'c.example': 2400 };
    const found = await find(
      [ALL, ...errors],
      listTimes(1, host => starts[host]!),
    );
    expect(found.map(({ subject }) => subject)).toEqual(['tcp.reset', 'c.example tcp.reset']);
  });

  it.each([
    [1800, ['tcp.reset']],
    [1801, ['a.example tcp.reset', 'b.example tcp.reset']],
  ])('are two of which the second begins %i seconds after the first', async (later, subjects) => {
    const found = await find(
      [ALL, errors[1]!, errors[0]!],
      listTimes(1, host => (host === 'b.example' ? later : 0)),
    );
    expect(found.map(({ subject }) => subject)).toEqual(subjects);
  });

  it('are described together, with the network of their visitors', async () => {
    const usual = [0, 1].map(host =>
      Array.from({ length: 9 }, (_, day): [number, number] => [(day - 9) * 24 + 5, 1 + host]),
    );
    const rows = [
      toError('a.example', 'tcp.reset', ...usual[0]!, [5, 21]),
      toError('b.example', 'tcp.reset', ...usual[1]!, [5, 31]),
    ];
    const asked: unknown[][] = [];
    const found = await find(
      [ALL, ...rows],
      listTimes(10, host => (host === 'a.example' ? 600 : 0)),
      parameters => {
        asked.push(parameters);
        return [{ organisation: 'Provider', share: 1 }];
      },
    );
    const begin = SINCE + 5 * 3600;
    expect(found).toMatchObject([
      {
        ...{ kind: 'networkError', severity: 'incident', subject: 'Provider tcp.reset' },
        title: 'tcp.reset on 2 hosts for visitors of Provider',
        detail:
          '52 reports, most from 10 May 05:00 UTC to 10 May 05:13 UTC, where 3 are usual: b.example, a.example.',
        ...{ first: begin + 10, last: begin + 790, count: 52, baseline: 3, rank: 49 },
        hosts: ['b.example', 'a.example'],
        reports: { type: 'nel', filters: { nelType: 'tcp.reset', organisation: 'Provider' } },
      },
    ]);
    expect(JSON.stringify(asked)).toContain('b.example');
    expect(JSON.stringify(asked)).toContain('tcp.reset');
  });

  it('keep their key when most of them turn out to be of one network', async () => {
    const shares = [0.6, 0.59].map(share => [{ organisation: 'Provider', share }]);
    const found = await Promise.all(shares.map(rows => find([ALL, ...errors], listTimes(1), rows)));
    expect(found.flat().map(({ subject, key }) => [subject, key])).toEqual([
      ['Provider tcp.reset', 'tcp.reset together'],
      ['tcp.reset', 'tcp.reset together'],
    ]);
  });
});
