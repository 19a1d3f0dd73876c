import { REST_REPORT_TYPES } from '@sightline/reports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOW, open, personal, plan, report } from '../support/fixtures.ts';
import { ask } from '../support/graphql.ts';
import { connectOperator } from '../support/operator.ts';
import { RECORDS } from '../support/records.ts';
import { belongings } from '../support/routes.ts';
import { startService, type TestService } from '../support/service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startService({ now: NOW });
});
afterAll(() => service.close());

const NOTHING = Object.fromEntries(REST_REPORT_TYPES.map(type => [type, 0]));
const day = (date: string) => Date.parse(`${date}T00:00:00Z`);
const addDays = (date: string, days: number) =>
  new Date(day(date) + days * 86_400_000).toISOString().slice(0, 10);

describe('GET /v1/report-types', () => {
  it('returns the types of the specification in their order', async () => {
    const key = await open(service, personal('types'), plan('types'));
    const types = REST_REPORT_TYPES.map(type => ({ type, label: RECORDS[type].label }));
    expect((await service.get('/v1/report-types', key)).text).toBe(JSON.stringify({ types }));
  });
});

describe('GET /v1/graphs/{type}/{unit}/{amount}', () => {
  let key: string;
  beforeAll(async () => {
    key = await open(service, personal('graph'), plan('graph'));
  });
  const graph = async (path: string) => (await service.get(`/v1/graphs/${path}`, key)).body;
  const span = async (path: string) => {
    const { periods } = await graph(path);
    return [periods[0].date, periods.at(-1).date, periods.length];
  };

  it.each([1, 2, 3, 4])('covers %i weeks of seven days, and ends today', async weeks => {
    service.setNow('2026-03-01T00:00:00Z');
    expect(await span(`nel/weeks/${weeks}`)).toEqual([
      addDays('2026-03-01', 1 - 7 * weeks),
      '2026-03-01',
      7 * weeks,
    ]);
  });

  it.each([
    // today, months, first day: one day after the same day that many months earlier, or after that month's last day
    ['2026-05-20', 3, '2026-02-21'],
    ['2026-05-20', 6, '2025-11-21'],
    ['2026-05-20', 12, '2025-05-21'],
    ['2026-05-31', 3, '2026-03-01'],
    ['2026-05-30', 3, '2026-03-01'],
    ['2026-05-29', 3, '2026-03-01'],
    ['2026-05-28', 3, '2026-03-01'],
    ['2026-05-27', 3, '2026-02-28'],
    ['2024-05-31', 3, '2024-03-01'],
    ['2024-05-29', 3, '2024-03-01'],
    ['2024-05-28', 3, '2024-02-29'],
    ['2024-02-29', 12, '2023-03-01'],
    ['2024-02-29', 3, '2023-11-30'],
    ['2025-02-28', 12, '2024-02-29'],
    ['2026-01-31', 3, '2025-11-01'],
    ['2026-12-31', 6, '2026-07-01'],
    ['2026-08-31', 6, '2026-03-01'],
    ['2026-01-01', 3, '2025-10-02'],
    ['2026-03-31', 12, '2025-04-01'],
  ])('requested on %s for %i months begins on %s', async (today, months, first) => {
    service.setNow(`${today}T23:59:59.999Z`);
    const days = (day(today) - day(first)) / 86_400_000 + 1;
    expect(await span(`dmarc/months/${months}`)).toEqual([first, today, days]);
  });

  it('contains every day once in ascending order, and advances at midnight UTC', async () => {
    service.setNow('2024-03-01T23:59:59.999Z');
    const dates = (await graph('coop/weeks/1')).periods.map(({ date }: { date: string }) => date);
    const LEAP = ['2024-02-24', '2024-02-25', '2024-02-26', '2024-02-27', '2024-02-28', '2024-02-29'];
    expect(dates).toEqual([...LEAP, '2024-03-01']);
    service.setNow('2024-03-02T00:00:00Z');
    expect((await graph('coop/weeks/1')).periods.at(-1).date).toBe('2024-03-02');
  });

  it('sums the counts of each day and fills gaps with zeros', async () => {
    service.setNow(NOW);
    const nel = (name: string, date: string, count: number) => report('graph', 'nel', name, { date, count });
    await service.load(
      nel('too old', '2026-05-13T23:59:59.999Z', 1000),
      nel('first', '2026-05-14T00:00:00Z', 1),
      nel('second', '2026-05-14T23:59:59.999999Z', 2),
      nel('with an offset', '2026-05-19T23:30:00-02:00', 4),
      nel('today', '2026-05-20T23:59:59Z', 8),
      nel('tomorrow', '2026-05-21T00:00:00Z', 1000),
      report('graph', 'crash', 'another type', { count: 1000 }),
    );
    const { text } = await service.get('/v1/graphs/nel/weeks/1', key);
    const totals = [3, 0, 0, 0, 0, 0, 12];
    const periods = totals.map((total, index) => ({ date: addDays('2026-05-14', index), total }));
    expect(text).toBe(JSON.stringify({ type: 'nel', unit: 'weeks', amount: 1, periods }));
  });

  it('returns the directives of each day for csp, always including unknown', async () => {
    service.setNow(NOW);
    const csp = (name: string, directive: string | undefined, count: number, date = NOW) =>
      report('graph', 'csp', name, { directive, count, date });
    await service.load(
      csp('1', 'script-src', 5),
      csp('2', 'script-src', 2),
      csp('3', 'img-src', 1),
      csp('4', '', 3),
      csp('5', undefined, 4),
      csp('6', 'unknown', 6),
      csp('7', '__proto__', 7),
      csp('8', 'script-src', 9, '2026-05-19T12:00:00Z'),
    );
    const { text } = await service.get('/v1/graphs/csp/weeks/1', key);
    const body = JSON.parse(text);
    expect(Object.keys(body)).toEqual(['type', 'unit', 'amount', 'periods']);
    const [yesterday, today] = body.periods.slice(-2);
    expect(yesterday).toEqual({
      date: '2026-05-19',
      total: 9,
      directives: { 'script-src': 9, unknown: 0 },
    });
    expect(Object.keys(today)).toEqual(['date', 'total', 'directives']);
    expect(today.total).toBe(28);
    expect(Object.entries(today.directives).sort()).toEqual([
      ['__proto__', 7],
      ['img-src', 1],
      ['script-src', 7],
      ['unknown', 13],
    ]);
    expect(body.periods[0]).toEqual({ date: '2026-05-14', total: 0, directives: { unknown: 0 } });
  });

  it('adds up the unknown ones of a day also beside a name with quotation marks', async () => {
    service.setNow(NOW);
    const date = '2026-05-16T12:00:00Z';
    const counts = { '"a"': 2, '': 3, unknown: 4 };
    for (const [directive, count] of Object.entries(counts))
      await service.load(report('graph', 'csp', `quoted ${directive}`, { directive, count, date }));
    const { periods } = JSON.parse((await service.get('/v1/graphs/csp/weeks/1', key)).text);
    expect(periods[2]).toEqual({ date: '2026-05-16', total: 9, directives: { '"a"': 2, unknown: 7 } });
  });

  it('sorts the directives of csp by name, regardless of the order in the database', async () => {
    service.setNow(NOW);
    const key = await open(service, personal('ordered'), plan('ordered'));
    const names = ['style-src', 'base-uri', 'img-src', 'font-src'];
    for (const [position, directive] of names.entries())
      await service.load(report('ordered', 'csp', `ordered-${position}`, { directive, count: 1, date: NOW }));
    // PostgreSQL reads such a small table without its index, in the order of insertion.
    const operator = connectOperator(service.databaseUrl);
    await operator`analyze daily_count`;
    await operator.end();
    const { text } = await service.get('/v1/graphs/csp/weeks/1', key);
    expect(text).toContain(
      '{"date":"2026-05-20","total":4,"directives":{"base-uri":1,"font-src":1,"img-src":1,"style-src":1,"unknown":0}}',
    );
  });

  it('preserves directives of any name in the key order of JavaScript objects', async () => {
    service.setNow(NOW);
    const key = await open(service, personal('named'), plan('named'));
    const names = [
      '\u{1f600}',
      '\uff5e',
      'a"b',
      'a\\b',
      'a\u0001',
      'é',
      '10',
      '9',
      '01',
      '-1',
      '~',
      'unknown',
      'x',
    ];
    const reports = names.map((directive, index) =>
      report('named', 'csp', directive, { directive, count: index + 1, date: NOW }),
    );
    await service.load(...reports);
    const counts = new Map(names.map((name, index) => [name, index + 1]));
    const ordered = [...counts.keys()].filter(name => name !== 'unknown').sort();
    const directives = Object.fromEntries([...ordered, 'unknown'].map(name => [name, counts.get(name)]));
    const total = names.length * ((names.length + 1) / 2);
    const { text } = await service.get('/v1/graphs/csp/weeks/1', key);
    expect(text).toContain(JSON.stringify({ date: NOW.slice(0, 10), total, directives }));
    expect(text).toContain('"directives":{"9":8,"10":7,"-1":10,"01":9,');
  });

  it('sorts directives that are numbers like keys of JavaScript objects, even if all start with 9', async () => {
    service.setNow(NOW);
    const key = await open(service, personal('nines'), plan('nines'));
    await service.load(
      ...['900', '91', '90'].map((directive, index) =>
        report('nines', 'csp', directive, { directive, count: index + 1, date: NOW }),
      ),
    );
    const { text } = await service.get('/v1/graphs/csp/weeks/1', key);
    expect(text).toContain('"total":6,"directives":{"90":3,"91":2,"900":1,"unknown":0}');
  });

  it('returns the same bytes for csp in /v1 and in GraphQL, requested once or twice', {
    tags: 'slow',
  }, async () => {
    service.setNow(NOW);
    const key = await open(service, personal('year'), plan('year'));
    const names = Array.from({ length: 30 }, (_, index) => `directive-${index % 7 ? index : '"'}`);
    const reports = Array.from({ length: 3000 }, (_, index) =>
      report('year', 'csp', `${index}`, {
        directive: names[(index * 7) % 30],
        count: (index % 13) + 1,
        date: `${addDays('2025-05-21', (index * 11) % 300)}T12:00:00Z`,
      }),
    );
    await service.load(...reports);
    const { text } = await service.get('/v1/graphs/csp/months/12', key);
    const graph = `graph(type: csp, unit: months, amount: 12) { type unit amount periods {
      ... on CspGraphPeriod { date total directives } } }`;
    const once = await ask(service, key, `{ viewer { one: ${graph} } }`);
    const twice = await ask(service, key, `{ viewer { one: ${graph} other: ${graph} } }`);
    expect(once.text).toBe(`{"data":{"viewer":{"one":${text}}}}`);
    expect(twice.text).toBe(`{"data":{"viewer":{"one":${text},"other":${text}}}}`);
    const part =
      'periods { ... on TotalGraphPeriod { date } ... on CspGraphPeriod { __typename sum: total } }';
    const shown = await ask(
      service,
      key,
      `{ viewer { graph(type: csp, unit: weeks, amount: 1) { ${part} } } }`,
    );
    expect(shown.body.data.viewer.graph.periods[0]).toEqual({ __typename: 'CspGraphPeriod', sum: 0 });
    const none = 'periods { ... on TotalGraphPeriod { date } }';
    const empty = await ask(
      service,
      key,
      `{ viewer { graph(type: csp, unit: weeks, amount: 1) { ${none} } } }`,
    );
    expect(empty.body.data.viewer.graph.periods).toEqual(Array(7).fill({}));
  });

  it('is returned when another field of the response fails', async () => {
    service.setNow(NOW);
    const key = await open(service, personal('broken'), plan('broken'));
    await service.load(
      ...belongings('broken'),
      report('broken', 'csp', 'one', { directive: 'img-src', count: 1, date: NOW }),
    );
    const operator = connectOperator(service.databaseUrl);
    await operator`update setup set report_uri = '{}' where account_id = 'broken'`;
    await operator.end();
    const graph = 'graph(type: csp, unit: weeks, amount: 1) { periods { ... on CspGraphPeriod { total } } }';
    const { body } = await ask(service, key, `{ viewer { ${graph} setup { reportUri { enforce } } } }`);
    expect(body.data.viewer.setup).toBeNull();
    expect(body.data.viewer.graph.periods.at(-1)).toEqual({ total: 2 });
  });

  it.each(REST_REPORT_TYPES.filter(type => type !== 'csp'))('returns no directives for %s', async type => {
    service.setNow(NOW);
    for (const period of (await graph(`${type}/weeks/1`)).periods) {
      expect(Object.keys(period)).toEqual(['date', 'total']);
    }
  });

  it.each([
    ...[
      'weeks/0',
      'weeks/5',
      'weeks/6',
      'weeks/12',
      'weeks/-1',
      'weeks/01',
      'weeks/1.0',
      'weeks/%201',
      'weeks/x',
    ],
    ...[
      'months/1',
      'months/2',
      'months/4',
      'months/24',
      'months/0',
      'months/3x',
      'months/１２',
      'months/99999999999',
    ],
    ...[
      'days/1',
      'week/1',
      'Weeks/1',
      'years/1',
      '%00/1',
      'weeks/%00',
      '%zz/1',
      'weeks/%zz',
      'constructor/1',
    ],
  ])('returns 400 for the period %s', async path => {
    for (const type of ['csp', 'nel']) {
      const { status, text } = await service.get(`/v1/graphs/${type}/${path}`, key);
      expect([status, text]).toEqual([400, '{"error":"Invalid graph period"}']);
    }
  });
});

