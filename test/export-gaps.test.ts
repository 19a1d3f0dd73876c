import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Announcer } from '../sql/changes/announcer.ts';
import { prune } from '../sql/maintenance/prune.ts';
import { copyReport } from './support/copied-reports.ts';
import { NOW, personal, plan, report } from './support/fixtures.ts';
import { connectOperator } from './support/operator.ts';
import { startService, type TestService } from './support/service.ts';

/** The number of random histories; set HISTORIES for more. */
const HISTORIES = Number(process.env.HISTORIES ?? 5);

const TYPE = 'nel';
const RETENTION = 30;
const DAY = 24 * 60 * 60 * 1000;

let service: TestService;
let operator: ReturnType<typeof connectOperator>;
beforeAll(async () => {
  service = await startService({ now: NOW });
  operator = connectOperator(service.databaseUrl);
});
afterAll(async () => {
  await operator?.end();
  await service?.close();
});

/** A report as it was last loaded. */
interface Version {
  load: number;
  date: string;
  id: string;
}

/** A position in load order: the load, the date and the id. */
type Place = [load: number, date: string, id: string];
const END = '~';
const isAfter = ({ load, date, id }: Version, place: Place) =>
  load !== place[0] ? load > place[0] : date !== place[1] ? date > place[1] : id > place[2];

/** An account whose reports are loaded, deleted and pruned as days pass. */
class Reports {
  readonly account: string;
  key!: string;
  loads = 0;
  now = NOW;
  stored = new Map<string, Version>();
  removed: Version[] = [];
  /** The date of the last prune that removed a report. */
  #bound = '';

  constructor(account: string) {
    this.account = account;
  }

  async create(): Promise<void> {
    service.setNow(NOW);
    const lines = [personal(this.account), plan(this.account, { dataRetentionDays: RETENTION })];
    await service.load(...lines);
    this.key = await service.key('personal', this.account);
  }

  get oldest(): string {
    return new Date(Date.parse(`${this.now.slice(0, 10)}T00:00:00Z`) - RETENTION * DAY).toISOString();
  }

  async load(changes: readonly { id: number; age: number }[]): Promise<void> {
    const load = ++this.loads;
    const lines = changes.map(({ id, age }) => {
      const date = new Date(Date.parse(this.now) - age * DAY - id).toISOString();
      // After a prune, a report from before this date is stored only if it replaces another.
      if (this.stored.has(`r-${id}`) || date >= this.#bound)
        this.stored.set(`r-${id}`, { load, date, id: `r-${id}` });
      return report(this.account, TYPE, `r-${id}`, { date, count: load });
    });
    await service.load(...lines);
  }

  async delete(id: string): Promise<void> {
    this.loads++;
    this.stored.delete(id);
    await service.load({ kind: 'report', accountId: this.account, type: TYPE, id, deleted: true });
  }

  pass(days: number): void {
    this.now = new Date(Date.parse(this.now) + days * DAY).toISOString();
    service.setNow(this.now);
  }

  async prune(): Promise<void> {
    await prune(operator, new Announcer(operator, 0), this.now.slice(0, 10));
    for (const version of [...this.stored.values()].filter(({ date }) => date < this.oldest)) {
      this.#bound = this.oldest;
      this.removed.push(version);
      this.stored.delete(version.id);
    }
  }
}

/** Follows the reports with the cursors of responses, or with those of the last records received. */
class Follower {
  readonly #of: Reports;
  readonly #byRecords: boolean;
  #cursor = '';
  #place: Place = [0, END, END];

  constructor(of: Reports, byRecords: boolean) {
    this.#of = of;
    this.#byRecords = byRecords;
  }

  /** @returns the number of records */
  async ask(limit: number): Promise<number> {
    const { stored, removed, oldest, key } = this.#of;
    const isFirst = this.#cursor === '';
    const path = `/export/reports/${TYPE}?after=${this.#cursor}&limit=${limit}&cursors=true`;
    const { text, headers } = await service.get(path, key);
    const records = text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line));

    const behind = [...stored.values()].filter(version => isAfter(version, this.#place));
    const expired = [...removed, ...behind].filter(
      version => version.date < oldest && isAfter(version, this.#place),
    );
    expect(headers.get('sightline-gap')).toBe(!isFirst && expired.length > 0 ? 'true' : null);

    const visible = behind
      .filter(({ date }) => date >= oldest)
      .sort((a, b) => (isAfter(a, [b.load, b.date, b.id]) ? 1 : -1));
    const [load] = this.#place;
    const rest = visible.filter(version => version.load === load);
    const { page, until } = rest.length > 0 ? { page: rest, until: load } : this.#readLater(visible, limit);
    const expected = page.slice(0, limit);
    expect(records.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));

    const last = expected.at(-1);
    const isWhole = records.length < limit;
    if (last && (this.#byRecords || !isWhole)) {
      this.#cursor = this.#byRecords ? records.at(-1).cursor : headers.get('sightline-cursor')!;
      this.#place = [last.load, last.date, last.id];
    } else {
      this.#cursor = headers.get('sightline-cursor')!;
      this.#place = [until, END, END];
    }
    return records.length;
  }

  /**
   * A page consists of whole loads: as many as fit into the limit, or one larger load. Loads without visible reports
   * are skipped.
   */
  #readLater(visible: readonly Version[], limit: number): { page: readonly Version[]; until: number } {
    const { stored, loads } = this.#of;
    const all = [...stored.values()].map(version => version.load).sort((a, b) => a - b);
    for (let [after, most] = [this.#place[0], limit]; ; most *= 2) {
      const next = all.filter(load => load > after).slice(0, most + 1);
      const [first, final] = [next[0]!, next.at(-1)!];
      const until = next.length <= most ? loads : first === final ? first : final - 1;
      const page = visible.filter(({ load }) => load > after && load <= until);
      if (page.length > 0 || until === loads) return { page, until };
      after = until;
    }
  }
}

const change = fc.record({ id: fc.nat(8), age: fc.integer({ min: 0, max: RETENTION + 5 }) });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      what: fc.constant('load' as const),
      changes: fc.uniqueArray(change, { selector: ({ id }) => id, minLength: 1, maxLength: 6 }),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('ask' as const),
      follower: fc.nat(1),
      limit: fc.integer({ min: 1, max: 4 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('delete' as const), id: fc.nat(8) }) },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('pass' as const), days: fc.integer({ min: 1, max: 6 }) }),
  },
  { weight: 2, arbitrary: fc.record({ what: fc.constant('prune' as const) }) },
);

