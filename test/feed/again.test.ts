import { DEFAULT_BOUNDS, KnownMails } from '@sightline/importer';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  importBytes,
  mailWith,
  metadataXml,
  policyXml,
  recordXml,
  YESTERDAY,
} from '../../packages/importer/test/reports.ts';
import { Announcer } from '../../sql/changes/announcer.ts';
import { importedMails, noteImportedMails } from '../../sql/feed/imported-mails.ts';
import { monthAfter } from '../../sql/feed/partitions.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { RejectedReports } from '../../src/cli/rejected.ts';
import { type LoadSummary, loadFeed } from '../../src/feed/load.ts';
import { runs } from '../faults/scale.ts';
import { personal, plan, report } from '../support/fixtures.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { type Line, startService, type TestService } from '../support/service.ts';

/** Checks that reports that are loaded and imported repeatedly between prunes are stored and counted once. */

const DAY = 86_400_000;
const TODAY = (YESTERDAY + 86_400) * 1000;
const toDay = (time: number) => new Date(time).toISOString().slice(0, 10);

/** The age in days of each report or mail, by its number, when a random history starts. */
const AGES = { csp: [95, 64, 45, 31, 29, 12, 3, 1], dmarc: [70, 44, 30, 28, 9, 2] };
type Type = keyof typeof AGES;

type Step =
  | { what: 'load'; reports: { number: number; count: number; deleted: boolean }[] }
  | { what: 'import'; mails: number[] }
  | { what: 'retention'; days: number }
  | { what: 'pass'; days: number }
  | { what: 'prune' | 'maintain' | 'poll' };

const numbers = (type: Type) => fc.nat(AGES[type].length - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('load' as const),
      reports: fc.uniqueArray(
        fc.record({
          number: numbers('csp'),
          count: fc.constantFrom(1, 1, 1, 5),
          deleted: fc.constantFrom(false, false, false, false, true),
        }),
        { selector: ({ number }) => number, minLength: 1, maxLength: 8 },
      ),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      what: fc.constant('import' as const),
      mails: fc.uniqueArray(numbers('dmarc'), { minLength: 1 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('retention' as const), days: fc.constantFrom(5, 30, 60, 400) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ what: fc.constant('pass' as const), days: fc.constantFrom(1, 4, 20) }),
  },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('prune' as const) }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant('maintain' as const) }) },
  { weight: 4, arbitrary: fc.record({ what: fc.constant('poll' as const) }) },
);
const history = fc.array(step, { minLength: 4, maxLength: 16 });

/** Mails with a second row that every import rejects. */
const BROKEN = new Set([1, 4, 5]);
const brokenXml = recordXml().replace('<count>1<', '<count>many<');

/** The mails, each with a report about one day. */
const mails = AGES.dmarc.map((age, number) => {
  const xml = `<feedback>${metadataXml(`report-${number}`, TODAY / 1000 - age * 86_400)}${policyXml}${recordXml({ count: number + 1 })}${BROKEN.has(number) ? brokenXml : ''}</feedback>`;
  return mailWith({ bytes: xml });
});

const READING = {
  format: 'auto',
  action: 'enforced',
  stripQuery: false,
  bounds: DEFAULT_BOUNDS,
} as const;

let service: TestService;
let sql: Operator;
let second: Operator;
beforeAll(async () => {
  service = await startService({ answerCacheSize: 0 });
  sql = connectOperator(service.databaseUrl);
  second = connectOperator(service.databaseUrl);
});
afterAll(async () => {
  await Promise.all([sql?.end(), second?.end()]);
  await service?.close();
});

/** A report in the state in which it was last accepted. */
interface CountedReport {
  type: Type;
  name: string;
  day: string;
  count: number;
  isStored: boolean;
  /** True if a follower has not received the change yet. */
  isNews: boolean;
}

/** The expected reports in their latest state. */
class ExpectedState {
  readonly taken = new Map<string, CountedReport>();
  retention = 30;
  now = TODAY + DAY / 2;
  changes = 0;
  /** The number of rejected rows, and the mails that contain one. Rejections are remembered forever. */
  rejected = 0;
  readonly #known = new Set<number>();
  /** The start of the retained period, by type. */
  #lines: Record<Type, string> = { csp: '', dmarc: '' };
  /** True if reports were removed that a follower never received. */
  #lost: Record<Type, boolean> = { csp: false, dmarc: false };

  get oldest(): string {
    return toDay(this.now - this.retention * DAY);
  }