describe('GET /v1/last-seven-days', () => {
  it('lists seven ascending days up to today, each with every report type', async () => {
    const key = await open(service, personal('week'), plan('week'));
    service.setNow('2024-03-01T00:00:00Z');
    await service.load(
      report('week', 'csp', 'too old', { date: '2024-02-23T23:59:59.999Z', count: 1000 }),
      report('week', 'csp', 'first', { date: '2024-02-24T00:00:00Z', count: 1 }),
      report('week', 'csp', 'leap day', { date: '2024-02-29T23:59:59.999Z', count: 2, directive: 'a' }),
      report('week', 'csp', 'leap day too', { date: '2024-02-29T00:00:00Z', count: 3, directive: 'b' }),
      report('week', 'tls_rpt', 'leap day', { date: '2024-02-29T12:00:00Z', count: 4 }),
      report('week', 'nel', 'today', { date: '2024-03-01T00:00:00Z', count: 5 }),
      report('week', 'nel', 'tomorrow', { date: '2024-03-02T00:00:00Z', count: 1000 }),
    );
    const counts: Record<string, object> = {
      '2024-02-24': { csp: 1 },
      '2024-02-29': { csp: 5, tls_rpt: 4 },
      '2024-03-01': { nel: 5 },
    };
    const days = Array.from({ length: 7 }, (_, index) => addDays('2024-02-24', index)).map(date => ({
      date,
      ...NOTHING,
      ...counts[date],
    }));
    expect((await service.get('/v1/last-seven-days', key)).text).toBe(JSON.stringify({ days }));
  });
});

