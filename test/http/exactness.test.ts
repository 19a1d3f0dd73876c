import { setTimeout as pause } from 'node:timers/promises';
import type { StatementOptions } from '@sightline/pg-client';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import type { Database, DatabaseClient } from '../../sql/client.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { createDatabase, type TestDatabase } from '../support/database.ts';
import { personal, plan, report } from '../support/fixtures.ts';
import { connectOperator, type Operator } from '../support/operator.ts';
import { type Answer, type Line, startService, type TestService } from '../support/service.ts';

/**
 * Two instances on one database cache key lookups while loads, plan changes, prunes and midnights happen. No request
 * that begins after a change sees the state from before it, and every entity tag belongs to one body and one account.
 */
const LEASE = 40;

/** Higher in `npm run test:faults`. */
const LIVES = process.env.FAULTS === 'earnest' ? 20 : 1;

const CLIENTS = 8;
const RETENTION = 30;
const MONTH = '2026-05';
const dayText = (day: number) => `${MONTH}-${String(day).padStart(2, '0')}`;

let database: TestDatabase;
let operator: Operator;
let second: Operator;

beforeAll(async () => {
  database = await createDatabase();
  operator = connectOperator(database.url);
  second = connectOperator(database.url);
});
afterAll(async () => {
  await Promise.all([operator, second].map(sql => sql.end()));
  await database.drop();
});

/** A change, from its start to its completion. Only outside of this interval is the state certain. */
interface Change {
  begun: number;
  done: number;
}

/** An account as the process that changes it sees it. */
class ExpectedAccount {
  readonly id: string;
  key = '';
  hosts: (Change & { value: number })[] = [];
  reports = new Map<string, { loaded: Change; pruned?: Change }>();

  constructor(id: string) {
    this.id = id;
  }

  /** Returns the errors in a response, given when it was requested and received. */
  faults(path: string, { body }: Pick<Answer, 'body'>, sentAt: number, came: number): string[] {
    return path === '/plan'
      ? this.#faultsOfPlan(body, sentAt, came)
      : this.#faultsOfReports(body.reports, sentAt, came);
  }

  #faultsOfPlan({ name, collectHosts }: Record<string, unknown>, sentAt: number, came: number): string[] {
    if (name !== this.id) return [`${this.id} was shown the plan of ${name}`];
    const at = this.hosts.findIndex(({ value }) => value === collectHosts);
    if (at < 0) return [`${this.id} was shown ${collectHosts} hosts`];
    const next = this.hosts[at + 1];
    if (next && next.done < sentAt)
      return [`${this.id} has ${collectHosts} hosts, though there are ${next.value}`];
    if (this.hosts[at]!.begun > came) return [`${this.id} has ${collectHosts} hosts already`];
    return [];
  }

  #faultsOfReports(shown: { raw: string }[], sentAt: number, came: number): string[] {
    const names = new Set(shown.map(({ raw }) => raw));
    const foreign = [...names]
      .filter(name => !this.reports.has(name))
      .map(name => `${this.id} was shown ${name}`);
    const wrong = [...this.reports].flatMap(([name, { loaded, pruned }]) => {
      if (names.has(name)) return pruned && pruned.done < sentAt ? [`${name} was pruned, and is shown`] : [];
      const mayLack = loaded.done >= sentAt || (pruned && pruned.begun <= came);
      return mayLack ? [] : [`${name} was loaded, and is not shown`];
    });
    return [...foreign, ...wrong];
  }
}

interface Write {
  kind: 'plan' | 'report' | 'prune' | 'midnight';
  /** The index of the account that changed, if any. */
  account?: number;
}

const loads = fc.record({ kind: fc.constantFrom('plan', 'report'), account: fc.nat(1) });
const others = fc.record({ kind: fc.constantFrom('prune', 'midnight') });
const writes: fc.Arbitrary<Write[]> = fc.array(
  fc.oneof({ arbitrary: loads, weight: 3 }, { arbitrary: others, weight: 1 }) as fc.Arbitrary<Write>,
  { minLength: 12, maxLength: 20 },
);

/** Delays every third statement of a request, so that its data is newer than its authentication. */
function late(database: DatabaseClient): DatabaseClient {
  let statements = 0;
  const delay = async (options: StatementOptions = {}) =>
    options.caller && ++statements % 3 === 0 ? pause(LEASE * 1.5) : undefined;
  const changed: Database = {
    rows: (text, parameters, options) => delay(options).then(() => database.rows(text, parameters, options)),
    queryTenant: (accounts, text, parameters, options) =>
      delay(options).then(() => database.queryTenant(accounts, text, parameters, options)),
  };
  return Object.assign(Object.create(database), changed);
}

let runs = 0;

class World {
  accounts = ['ada', 'bob'].map(name => new ExpectedAccount(`${name}-${++runs}`));
  faults: string[] = [];
  answers = 0;
  unchanged = 0;
  #announcer: Announcer;
  #day = 10;
  #names = 0;
  #instances: TestService[] = [];
  /** The body of each tag, and the tags of each account and path. */
  #bodies = new Map<string, string>();
  #tags = new Map<string, string[]>();

  constructor(lease: number) {
    this.#announcer = new Announcer(second, lease);
  }