  /** Returns how a load should classify the line. */
  take(type: Type, name: string, day: string, count: number): 'new' | 'repeated' | 'past' {
    const existing = this.taken.get(type + name);
    if (!existing?.isStored && day < this.#lines[type]) return 'past';
    if (existing?.isStored && existing.count === count) return 'repeated';
    this.taken.set(type + name, { type, name, day, count, isStored: true, isNews: true });
    this.changes++;
    return 'new';
  }

  /** Counts a mail's rejected row. */
  reject(mail: number): void {
    if (!BROKEN.has(mail) || this.#known.has(mail)) return;
    this.#known.add(mail);
    this.rejected++;
    this.changes++;
  }

  delete(type: Type, name: string): void {
    if (!this.taken.get(type + name)?.isStored) return;
    this.taken.delete(type + name);
    this.changes++;
  }

  /** @param dropsMonths true if months that have expired as a whole are dropped first */
  prune(dropsMonths: boolean): void {
    const { oldest } = this;
    for (const existing of this.taken.values()) {
      if (!existing.isStored || existing.day >= oldest) continue;
      existing.isStored = false;
      const end = `${monthAfter(existing.day.slice(0, 7))}-01`;
      const before = dropsMonths && end <= oldest ? end : oldest;
      if (this.#lines[existing.type] < before) this.#lines[existing.type] = before;
      if (existing.isNews) this.#lost[existing.type] = true;
      this.changes++;
    }
  }

  /** Returns the reports that a follower receives, and whether a gap is reported to it. */
  poll(type: Type): { names: string[]; isGap: boolean } {
    const names: string[] = [];
    let isGap = this.#lost[type];
    this.#lost[type] = false;
    for (const existing of this.taken.values()) {
      if (existing.type !== type || !existing.isNews || !existing.isStored) continue;
      if (existing.day < this.oldest) isGap = true;
      else names.push(`${existing.name} ${existing.count}`);
      existing.isNews = false;
    }
    return { names: names.sort(), isGap };
  }

  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { type, day, count } of this.taken.values())
      counts[`${type} ${day}`] = (counts[`${type} ${day}`] ?? 0) + count;
    return counts;
  }
}

/** An account with its history. */
class History {
  readonly #expected = new ExpectedState();
  readonly #account: string;
  readonly #key: string;
  readonly #cursors: Record<Type, string> = { csp: '', dmarc: '' };

  constructor(account: string, key: string) {
    this.#account = account;
    this.#key = key;
  }

  async run(steps: readonly Step[]): Promise<void> {
    await this.#load([personal(this.#account), this.#plan()]);
    try {
      await this.#poll(true);
      for (const step of steps) await this.#checked(step);
      await this.#poll();
    } finally {
      // Which months are dropped depends on the longest retention of any account.
      await this.#load([{ kind: 'account', id: this.#account, deleted: true }]);
    }
  }