describe('GET /v1/breakdown, /v1/usage-metrics and /v1/quota', () => {
  let key: string;
  beforeAll(async () => {
    key = await open(service, personal('month'), plan('month', { reportQuota: 1234 }));
  });
  const get = async (path: string) => (await service.get(`/v1${path}`, key)).text;
  const metrics = (of: Record<string, object>) =>
    JSON.stringify({
      metrics: REST_REPORT_TYPES.map(type => ({
        type,
        accepted: 0,
        filtered: 0,
        sampled: 0,
        rejected: 0,
        ...of[type],
      })),
    });

  it('return zero for every type when there are no reports', async () => {
    service.setNow(NOW);
    expect(await get('/breakdown')).toBe(JSON.stringify({ breakdown: NOTHING }));
    expect(await get('/usage-metrics')).toBe(metrics({}));
    expect(await get('/quota')).toBe('{"used":0,"limit":1234}');
  });

  it('count the current UTC month from its first instant to its last', async () => {
    const at = (type: string, name: string, date: string, count: number) =>
      report('month', type, name, { date, count });
    const usage = (type: string, date: string, filtered: number, sampled: number, rejected: number) => ({
      ...{ kind: 'usage', accountId: 'month', type, date, filtered, sampled, rejected },
    });
    await service.load(
      at('csp', 'January', '2024-01-31T23:59:59.999999Z', 1),
      at('csp', 'first', '2024-02-01T00:00:00Z', 10),
      at('csp', 'leap day', '2024-02-29T23:59:59.999999Z', 20),
      at('dmarc', 'leap day', '2024-02-29T12:00:00Z', 5),
      at('csp', 'March', '2024-03-01T00:00:00Z', 100),
      usage('csp', '2024-01-31', 1, 1, 1),
      usage('csp', '2024-02-01', 10, 20, 30),
      usage('csp', '2024-02-29', 1, 2, 3),
      usage('crash', '2024-02-29', 0, 0, 7),
      usage('csp', '2024-03-01', 100, 100, 100),
    );
    const february = { ...NOTHING, csp: 30, dmarc: 5 };
    for (const now of ['2024-02-01T00:00:00Z', '2024-02-15T12:00:00Z', '2024-02-29T23:59:59.999Z']) {
      service.setNow(now);
      expect(await get('/breakdown')).toBe(JSON.stringify({ breakdown: february }));
      expect(await get('/quota')).toBe('{"used":35,"limit":1234}');
      expect(await get('/usage-metrics')).toBe(
        metrics({
          csp: { accepted: 30, filtered: 11, sampled: 22, rejected: 33 },
          dmarc: { accepted: 5 },
          crash: { rejected: 7 },
        }),
      );
    }
    service.setNow('2024-01-31T23:59:59.999Z');
    expect(await get('/quota')).toBe('{"used":1,"limit":1234}');
    service.setNow('2024-03-01T00:00:00Z');
    expect(await get('/quota')).toBe('{"used":100,"limit":1234}');
  });

  it('still count reports that are past the retention', async () => {
    const old = await open(service, personal('old'), plan('old', { dataRetentionDays: 1 }));
    await service.load(report('old', 'nel', 'old', { date: '2026-05-02T00:00:00Z', count: 9 }));
    service.setNow(NOW);
    const reports = await service.get('/v1/reports/nel?unit=months&date=2026-05', old);
    expect(reports.body.reports).toEqual([]);
    expect((await service.get('/v1/quota', old)).body.used).toBe(9);
    expect((await service.get('/v1/graphs/nel/months/3', old)).body.periods.at(-19)).toEqual({
      date: '2026-05-02',
      total: 9,
    });
  });

  it('agree with each other and with the graphs after reports are replaced and deleted', async () => {
    service.setNow(NOW);
    const own = await open(service, personal('agree'), plan('agree'));
    const numbers = async () => {
      const read = async (path: string) => (await service.get(`/v1${path}`, own)).body;
      const [{ breakdown }, { metrics }, { used }, { days }, { periods }] = await Promise.all([
        read('/breakdown'),
        read('/usage-metrics'),
        read('/quota'),
        read('/last-seven-days'),
        read('/graphs/csp/weeks/1'),
      ]);
      return [breakdown.csp, metrics[0].accepted, used, days.at(-1).csp, periods.at(-1).total];
    };
    await service.load(
      report('agree', 'csp', 'a', { count: 3, directive: 'x' }),
      report('agree', 'csp', 'b', { count: 4, directive: 'x' }),
    );
    expect(await numbers()).toEqual([7, 7, 7, 7, 7]);
    await service.load(report('agree', 'csp', 'a', { count: 1, directive: 'y' }));
    expect(await numbers()).toEqual([5, 5, 5, 5, 5]);
    await service.load({ kind: 'report', accountId: 'agree', type: 'csp', id: 'b', deleted: true });
    expect(await numbers()).toEqual([1, 1, 1, 1, 1]);
  });

  it('support counts up to 2^53 - 1', async () => {
    service.setNow(NOW);
    const big = await open(service, personal('big'), plan('big'));
    await service.load(report('big', 'coop', 'big'));
    const sql = connectOperator(service.databaseUrl);
    await sql`update report set count = ${Number.MAX_SAFE_INTEGER}::bigint where account_id = 'big'`;
    await sql`update daily_count set total = ${Number.MAX_SAFE_INTEGER}::bigint where account_id = 'big'`;
    await sql`update account set version = version + 1 where id = 'big'`;
    await sql.end();
    expect((await service.get('/v1/quota', big)).body.used).toBe(Number.MAX_SAFE_INTEGER);
    expect((await service.get('/v1/reports/coop?unit=days&date=2026-05-20', big)).body.reports[0].count).toBe(
      Number.MAX_SAFE_INTEGER,
    );
  });
});