  async open(): Promise<void> {
    for (const account of this.accounts) {
      account.hosts.push({
        value: 0,
        ...(await this.#change(() => this.#load(personal(account.id), this.#plan(account, 0)))),
      });
    }
    const options = { databaseUrl: database.url, keyLease: LEASE, now: this.#now(), through: late };
    this.#instances = await Promise.all([startService(options), startService(options)]);
    for (const account of this.accounts) account.key = await this.#instances[0]!.key('personal', account.id);
  }

  close(): Promise<unknown> {
    return Promise.all(this.#instances.map(instance => instance.close()));
  }

  async run(sequence: readonly Write[]): Promise<void> {
    let isOver = false;
    const reading = Array.from({ length: CLIENTS }, async (_, client) => {
      for (let turn = client; !isOver; turn++) {
        await this.#ask(turn);
        // This test checks the order of events, not their speed.
        await pause(5);
      }
    });
    for (const write of sequence) await this.#write(write);
    isOver = true;
    await Promise.all(reading);
  }

  async #ask(turn: number): Promise<void> {
    const instance = this.#instances[turn & 1]!;
    const account = this.accounts[(turn >> 1) & 1]!;
    const path = turn & 4 ? '/plan' : `/reports/csp?unit=months&date=${MONTH}`;
    const seen = this.#tags.get(account.id + path) ?? [];
    // With the latest tag, with an older one, or without one.
    const tag = turn % 3 === 0 ? undefined : seen.at(turn % 3 === 1 ? -1 : -3);
    const sentAt = performance.now();
    const answer = await instance.get(`/v1${path}`, account.key, tag ? { 'if-none-match': tag } : {});
    const came = performance.now();
    this.answers++;
    const etag = answer.headers.get('etag')!;
    if (answer.status === 304) this.unchanged++;
    const text = answer.status === 304 ? this.#bodies.get(etag)! : answer.text;
    if ((this.#bodies.get(etag) ?? text) !== text) this.faults.push(`${etag} has two bodies: ${text}`);
    if (!this.#bodies.has(etag)) this.#tags.set(account.id + path, [...seen, etag]);
    this.#bodies.set(etag, text);
    this.faults.push(...account.faults(path, { body: JSON.parse(text) }, sentAt, came));
  }

  async #write(write: Write): Promise<void> {
    if (write.kind === 'midnight') return this.#passMidnight();
    if (write.kind === 'prune') return this.#prune();
    const account = this.accounts[write.account!]!;
    if (write.kind === 'plan') return this.#changePlan(account);
    const name = `${account.id}-report-${++this.#names}`;
    const loaded = { begun: performance.now(), done: Number.POSITIVE_INFINITY };
    account.reports.set(name, { loaded });
    await this.#change(
      () => this.#load(report(account.id, 'csp', name, { date: `${dayText(this.#day)}T00:00:00Z` })),
      loaded,
    );
  }

  async #changePlan(account: ExpectedAccount): Promise<void> {
    const value = account.hosts.length;
    const change = { value, begun: performance.now(), done: Number.POSITIVE_INFINITY };
    account.hosts.push(change);
    await this.#change(() => this.#load(this.#plan(account, value)), change);
  }

  /**
   * Prunes with a date so late that all reports are deleted. Later reports are a day newer, because older ones would be
   * ignored.
   */
  async #prune(): Promise<void> {
    const pruned = { begun: performance.now(), done: Number.POSITIVE_INFINITY };
    const later = new Date(Date.parse(dayText(this.#day)) + (RETENTION + 1) * 86_400_000)
      .toISOString()
      .slice(0, 10);
    for (const { reports } of this.accounts) {
      for (const entry of reports.values()) entry.pruned ??= pruned;
    }
    await this.#change(() => prune(operator, this.#announcer, later), pruned);
    await this.#passMidnight();
  }

  async #passMidnight(): Promise<void> {
    this.#day++;
    for (const instance of this.#instances) instance.setNow(this.#now());
    await pause(LEASE);
  }

  #now(): string {
    return `${dayText(this.#day)}T12:00:00Z`;
  }

  #plan({ id }: ExpectedAccount, collectHosts: number): Line {
    return plan(id, { name: id, collectHosts, dataRetentionDays: RETENTION });
  }

  async #load(...lines: Line[]): Promise<void> {
    const content = lines.map(line => `${JSON.stringify(line)}\n`);
    await loadFeed(operator, this.#announcer, [{ name: 'test', content }]);
  }

  async #change(
    work: () => Promise<unknown>,
    change: Change = { begun: performance.now(), done: 0 },
  ): Promise<Change> {
    await work();
    change.done = performance.now();
    return change;
  }
}

async function live(lease: number, sequence: readonly Write[]): Promise<World> {
  const world = new World(lease);
  await world.open();
  try {
    await world.run(sequence);
    return world;
  } finally {
    await world.close();
  }
}

it('every response reflects a state that existed during its request, despite concurrent changes', {
  tags: 'slow',
}, async () => {
  let [answers, unchanged] = [0, 0];
  await fc.assert(
    fc.asyncProperty(writes, async sequence => {
      const { faults, ...counts } = await live(LEASE, sequence);
      expect(faults).toEqual([]);
      answers += counts.answers;
      unchanged += counts.unchanged;
    }),
    { numRuns: LIVES, endOnFailure: true },
  );
  expect(answers).toBeGreaterThan(100 * LIVES);
  expect(unchanged).toBeGreaterThan(10 * LIVES);
});

it('the test detects stale responses if changes are not announced', { tags: 'slow' }, async () => {
  const sequence: Write[] = Array.from({ length: 12 }, (_, index) => ({ kind: 'plan', account: index % 2 }));
  const found: unknown[] = [];
  // A single run detects them only by chance.
  for (let lives = 0; lives < 30 && found.length === 0; lives++)
    found.push(...(await live(0, sequence)).faults);
  expect(found).not.toEqual([]);
});
