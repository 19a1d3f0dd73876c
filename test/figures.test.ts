import { REST_REPORT_TYPES } from '@sightline/reports';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Announcer } from '../sql/changes/announcer.ts';
import { maintain } from '../sql/maintenance/maintain.ts';
import { prune } from '../sql/maintenance/prune.ts';
import { NOW, names, personal, plan, report } from './support/fixtures.ts';
import { data } from './support/graphql.ts';
import { connectOperator } from './support/operator.ts';
import { type Line, startService, type TestService } from './support/service.ts';

/**
 * Checks the figures of `/v1`, `/graphql` (which the page uses) and exports after random histories of loads, deletions,
 * prunes and maintenance. A simple model keeps a list of reports and computes each figure by its definition.
 */
const HISTORIES = Number(process.env.HISTORIES ?? 5);

const TYPES = ['csp', 'nel', 'coep'] as const;
type Type = (typeof TYPES)[number];
const RETENTION = 30;
const QUOTA = 500_000;
const DAY = 24 * 60 * 60 * 1000;
/** A date before all reports. */
const FROM = '2026-03-01';
/** The clock stays within May, so that "maintain" drops no month. */
const MOST_DAYS = 10;

let service: TestService;
let operator: ReturnType<typeof connectOperator>;
let second: ReturnType<typeof connectOperator>;
beforeAll(async () => {
  service = await startService({ now: NOW });
  [operator, second] = [connectOperator(service.databaseUrl), connectOperator(service.databaseUrl)];
});
afterAll(async () => {
  await Promise.all([operator?.end(), second?.end()]);
  await service?.close();
});

interface Report {
  type: Type;
  id: string;
  date: string;
  count: number;
  host: string;
  browser: string;
}

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);
const toDay = (instant: string) => instant.slice(0, 10);
const addDays = (instant: string, days: number) => new Date(Date.parse(instant) + days * DAY).toISOString();

function sums<Item>(items: Iterable<Item>, key: (item: Item) => string, count: (item: Item) => number) {
  const found: Record<string, number> = {};
  for (const item of items) found[key(item)] = (found[key(item)] ?? 0) + count(item);
  return found;
}

/** An account's expected figures, each computed by its definition. */
class Model {
  readonly account: string;
  now = NOW;
  /** The stored reports. */
  reports: Report[] = [];
  /** All reports that were loaded and not deleted, counted. Pruning does not change this. */
  #counted: { type: Type; day: string; count: number }[] = [];
  /** The start of the retained reports by type, set by the last prune that removed any. */
  #bounds = new Map<Type, string>();

  constructor(account: string) {
    this.account = account;
  }

  get oldest(): string {
    return `${toDay(addDays(this.now, -RETENTION))}T00:00:00.000Z`;
  }

