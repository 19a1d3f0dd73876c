import { REST_REPORT_TYPES, type ReportType } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccountId } from '../../sql/account-id.ts';
import { reports as listReports } from '../../sql/reports.ts';
import { exchange } from '../support/exchange.ts';
import { NOW, names, open, personal, plan, report, THREAT_INTELLIGENCE } from '../support/fixtures.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { RECORDS } from '../support/records.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

let service: TestService;
let plain: string;

beforeAll(async () => {
  service = await startService({ now: NOW });
  plain = await open(service, personal('plain'), plan('plain'));
});
afterAll(() => service.close());

const MONTH = 'unit=months&date=2026-05';
const readBody = (...reports: unknown[]) => JSON.stringify({ reports, truncated: false });

describe.each(REST_REPORT_TYPES)('a report of the type %s', type => {
  const { given, whole, unknown, required } = RECORDS[type];
  const load = async (name: string, fields: object): Promise<string> => {
    const account = `${name}_${type}`;
    const key = await open(service, personal(account), plan(account, {}, THREAT_INTELLIGENCE));
    await service.load({ kind: 'report', accountId: account, type, id: 'r-1', date: NOW, ...fields } as Line);
    return key;
  };
  const answer = async (key: string) => (await service.get(`/v1/reports/${type}?${MONTH}`, key)).text;

  it('has exactly the documented keys in the documented order', async () => {
    expect(await answer(await load('whole', given))).toBe(readBody(whole));
  });

  it('has the documented values for missing fields', async () => {
    expect(await answer(await load('bare', { ...required }))).toBe(readBody(unknown));
  });
});

const THREATENED: ReportType[] = ['csp', 'csp_integrity', 'integrity_policy'];

describe.each(THREATENED)('threat intelligence in reports of the type %s', type => {
  it('is masked without the feature, or without an active plan', async () => {
    const { given, whole, unknown } = RECORDS[type];
    const masked: Record<string, unknown> = { ...whole };
    for (const [name, value] of Object.entries(unknown)) {
      if (/domain$|compromise$|suspicious|hosts$/i.test(name)) masked[name] = value;
    }
    expect(Object.values(masked).filter(value => value === 1)).toEqual([]);
    const line = (accountId: string): Line => ({ kind: 'report', accountId, type, date: NOW, ...given });

    await service.load(line('plain'));
    expect((await service.get(`/v1/reports/${type}?${MONTH}`, plain)).text).toBe(readBody(masked));

    const canceled = `canceled_${type}`;
    const key = await open(
      service,
      personal(canceled, { createdAt: '2026-05-10T00:00:00Z' }),
      plan(canceled, { status: 'canceled' }, THREAT_INTELLIGENCE),
    );
    await service.load(line(canceled));
    expect((await service.get(`/v1/reports/${type}?${MONTH}`, key)).text).toBe(readBody(masked));
  });
});