  /** A step that changes nothing must not change the entity tag. */
  async #checked(step: Step): Promise<void> {
    const tag = async () => (await service.get('/v1/me', this.#key)).headers.get('etag');
    const [before, { changes, now }] = [await tag(), this.#expected];
    await this.#take(step);
    expect(await this.#counts(), JSON.stringify(step)).toEqual(this.#expected.counts());
    expect(await this.#rejected(), JSON.stringify(step)).toBe(this.#expected.rejected);
    if (this.#expected.changes === changes && this.#expected.now === now) expect(await tag()).toBe(before);
  }

  async #take(step: Step): Promise<void> {
    const expected = this.#expected;
    if (step.what === 'load') await this.#loadReports(step.reports);
    if (step.what === 'import') await this.#import(step.mails);
    if (step.what === 'poll') await this.#poll();
    if (step.what === 'pass') {
      expected.now += step.days * DAY;
      service.setNow(new Date(expected.now).toISOString());
    }
    if (step.what === 'retention') {
      if (expected.retention !== step.days) expected.changes++;
      expected.retention = step.days;
      await this.#load([this.#plan()]);
    }
    if (step.what === 'prune' || step.what === 'maintain') {
      expected.prune(step.what === 'maintain');
      const [announcer, today] = [new Announcer(second, 0), toDay(expected.now)];
      if (step.what === 'prune') await prune(sql, announcer, today);
      else await maintain(sql, second, { announcer, today, report: () => {} });
    }
  }

  #plan(): Line {
    return plan(this.#account, { dataRetentionDays: this.#expected.retention });
  }

  async #loadReports(reports: { number: number; count: number; deleted: boolean }[]): Promise<void> {
    const expected = { new: 0, repeated: 0, past: 0 };
    const lines = reports.map(({ number, count, deleted }) => {
      const name = `r-${number}`;
      const date = new Date(TODAY - AGES.csp[number]! * DAY + number * 3_600_000).toISOString();
      if (!deleted) {
        expected[this.#expected.take('csp', name, date.slice(0, 10), count)]++;
        return report(this.#account, 'csp', name, { date, count });
      }
      this.#expected.delete('csp', name);
      return { kind: 'report', accountId: this.#account, type: 'csp', id: name, deleted };
    });
    const { repeated, pastRetention } = await this.#load(lines);
    expect([pastRetention.csp ?? 0, (repeated.csp ?? 0) >= expected.repeated]).toEqual([expected.past, true]);
  }

  async #import(numbers: readonly number[]): Promise<void> {
    const accountId = this.#account;
    let existing: KnownMails;
    const left = new RejectedReports({ accountId, format: 'auto' });
    async function* content() {
      for (const number of numbers) {
        const { records, rejected } = await importBytes(mails[number]!, { accountId, seen: existing });
        for (const one of rejected) left.add(one);
        yield records.map(line => `${JSON.stringify(line)}\n`).join('');
      }
    }
    for (const number of numbers) {
      const day = toDay(TODAY - AGES.dmarc[number]! * DAY);
      this.#expected.take('dmarc', `report-${number}`, day, number + 1);
      this.#expected.reject(number);
    }
    await loadFeed(sql, new Announcer(second, 0), [{ name: 'import', content: content() }], {
      makesAllMonths: true,
      async onBegin(session) {
        existing = new KnownMails(READING, await importedMails(session, accountId));
      },
      async onEnd(session) {
        await noteImportedMails(session, accountId, existing.read);
        await left.count(session);
      },
    });
  }

  /** @param isFirst true if no report has been loaded yet */
  async #poll(isFirst = false): Promise<void> {
    for (const type of ['csp', 'dmarc'] as const) {
      const path = `/export/reports/${type}?limit=1000&after=${this.#cursors[type]}`;
      const { status, text, headers } = await service.get(path, this.#key);
      expect(status).toBe(200);
      this.#cursors[type] = headers.get('sightline-cursor')!;
      const rows = text.split('\n').slice(0, -1);
      const names = rows.map(row => {
        const { id, reportId, count } = JSON.parse(row);
        return `${type === 'csp' ? id : reportId} ${count}`;
      });
      const isGap = headers.get('sightline-gap') === 'true';
      const expected = isFirst ? { names: [], isGap: false } : this.#expected.poll(type);
      expect({ type, names: names.sort(), isGap }).toEqual({ type, ...expected });
    }
  }

  async #counts(): Promise<Record<string, number>> {
    const rows = await sql<{ name: string; total: number }[]>`
      select type::text || ' ' || day as name, sum(total)::int as total from daily_count
      where account_id = ${this.#account} group by 1`;
    return Object.fromEntries(rows.map(({ name, total }) => [name, total]));
  }

  async #rejected(): Promise<number> {
    const [row] = await sql<{ total: number }[]>`
      select coalesce(sum(rejected), 0)::int as total from report_usage where account_id = ${this.#account}`;
    return row!.total;
  }

  #load(lines: readonly Line[]): Promise<LoadSummary> {
    const content = [lines.map(line => `${JSON.stringify(line)}\n`).join('')];
    const now = new Date(this.#expected.now);
    return loadFeed(sql, new Announcer(second, 0), [{ name: 'feed', content }], {
      now,
      makesAllMonths: true,
    });
  }
}

let accounts = 0;

/** A rejected row that arrives again after the retention period. */
const rejectedAgain: Step[] = [
  { what: 'pass', days: 20 },
  { what: 'retention', days: 5 },
  { what: 'import', mails: [1] },
  { what: 'prune' },
  { what: 'import', mails: [1, 0] },
];

/** Milliseconds for a thousand histories on a busy machine. */
const LONG = 3_600_000;

it('repeated loads and imports count each report once, export it once, and do not change entity tags', {
  tags: 'slow',
  timeout: LONG,
}, async () => {
  await fc.assert(
    fc.asyncProperty(history, async steps => {
      const account = `a-${accounts++}`;
      service.setNow(new Date(TODAY + DAY / 2).toISOString());
      await service.load(personal(account));
      await new History(account, await service.key('personal', account)).run(steps);
    }),
    { ...runs(2, 1000), examples: [[rejectedAgain]] },
  );
});
