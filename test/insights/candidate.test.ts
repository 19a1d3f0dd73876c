import { describe, expect, it } from 'vitest';
import {
  getState,
  type InsightCandidate,
  moment,
  plural,
  share,
  shortenText,
  toInsight,
  toSeconds,
} from '../../schema/insights/candidate.ts';
import type { InsightScope } from '../../schema/insights/scope.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
const NOW = new Date('2026-05-20T14:30:00Z');
const END = NOW.getTime() / 1000;

const candidate = (more: Partial<InsightCandidate>): InsightCandidate => ({
  ...{ kind: 'spike', severity: 'change', title: 'A title', detail: 'A detail.', subject: 'a.example' },
  ...{ first: END - DAY, last: END - HOUR, count: 2.5, baseline: 0.4, hosts: [], rank: 1 },
  ...more,
});
const SCOPE = {
  ...{ account: { id: 'ada' }, now: NOW, until: NOW, since: new Date(0) },
} as unknown as InsightScope;
const insight = (more: Partial<InsightCandidate>) => toInsight(candidate(more), SCOPE);

describe('the state of an insight', () => {
  const mail = { type: 'dmarc', filters: {} } as const;
  const certificate = { type: 'certificate_transparency', filters: {} } as const;
  it.each<[string, Partial<InsightCandidate>, string]>([
    ['a beginning 24 hours ago', { first: END - DAY }, 'new'],
    ['a beginning more than 24 hours ago', { first: END - DAY - 1 }, 'ongoing'],
    ['an end 24 hours ago', { first: END - 2 * DAY, last: END - DAY }, 'ongoing'],
    ['an end more than 24 hours ago', { first: END - 2 * DAY, last: END - DAY - 1 }, 'resolved'],
    ['no end', { first: END - 9 * DAY, last: END - 8 * DAY, isOngoing: true }, 'ongoing'],
    ['a growing volume', { isEscalating: true }, 'escalating'],
    [
      'a volume that was growing',
      { first: END - 9 * DAY, last: END - 8 * DAY, isEscalating: true },
      'resolved',
    ],
    ['three days, until 48 hours ago', { first: END - 5 * DAY, last: END - 2 * DAY }, 'ongoing'],
    [
      'three days, until more than 48 hours ago',
      { first: END - 6 * DAY, last: END - 2 * DAY - 1 },
      'resolved',
    ],
    ['less than three days, until 30 hours ago', { first: END - 4 * DAY, last: END - 30 * HOUR }, 'resolved'],
    ['mail until 72 hours ago', { first: END - 3 * DAY, last: END - 3 * DAY, reports: mail }, 'ongoing'],
    ['mail until more than 72 hours ago', { last: END - 3 * DAY - 1, reports: mail }, 'resolved'],
    [
      'a certificate of a week ago',
      { first: END - 7 * DAY, last: END - 7 * DAY, reports: certificate },
      'ongoing',
    ],
    ['an older certificate', { last: END - 7 * DAY - 1, reports: certificate }, 'resolved'],
    ['a finding of a week ago', { kind: 'newFinding', first: END - 7 * DAY, last: END - 7 * DAY }, 'ongoing'],
    [
      'a changed script of three days ago',
      { kind: 'scriptChanged', first: END - 3 * DAY, last: END - 3 * DAY },
      'ongoing',
    ],
    ['an older changed script', { kind: 'scriptChanged', last: END - 3 * DAY - 1 }, 'resolved'],
  ])('with %s is known', (_, more, state) => {
    expect(getState(candidate(more), NOW)).toBe(state);
  });

  it('chooses the title', () => {
    const past = { pastTitle: 'It is over', first: END - 9 * DAY };
    expect(insight(past).title).toBe('A title');
    expect(insight({ ...past, last: END - 8 * DAY })).toMatchObject({
      title: 'It is over',
      state: 'resolved',
    });
    expect(insight({ last: END - 8 * DAY }).title).toBe('A title');
  });
});