describe('a period', () => {
  const get = (query: string) => service.get(`/v1/reports/crash?${query}`, plain);

  beforeAll(async () => {
    const crash = (name: string, date: string) => report('plain', 'crash', name, { date });
    await service.load(
      crash('before May', '2026-04-30T23:59:59.999Z'),
      crash('first of May', '2026-05-01T00:00:00Z'),
      crash('before the day', '2026-05-18T23:59:59.999999Z'),
      crash('begin of the day', '2026-05-19T00:00:00Z'),
      crash('before the hour', '2026-05-19T12:59:59.999999Z'),
      crash('begin of the hour', '2026-05-19T13:00:00Z'),
      crash('end of the hour', '2026-05-19T13:59:59.999999Z'),
      crash('after the hour', '2026-05-19T14:00:00Z'),
      crash('with an offset', '2026-05-20T01:30:00+02:00'),
      crash('end of the day', '2026-05-19T23:59:59.999999Z'),
      crash('after the day', '2026-05-20T00:00:00Z'),
      crash('later today', '2026-05-20T23:00:00Z'),
      crash('tomorrow', '2026-05-21T00:00:00Z'),
      crash('next month', '2026-06-01T00:00:00Z'),
    );
  });

  it('is an hour, a day or a month in UTC, sorted newest first', async () => {
    expect(names(await get('unit=hours&date=2026-05-19T13'))).toEqual([
      'end of the hour',
      'begin of the hour',
    ]);
    expect(names(await get('unit=days&date=2026-05-19'))).toEqual([
      'end of the day',
      'with an offset',
      'after the hour',
      'end of the hour',
      'begin of the hour',
      'before the hour',
      'begin of the day',
    ]);
    const may = names(await get('unit=months&date=2026-05'));
    expect([may.length, may[0], may.at(-1)]).toEqual([12, 'tomorrow', 'first of May']);
    expect(names(await get('unit=months&date=2026-04'))).toEqual(['before May']);
  });

  it('is empty while it is in the future', async () => {
    for (const query of [
      'unit=hours&date=2026-05-20T15',
      'unit=days&date=2026-05-21',
      'unit=months&date=2026-06',
      'unit=months&date=9999-12',
      'unit=days&date=9999-12-31',
      'unit=hours&date=9999-12-31T23',
    ]) {
      const { status, text } = await get(query);
      expect([status, text]).toEqual([200, readBody()]);
    }
    expect(names(await get('unit=days&date=2026-05-20'))).toEqual(['later today', 'after the day']);
  });

  it('includes reports from its first instant', async () => {
    service.setNow('2026-05-20T23:59:59.999Z');
    expect(names(await get('unit=days&date=2026-05-21'))).toEqual([]);
    service.setNow('2026-05-21T00:00:00Z');
    expect(names(await get('unit=days&date=2026-05-21'))).toEqual(['tomorrow']);
    service.setNow(NOW);
  });

  it.each([
    [
      'hours',
      ['2026-05-19', '2026-05', '2026-05-19T24', '2026-05-19T1', '2026-05-19T13:00', '2026-05-19t13'],
    ],
    ['hours', ['2026-02-29T00', '2026-05-19 13', '2026-05-19T13Z', '2026-05-19T-1']],
    [
      'days',
      ['2026-05', '2026-05-19T13', '2026-02-30', '2026-02-29', '2026-04-31', '2026-00-01', '2026-05-00'],
    ],
    [
      'days',
      [
        '2026-13-01',
        '2026-5-19',
        '20260519',
        'today',
        '26-05-19',
        '-2026-05-19',
        '+2026-05-19',
        '１２３４-05-19',
      ],
    ],
    [
      'months',
      ['2026', '2026-05-19', '2026-13', '2026-00', '2026-5', '2026-05-', '2026-W19', '%002026-05', '%zz'],
    ],
  ])('in %s is rejected for the dates %j', async (unit, dates) => {
    for (const date of dates) {
      const { status, text } = await get(
        `unit=${unit}&date=${date.includes('%') ? date : encodeURIComponent(date)}`,
      );
      expect([status, text], date).toEqual([400, '{"error":"Invalid value for parameter: date"}']);
    }
  });

  it('on a leap day is valid only in leap years', async () => {
    for (const [date, status] of [
      ['2024-02-29', 200],
      ['2025-02-29', 400],
      ['1900-02-29', 400],
      ['2000-02-29', 200],
    ] as const) {
      expect((await get(`unit=days&date=${date}`)).status, date).toBe(status);
    }
  });

  it('can start before all stored reports', async () => {
    for (const query of [
      'unit=days&date=0000-01-01',
      'unit=months&date=0099-12',
      'unit=hours&date=0001-01-01T00',
    ]) {
      expect((await get(query)).text).toBe(readBody());
    }
  });

  it.each(['years', 'hour', 'Days', 'DAYS', ' days', 'weeks', 'constructor', '%00', '%zz'])(
    'is rejected for the unit %s',
    async unit => {
      const { status, text } = await get(`unit=${unit}&date=2026-05-19`);
      expect([status, text]).toEqual([400, '{"error":"Invalid value for parameter: unit"}']);
    },
  );

  it('is required and can be given only once', async () => {
    const cases = [
      ['', 'Missing required parameter: unit'],
      ['date=2026-05-19', 'Missing required parameter: unit'],
      ['unit=&date=2026-05-19', 'Missing required parameter: unit'],
      ['unit&date=2026-05-19', 'Missing required parameter: unit'],
      ['unit=days', 'Missing required parameter: date'],
      ['unit=days&date=', 'Missing required parameter: date'],
      ['unit=days&date=&date=', 'Missing required parameter: date'],
      ['unit=days&unit=days&date=2026-05-19', 'Invalid value for parameter: unit'],
      ['unit=days&date=2026-05-19&date=2026-05-19', 'Invalid value for parameter: date'],
      ['unit=days&date=2026-05-19&date=', 'Invalid value for parameter: date'],
    ];
    for (const [query, error] of cases) {
      const { status, text } = await get(query!);
      expect([status, text], query).toEqual([400, JSON.stringify({ error })]);
    }
  });
});