let played = 0;

it('a follower is notified of a gap exactly when a report that it has not received has expired', {
  tags: 'slow',
}, async () => {
  let requested = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 24 }), async steps => {
      const reports = new Reports(`gap-${++played}`);
      await reports.create();
      const followers = [new Follower(reports, false), new Follower(reports, true)];
      for (const one of steps) {
        if (one.what === 'load') await reports.load(one.changes);
        if (one.what === 'delete') await reports.delete(`r-${one.id}`);
        if (one.what === 'pass') reports.pass(one.days);
        if (one.what === 'prune') await reports.prune();
        if (one.what === 'ask') await followers[one.follower]!.ask(one.limit);
      }
      for (const follower of followers) {
        while ((await follower.ask(3)) > 0) requested++;
        // The follower is now up to date, so no further gap is reported to it.
        await follower.ask(3);
        expect(await follower.ask(3)).toBe(0);
      }
    }),
    { numRuns: HISTORIES, seed: Number(process.env.SEED ?? 7), endOnFailure: false },
  );
  expect(requested).toBeGreaterThan(HISTORIES);
});

describe('a client with the cursor of a record', () => {
  it('gets no gap if the same load contained expired reports', async () => {
    const reports = new Reports('first-import');
    await reports.create();
    await reports.load([
      { id: 1, age: 1 },
      { id: 2, age: 40 },
    ]);
    const { body, text } = await service.get(`/export/reports/${TYPE}?after=&cursors=true`, reports.key);
    const cursor = (body ?? JSON.parse(text)).cursor;
    const gap = async () =>
      (await service.get(`/export/reports/${TYPE}?after=${cursor}`, reports.key)).headers.get(
        'sightline-gap',
      );
    expect(await gap()).toBeNull();
    await reports.prune();
    expect(await gap()).toBeNull();
  });
});

it('an expired record causes no gap after its own cursor, and a gap after the previous one', async () => {
  const reports = new Reports('expires');
  await reports.create();
  await reports.load([
    { id: 1, age: 1 },
    { id: 2, age: 2 },
  ]);
  const ask = (after: string) =>
    service.get(`/export/reports/${TYPE}?after=${after}&cursors=true`, reports.key);
  const records = (await ask('')).text
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  expect(records.map(({ id }) => id)).toEqual(['r-2', 'r-1']);
  const [first, last] = records.map(({ cursor }) => cursor);
  reports.pass(40);
  for (const after of [async () => {}, () => reports.prune()]) {
    await after();
    expect((await ask(last)).headers.get('sightline-gap')).toBeNull();
    const { headers } = await ask(first);
    expect(headers.get('sightline-gap')).toBe('true');
    expect((await ask(headers.get('sightline-cursor')!)).headers.get('sightline-gap')).toBeNull();
  }
});

it('a gap is reported once if the newest reports have been removed', async () => {
  const reports = new Reports('newest-removed');
  await reports.create();
  const ask = (after: string) => service.get(`/export/reports/${TYPE}?after=${after}`, reports.key);
  await reports.load([{ id: 1, age: 1 }]);
  const cursor = (await ask('')).headers.get('sightline-cursor')!;
  await reports.load([{ id: 2, age: 20 }]);
  reports.pass(12);
  await reports.prune();
  const first = await ask(cursor);
  expect([first.text, first.headers.get('sightline-gap')]).toEqual(['', 'true']);
  const next = await ask(first.headers.get('sightline-cursor')!);
  expect([next.text, next.headers.get('sightline-gap')]).toEqual(['', null]);
});

it('a page that was cut short by large texts is continued by its cursor', { tags: 'slow' }, async () => {
  const reports = new Reports('large');
  await reports.create();
  const raw = 'x'.repeat(1024 * 1024 - 10);
  const date = new Date(Date.parse(NOW) - DAY).toISOString();
  await service.load(report(reports.account, TYPE, 'copied', { raw, date }));
  await copyReport(service.databaseUrl, { accountId: reports.account, type: TYPE, count: 17 });
  const ids = ['copied', ...Array.from({ length: 17 }, (_, index) => `copy-${index}`)].sort();
  const got: string[] = [];
  const pages: number[] = [];
  for (let after = ''; ; ) {
    const { text, headers } = await service.get(
      `/export/reports/${TYPE}?after=${after}&limit=1000`,
      reports.key,
    );
    const records = text
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line).id);
    if (records.length === 0) break;
    pages.push(records.length);
    got.push(...records);
    after = headers.get('sightline-cursor')!;
  }
  expect(got).toEqual(ids);
  // A page contains at least 8 MiB of text: it ends with the record that exceeds the limit.
  expect(pages[0]).toBe(8);
  expect(Math.max(...pages)).toBe(8);
});