describe('an insight', () => {
  it('has rounded counts, times and no fields of the rules', () => {
    expect(insight({ key: 'x', isOngoing: true, isEscalating: true, pastTitle: 'p', place: 'p' })).toEqual({
      ...{ kind: 'spike', severity: 'change', state: 'escalating', title: 'A title', detail: 'A detail.' },
      ...{ subject: 'a.example', count: 3, baseline: 0, link: '/app#/p', query: null },
      id: expect.stringMatching(/^spike-2026-05-19-[0-9a-f]{16}$/),
      firstSeen: '2026-05-19T14:30:00.000Z',
      lastSeen: '2026-05-20T13:30:00.000Z',
    });
  });

  it('has an id for its account, kind, subject or key, and first day', () => {
    const { id } = insight({});
    const other = { ...SCOPE, account: { id: 'bob' } } as unknown as InsightScope;
    expect(insight({ key: 'a.example', first: END - DAY - 14 * HOUR, count: 9, title: 'x' }).id).toBe(id);
    const ids = [
      toInsight(candidate({}), other).id,
      insight({ kind: 'growth' }).id,
      insight({ key: 'b.example' }).id,
      insight({ first: END - DAY - 15 * HOUR }).id,
    ];
    expect(new Set([id, ...ids]).size).toBe(5);
    expect(insight({ subject: 'b.example' }).id).toBe(insight({ key: 'b.example' }).id);
  });

  it('has texts that receivers of alerts accept', () => {
    const { title, detail, subject } = insight({
      ...{ title: 'x'.repeat(121), detail: 'x'.repeat(1001), subject: 'x'.repeat(501) },
    });
    expect([title.length, detail.length, subject.length]).toEqual([120, 1000, 500]);
    expect(insight({ title: 'x'.repeat(120) }).title).toBe('x'.repeat(120));
  });

  it('leads to its reports, with a day before and after or half its length', () => {
    const csp = (first: number, last: number, filters: Record<string, string> = {}) =>
      insight({ first, last, reports: { type: 'csp', filters } });
    const at = (text: string) => Date.parse(text) / 1000;
    expect(csp(at('2026-05-10T10:20:00Z'), at('2026-05-10T11:20:00Z')).link).toBe(
      '/app#/csp?from=2026-05-09T10%3A00&to=2026-05-11T12%3A00',
    );
    expect(csp(at('2026-05-02T00:00:00Z'), at('2026-05-08T00:00:00Z')).link).toBe(
      '/app#/csp?from=2026-04-29&to=2026-05-11',
    );
    // A period that would end in the future ends now.
    const { link, query } = csp(END - 2 * HOUR, END - HOUR, {
      hostnames: 'a,b\\c',
      browser: 'x,y',
      paths: '',
    });
    expect(link).toBe('/app#/csp?from=2026-05-19T12%3A00&hostnames=a%2Cb%5Cc&browser=x%2Cy');
    expect(query).toBe(
      '/export/reports/csp?from=2026-05-20T12%3A30%3A00.000Z&to=2026-05-20T13%3A30%3A01.000Z&hostnames=a%5C%2Cb%5C%5Cc&browser=x%2Cy',
    );
    expect(insight({ place: 'quota', reports: { type: 'csp', filters: {} } }).link).toMatch(
      /^\/app#\/quota\?from=/,
    );
  });

  it('leads to more reports if a filter is too long, and has no query', () => {
    const filters = { hostnames: 'a.example', blockedPaths: 'x'.repeat(500), paths: 'y'.repeat(499) };
    expect(insight({ reports: { type: 'csp', filters } }).link).toBe(
      '/app#/csp?from=2026-05-18T14%3A00&hostnames=a.example',
    );
    expect(insight({ reports: { type: 'csp', filters } }).query).toContain('x'.repeat(500));
    const longer = { paths: 'y'.repeat(2000) };
    expect(insight({ reports: { type: 'csp', filters: longer } }).query).toBeNull();
  });
});

describe('the address of an insight', () => {
  const withFilters = (filters: Record<string, string>) => insight({ reports: { type: 'csp', filters } });

  it('has an end only if that is in the past', () => {
    const at = (now: string) =>
      toInsight(
        candidate({ first: END - 25 * HOUR, last: END - 25 * HOUR, reports: { type: 'csp', filters: {} } }),
        {
          ...SCOPE,
          now: new Date(now),
        },
      ).link;
    expect(at('2026-05-20T14:00:00Z')).toBe('/app#/csp?from=2026-05-18T13%3A00');
    expect(at('2026-05-20T14:00:01Z')).toBe('/app#/csp?from=2026-05-18T13%3A00&to=2026-05-20T14%3A00');
  });

  it.each([
    ['link', 500],
    ['query', 2000],
  ] as const)('of the %s has up to %d characters', (name, most) => {
    const address = (length: number) => withFilters({ paths: 'y'.repeat(length) })[name] ?? '';
    const longest = most - address(1).length + 1;
    expect(address(longest)).toHaveLength(most);
    expect(address(longest + 1)).not.toContain('yy');
  });

  it('has the commas of hosts and paths escaped', () => {
    expect(withFilters({ blockedHostnames: 'a,b', blockedPaths: '/a,b', browser: 'a,b' }).query).toContain(
      '&blockedHostnames=a%5C%2Cb&blockedPaths=%2Fa%5C%2Cb&browser=a%2Cb',
    );
  });
});

describe('a reported text', () => {
  it.each([
    ['short.example', 'short.example'],
    [' a\u202eb\nc\u0000 ', 'a b c'],
    ['x'.repeat(50), 'x'.repeat(50)],
    [`${'a'.repeat(30)}${'b'.repeat(30)}`, `${'a'.repeat(12)}…${'a'.repeat(7)}${'b'.repeat(30)}`],
    [`${'a'.repeat(11)}😀${'b'.repeat(50)}`, `${'a'.repeat(11)}…${'b'.repeat(37)}`],
    [`${'a'.repeat(60)}😀${'b'.repeat(36)}`, `${'a'.repeat(12)}…${'b'.repeat(36)}`],
  ])('%j is shortened to %j', (text, short) => {
    expect(shortenText(text)).toBe(short);
  });
});

it('numbers are written for people', () => {
  expect([plural(1, 'report'), plural(0.6, 'report'), plural(1234.4, 'report'), plural(0, 'day')]).toEqual([
    '1 report',
    '1 report',
    '1,234 reports',
    '0 days',
  ]);
  expect([share(1, 0), share(0, 9), share(5, 100), share(10, 100), share(3, 3), share(1, 3)]).toEqual([
    '0 %',
    '0.0 %',
    '5.0 %',
    '10 %',
    '100 %',
    '33 %',
  ]);
  expect(moment(Date.parse('2026-05-02T03:04:59Z') / 1000)).toBe('2 May 03:04 UTC');
});

it('an instant is in the second that it is a part of', () => {
  const instants = ['2026-05-18T09:00:00Z', '2026-05-18T09:00:00.999Z', '2026-05-18T11:00:00.001+02:00'];
  expect(instants.map(toSeconds)).toEqual(Array(3).fill(Date.UTC(2026, 4, 18, 9) / 1000));
});