describe('the order of reports', () => {
  it('is descending by date, and by id for the same date', async () => {
    const at = (name: string, date: string) => report('plain', 'coop', name, { date });
    await service.load(
      at('b', '2026-05-04T00:00:00Z'),
      at('a', '2026-05-04T00:00:00Z'),
      at('B', '2026-05-04T00:00:00Z'),
      at('é', '2026-05-04T00:00:00Z'),
      at('b1', '2026-05-04T00:00:00Z'),
      at('z earlier', '2026-05-03T23:59:59.999999Z'),
      at('a later', '2026-05-04T00:00:00.000001Z'),
    );
    const found = names(await service.get('/v1/reports/coop?unit=months&date=2026-05', plain));
    expect(found).toEqual(['a later', 'é', 'b1', 'b', 'a', 'B', 'z earlier']);
  });
});

describe('the maximum number of reports', () => {
  it('is 1000, and truncated is true only if there are more', async () => {
    const lines = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => {
        const number = String(from + index).padStart(4, '0');
        return report('plain', 'nel', number, { statusCode: 0 });
      });
    const get = async () => (await service.get(`/v1/reports/nel?unit=days&date=2026-05-20`, plain)).body;
    await service.load(...lines(0, 999));
    expect(await get()).toMatchObject({ reports: { length: 999 }, truncated: false });
    await service.load(...lines(999, 1000));
    expect(await get()).toMatchObject({ reports: { length: 1000 }, truncated: false });
    await service.load(...lines(1000, 1001));
    const { reports, truncated } = await get();
    expect([reports.length, truncated]).toEqual([1000, true]);
    expect([reports[0].raw, reports.at(-1).raw]).toEqual(['1000', '0001']);
    const filtered = await service.get('/v1/reports/nel?unit=days&date=2026-05-20&id=0500', plain);
    expect(filtered.body).toMatchObject({ reports: { length: 1 }, truncated: false });
  });

  it('is configurable', async () => {
    await using small = await startService({
      now: NOW,
      reportsResultCap: 2,
      databaseUrl: service.databaseUrl,
    });
    const { reports, truncated } = (await small.get('/v1/reports/nel?unit=days&date=2026-05-20', plain)).body;
    expect([reports.length, truncated]).toEqual([2, true]);
  });
});