  load(loaded: readonly Report[]): void {
    for (const one of loaded) {
      const isStored = this.reports.some(({ type, id }) => type === one.type && id === one.id);
      if (!isStored && one.date < (this.#bounds.get(one.type) ?? '')) continue;
      this.delete(one.type, one.id);
      this.reports.push(one);
      this.#counted.push({ type: one.type, day: toDay(one.date), count: one.count });
    }
  }

  delete(type: Type, id: string): void {
    const found = this.reports.find(one => one.type === type && one.id === id);
    if (!found) return;
    this.reports = this.reports.filter(one => one !== found);
    this.#counted.push({ type, day: toDay(found.date), count: -found.count });
  }

  prune(): void {
    for (const { type, date } of this.reports) if (date < this.oldest) this.#bounds.set(type, this.oldest);
    this.reports = this.reports.filter(({ date }) => date >= this.oldest);
  }

  /** Newest first. */
  shown(type: Type, from = FROM, until = '9999'): Report[] {
    return this.reports
      .filter(one => one.type === type && one.date >= this.oldest && one.date >= from && one.date < until)
      .sort((one, other) => (one.date < other.date ? 1 : -1));
  }

  total(type: Type, days: (day: string) => boolean): number {
    return sum(this.#counted.filter(one => one.type === type && days(one.day)).map(({ count }) => count));
  }
}

const reportArbitrary = fc.record({
  type: fc.constantFrom(...TYPES),
  number: fc.nat(14),
  age: fc.integer({ min: 0, max: RETENTION + 4 }),
  /** Often near the start or end of a day. */
  moment: fc.constantFrom(0, 100, 43_200_000, DAY - 100),
  count: fc.integer({ min: 1, max: 9 }),
  host: fc.constantFrom('a.example', 'b.example', 'cdn.example'),
  browser: fc.constantFrom('Firefox', 'Chrome'),
});
const stepArbitrary = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      what: fc.constant('load' as const),
      loaded: fc.uniqueArray(reportArbitrary, {
        selector: ({ type, number }) => `${type} ${number}`,
        minLength: 1,
        maxLength: 12,
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      what: fc.constant('delete' as const),
      type: fc.constantFrom(...TYPES),
      number: fc.nat(14),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ what: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('prune' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('maintain' as const) }) },
);

let compared = 0;

function expectFigure(what: string, found: unknown, expected: unknown): void {
  compared++;
  expect([what, found]).toEqual([what, expected]);
}

async function compareAll(model: Model, key: string): Promise<void> {
  const { now } = model;
  const get = async (path: string) => (await service.get(path, key)).body;
  const month = toDay(now).slice(0, 7);
  const inMonth = (type: Type) => model.total(type, day => day.startsWith(month));
  const ofTypes = (figure: (type: Type) => number) => ({
    ...Object.fromEntries(REST_REPORT_TYPES.map(type => [type, 0])),
    ...Object.fromEntries(TYPES.map(type => [type, figure(type)])),
  });

  expectFigure('breakdown', (await get('/v1/breakdown')).breakdown, ofTypes(inMonth));
  const used = sum(TYPES.map(inMonth));
  expectFigure('quota', await get('/v1/quota'), { used, limit: QUOTA });
  const accepted = (await get('/v1/usage-metrics')).metrics.map((one: { accepted: number }) => one.accepted);
  expectFigure('usage', sum(accepted), used);
  const days = Array.from({ length: 7 }, (_, index) => toDay(addDays(now, index - 6)));
  const week = (await get('/v1/last-seven-days')).days as Record<string, unknown>[];
  for (const [index, day] of days.entries())
    expectFigure(
      `${day} of seven`,
      week[index],
      expect.objectContaining(ofTypes(t => model.total(t, d => d === day))),
    );
  for (const type of TYPES) await compareType(model, key, type);
}

async function compareType(model: Model, key: string, type: Type): Promise<void> {
  const { now } = model;
  const get = (path: string) => service.get(path, key);
  const raws = (reports: readonly Report[]) => reports.map(({ id }) => id);

  for (const months of [0, 1]) {
    const first = `${toDay(now).slice(0, 7)}-01`;
    const from = months === 0 ? first : `${toDay(addDays(first, -1)).slice(0, 7)}-01`;
    const until = months === 0 ? '9999' : first;
    const listed = names(await get(`/v1/reports/${type}?unit=months&date=${from.slice(0, 7)}`));
    expectFigure(`${type} of ${from}`, listed, raws(model.shown(type, from, until)));
  }
  const today = toDay(now);
  const listed = names(await get(`/v1/reports/${type}?unit=days&date=${today}`));
  expectFigure(`${type} of today`, listed, raws(model.shown(type, today)));

  const { periods } = (await get(`/v1/graphs/${type}/weeks/4`)).body as {
    periods: { date: string; total: number }[];
  };
  expectFigure(
    `${type} in a graph`,
    periods.map(({ total }) => total),
    periods.map(({ date }) => model.total(type, day => day === date)),
  );

  const exported = (await get(`/export/reports/${type}`)).text.split('\n').filter(Boolean);
  const ids = exported.map(line => JSON.parse(line) as Report);
  expectFigure(
    `${type} exported`,
    ids.map(({ id, count }) => [id, count]),
    model.shown(type).map(({ id, count }) => [id, count]),
  );
  await compareGroups(model, key, type);
}

/** The page's queries, for all time and for one day: by days, which have rollups, and by values. */
async function compareGroups(model: Model, key: string, type: Type): Promise<void> {
  const keys: Record<string, (one: Report) => string> = {
    DAY: ({ date }) => toDay(date),
    BROWSER: ({ browser }) => browser,
    ...(type === 'nel' ? {} : { BLOCKED_HOST: ({ host }) => host }),
  };
  const yesterday = toDay(addDays(model.now, -1));
  const spans = [
    ['all', FROM, '9999', `from: "${FROM}"`],
    ['yesterday', yesterday, toDay(model.now), `unit: days, date: "${yesterday}"`],
  ] as const;
  const fields = spans.flatMap(([name, , , period]) =>
    Object.keys(keys).map(
      by => `${name}_${by}: reportGroups(type: ${type}, ${period}, by: [${by}], first: 1000) {
        groups { keys { value } count reports } totalCount totalReports }`,
    ),
  );
  const { viewer } = await data(service, key, `{ viewer { ${fields.join('\n')} } }`);
  for (const [name, from, until] of spans) {
    const shown = model.shown(type, from, until);
    for (const [by, value] of Object.entries(keys)) {
      const { groups, totalCount, totalReports } = viewer[`${name}_${by}`];
      type Group = { keys: { value: string }[]; count: number; reports: number };
      const found = (figure: 'count' | 'reports') =>
        Object.fromEntries((groups as Group[]).map(group => [group.keys[0]!.value, group[figure]]));
      const what = `${type} by ${by}, ${name}`;
      expectFigure(
        what,
        found('count'),
        sums(shown, value, ({ count }) => count),
      );
      expectFigure(
        `${what}: reports`,
        found('reports'),
        sums(shown, value, () => 1),
      );
      const expected = [sum(shown.map(({ count }) => count)), shown.length];
      expectFigure(`${what}: totals`, [totalCount, totalReports], expected);
    }
  }
}

function toLine(account: string, { type, id, date, count, host, browser }: Report): Line {
  const blocked = type === 'nel' ? {} : { blockedUri: `https://${host}/x.js` };
  return report(account, type, id, { date, count, browser, ...blocked });
}

let played = 0;

it('all figures equal those of a simple model after loads, deletions, prunes and maintenance', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(stepArbitrary, { minLength: 3, maxLength: 14 }), async steps => {
      const model = new Model(`figures-${++played}`);
      const { account } = model;
      service.setNow(NOW);
      const limits = { dataRetentionDays: RETENTION, reportQuota: QUOTA };
      await service.load(personal(account), plan(account, limits));
      const key = await service.key('personal', account);
      const announcer = new Announcer(second, 0);
      for (const step of steps) {
        const today = toDay(model.now);
        switch (step.what) {
          case 'load': {
            const loaded = step.loaded.map(({ number, age, moment, ...rest }) => {
              const at = Date.parse(`${today}T00:00:00Z`) - age * DAY + moment + number;
              return { ...rest, id: `${rest.type}-${number}`, date: new Date(at).toISOString() };
            });
            model.load(loaded);
            await service.load(...loaded.map(one => toLine(account, one)));
            break;
          }
          case 'delete': {
            const id = `${step.type}-${step.number}`;
            model.delete(step.type, id);
            await service.load({ kind: 'report', accountId: account, type: step.type, id, deleted: true });
            break;
          }
          case 'pass': {
            const next = addDays(model.now, step.days);
            if (Date.parse(next) > Date.parse(NOW) + MOST_DAYS * DAY) break;
            model.now = next;
            service.setNow(next);
            break;
          }
          case 'prune':
            model.prune();
            await prune(operator, announcer, today);
            break;
          case 'maintain':
            await maintain(operator, second, { announcer, today, report: () => {} });
        }
      }
      await compareAll(model, key);
    }),
    { numRuns: HISTORIES, seed: Number(process.env.SEED ?? 3), endOnFailure: HISTORIES > 100 },
  );
  expect(compared).toBeGreaterThan(50 * HISTORIES);
  if (process.env.HISTORIES) process.stderr.write(`${compared} figures compared in ${played} histories\n`);
});