it('a list has as many reports as requested, and ends before a response exceeds its maximum length', async () => {
  const key = await open(service, personal('cut'), plan('cut'));
  await service.load(...[1, 2, 3].map(n => report('cut', 'nel', `r${n}`, { raw: 'x'.repeat(200 * n) })));
  const all = (await service.get(`/v1/reports/nel?${MONTH}`, key)).body.reports;
  const list = async (limit: number, longest?: number) => {
    const period = { from: '2026-05-01T00:00:00Z', until: '2026-06-01T00:00:00Z' };
    const query = {
      account: 'cut' as AccountId,
      type: 'nel',
      ...period,
      filters: {},
      limit,
      longest,
    } as const;
    const rows = await listReports(service.database, { ...query, threatIntelligence: false });
    return [
      rows
        .objects()
        .map(({ id }) => id)
        .join(' '),
      rows.isTruncated,
    ];
  };
  expect([await list(1), await list(2), await list(3), await list(1)]).toEqual([
    ['r3', true],
    ['r3 r2', true],
    ['r3 r2 r1', false],
    ['r3', true],
  ]);
  const length = (count: number) => Buffer.byteLength(readBody(...all.slice(0, count)));
  expect(await list(3, length(3))).toEqual(['r3 r2 r1', false]);
  expect(await list(3, length(3) - 1)).toEqual(['r3 r2', true]);
  expect(await list(3, length(2))).toEqual(['r3 r2', true]);
  expect(await list(3, length(2) - 1)).toEqual(['r3', true]);
});

describe('a long response', () => {
  const MIB = 1024 * 1024;
  let short: TestService;
  beforeAll(async () => {
    short = await startService({ now: NOW, longestAnswer: 2 * MIB, databaseUrl: service.databaseUrl });
  });
  afterAll(() => short.close());

  /** Stores raw reports that are longer than the feed accepts today. */
  async function store(account: string, type: string, count: number, length: number): Promise<string> {
    const key = await open(service, personal(account), plan(account));
    // This also creates the partition.
    await service.load(report(account, type, 'r0'));
    await operate(
      sql => sql`insert into report (account_id, type, date, id, count, raw, extra)
        select account_id, type, date - n * interval '1 second', 'r' || n, count, raw, extra
        from report, generate_series(1, ${count - 1}) n where account_id = ${account}`,
    );
    await operate(sql => lengthen(sql, account, length));
    return key;
  }

  const lengthen = (sql: Operator, account: string, length: number) =>
    sql`update report set raw = repeat('x', ${length}) where account_id = ${account}`;

  async function operate(statement: (sql: Operator) => PromiseLike<unknown>): Promise<void> {
    const operator = connectOperator(service.databaseUrl);
    await statement(operator);
    await operator.end();
  }

  /** Not validated against the OpenAPI description, because that would be slow for so much data. */
  async function find(from: TestService, type: string, key: string, period = MONTH) {
    const headers = { authorization: `Bearer ${key}` };
    const { text } = await exchange(`${from.url}/v1/reports/${type}?${period}`, { headers });
    const { reports, truncated } = JSON.parse(text);
    return { text, reports, count: reports.length, truncated };
  }

  // The first is written from rows, the second from objects. `abuse/large-answers` tests the real limit.
  it.each(['csp', 'dmarc'])(
    'ends before the %s report that would exceed the maximum length',
    { tags: 'slow' },
    async type => {
      const account = `long_${type}`;
      const key = await store(account, type, 8, 0);
      // Uses a different URL, so that the tested response is not cached.
      const { reports } = await find(short, type, key, 'unit=days&date=2026-05-20');
      // Each report exceeds the size of one write, and one field takes up most of the limit. The second response is read
      // only up to that point.
      const each = 256 * 1024;
      await operate(sql => lengthen(sql, account, each));
      const left = 2 * MIB - Buffer.byteLength(readBody(...reports.slice(0, 6))) - 5 * each;
      for (const [length, expected] of [
        [left, 6],
        [left + 1, 5],
      ] as const) {
        await operate(
          sql =>
            sql`update report set raw = repeat('x', ${length}) where account_id = ${account} and id = 'r5'`,
        );
        const found = await find(short, type, key);
        expect([found.count, found.truncated]).toEqual([expected, true]);
      }
    },
  );

  it('contains at least one report, and is not marked as truncated when there is no other', async () => {
    const { text, count, truncated } = await find(short, 'csp', await store('longest', 'csp', 1, 2 * MIB));
    expect(Buffer.byteLength(text)).toBeGreaterThan(2 * MIB);
    expect([count, truncated]).toEqual([1, false]);
  });
});
