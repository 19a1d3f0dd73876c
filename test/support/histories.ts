import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandConnection } from '@sightline/pg-client';
import { MS_PER_DAY } from '@sightline/reports';
import fc from 'fast-check';
import { expect } from 'vitest';
import { Announcer } from '../../sql/changes/announcer.ts';
import { prune } from '../../sql/maintenance/prune.ts';
import { loadFeed } from '../../src/feed/load.ts';
import { issueKey } from '../../src/keys/issue.ts';
import { NOW, personal, plan, report } from './fixtures.ts';
import { connectOperator } from './operator.ts';
import { type BodyPart, splitParts } from './parts.ts';
import type { Line } from './service.ts';

/**
 * Random histories of concurrent loads, prunes and pollers, in which each poller sees all committed rows. The
 * interleaving is random, with pauses that fast-check chooses and shrinks.
 */

const TYPE = 'nel';
const RETENTION = 30;
const DAYS_AGO = (days: number) => new Date(Date.parse(NOW) - days * MS_PER_DAY).toISOString();

/** How a load ends: successfully, with a bad line, aborted, or because its session was killed. */
type Fate = 'commits' | 'refused' | 'aborted' | 'killed';

interface Change {
  /** One of a few reports. */
  id: number;
  what: 'put' | 'putOld' | 'delete';
  /** The pause before it in milliseconds. */
  pause: number;
}

interface ARound {
  pause: number;
  /** The service that is queried. */
  service: number;
  /**
   * What happens to a page. It is stored; or the response is truncated; or the client dies between storing the page and
   * the cursor, or after storing some records, each with its cursor. Or all pages are requested as parts of one response.
   */
  fate: 'stored' | 'lost' | 'storedTwice' | 'storedPartly' | 'cut' | 'streamed';
}

export interface History {
  loaders: { changes: Change[]; fate: Fate }[][];
  pollers: { after: '' | 'now'; limit: number; rounds: ARound[] }[];
  others: { what: 'prune' | 'age' | 'restart' | 'lag'; pause: number }[];
}

const pause = fc.nat(15);
const often = <Value>(first: Value, ...others: Value[]) => fc.constantFrom(first, first, first, ...others);

const change = fc.record({ id: fc.nat(5), what: often('put', 'putOld', 'delete'), pause });
const load = fc.record({
  changes: fc.array(change, { minLength: 1, maxLength: 4 }),
  fate: often('commits', 'refused', 'aborted', 'killed'),
});
const round = fc.record({
  pause,
  service: fc.nat(1),
  fate: often('stored', 'lost', 'storedTwice', 'storedPartly', 'cut', 'streamed'),
});
const poller = fc.record({
  after: fc.constantFrom('', 'now'),
  limit: fc.integer({ min: 1, max: 3 }),
  rounds: fc.array(round, { minLength: 1, maxLength: 8 }),
});

export const history = fc.record({
  loaders: fc.array(fc.array(load, { maxLength: 3 }), { minLength: 1, maxLength: 2 }),
  pollers: fc.array(poller, { minLength: 1, maxLength: 3 }),
  others: fc.array(fc.record({ what: often('prune', 'age', 'restart', 'lag'), pause }), { maxLength: 2 }),
}) as fc.Arbitrary<History>;

/** The services that take part in a history. */
export interface Stage {
  /** The connection URL for writes, as a superuser. */
  databaseUrl: string;
  /** The addresses of one or more services, which can read from different servers. */
  urls(): readonly string[];
  restart(): Promise<void>;
  setNow(now: string): void;
  /** Delays the standby briefly, if there is one. */
  lag(): Promise<void>;
  /** Resolves when all services read the committed state. */
  caughtUp(): Promise<void>;
}

/** Connections for a load or a prune. */
class Operator {
  readonly #url: string;
  #sql: CommandConnection;
  readonly #second: CommandConnection;

  constructor(url: string) {
    this.#url = url;
    this.#sql = connectOperator(url);
    this.#second = connectOperator(url);
  }

  /** Like the next process after one that was killed. */
  async reconnect(): Promise<void> {
    const lost = this.#sql;
    this.#sql = connectOperator(this.#url);
    await lost.end();
  }

  async load(content: AsyncIterable<string> | Iterable<string>, signal?: AbortSignal): Promise<void> {
    const source = { name: 'history', content };
    await loadFeed(this.#sql, new Announcer(this.#second, 0), [source], { ...(signal && { signal }) });
  }

  async prune(day: string): Promise<void> {
    await prune(this.#sql, new Announcer(this.#second, 0), day);
  }

  async rows(text: string): Promise<readonly Record<string, unknown>[]> {
    return this.#sql.query(text);
  }

  async key(accountId: string): Promise<string> {
    return (await issueKey(this.#sql, 'personal', { accountId, name: null, expiresAt: null })).key;
  }

  async end(): Promise<void> {
    await Promise.all([this.#sql, this.#second].map(sql => sql.end()));
  }
}

const text = (lines: readonly Line[]) => lines.map(line => `${JSON.stringify(line)}\n`).join('');

/** Plays histories, each with its own account. */
export class Theatre implements AsyncDisposable {
  readonly #stage: Stage;
  readonly #operators: Operator[];
  #played = 0;
  #version = 0;
  /** Reports that pollers have received. */
  seen = 0;

  constructor(stage: Stage) {
    this.#stage = stage;
    this.#operators = Array.from({ length: 4 }, () => new Operator(stage.databaseUrl));
  }

  /** @throws if a poller missed a report without a reported gap */
  async play({ loaders, pollers, others }: History): Promise<void> {
    const [stage, [first, ...operators]] = [this.#stage, this.#operators as [Operator, ...Operator[]]];
    const account = `h-${++this.#played}`;
    stage.setNow(NOW);
    await first.load([text([personal(account), plan(account, { dataRetentionDays: RETENTION })])]);
    const key = await first.key(account);
    await stage.caughtUp();
    const clients = pollers.map(({ after, limit }) => new Poller(stage, key, after, limit));
    await Promise.all(clients.map(client => client.start()));
    const committed: Change[] = [];
    let isOver = false;
    const working = Promise.all([
      ...loaders.map(async (loads, index) => {
        for (const one of loads) committed.push(...(await this.#load(operators[index]!, account, one)));
      }),
      this.#others(first, others),
    ]).finally(() => {
      isOver = true;
    });
    const polling = pollers.map(async ({ rounds }, index) => {
      do for (const round of rounds) await clients[index]!.round(round);
      while (!isOver);
    });
    await Promise.all([working, ...polling]);
    await stage.caughtUp();
    for (const client of clients) await client.catchUp();
    const found = await first.rows(
      `select id, count::int as version, date >= '${this.#oldest()}' as "isVisible" from report where account_id = '${account}'`,
    );
    for (const client of clients) this.#compare(client, found, committed);
  }

  #now = NOW;

  /** The oldest point in time that is visible. */
  #oldest(): string {
    return new Date(Date.parse(`${this.#now.slice(0, 10)}T00:00:00Z`) - RETENTION * MS_PER_DAY).toISOString();
  }

  /** Returns what was committed. */
  async #load(operator: Operator, account: string, { changes, fate }: { changes: Change[]; fate: Fate }) {
    const abort = new AbortController();
    const [{ pid }] = (await operator.rows('select pg_backend_pid() as pid')) as [{ pid: number }];
    const lines = changes.map(({ id, what }) => {
      const date = DAYS_AGO(what === 'putOld' ? RETENTION - 1 : 1);
      const line = report(account, TYPE, `r-${id}`, { count: ++this.#version, date });
      return what === 'delete'
        ? { kind: 'report', accountId: account, type: TYPE, id: line.id, deleted: true }
        : line;
    });
    const corrupt = async () => {
      if (fate === 'aborted') abort.abort();
      if (fate === 'killed') await this.#operators.at(-1)!.rows(`select pg_terminate_backend(${pid})`);
      return fate === 'refused' ? text([report('nobody', TYPE, 'refused')]) : '';
    };
    async function* content() {
      for (const [index, line] of lines.entries()) {
        await sleep(changes[index]!.pause);
        yield text([line as Line]);
      }
      yield await corrupt();
    }
    try {
      await operator.load(content(), abort.signal);
      return changes;
    } catch (error) {
      if (fate === 'commits') throw error;
      if (fate === 'killed') await operator.reconnect();
      return [];
    }
  }

  async #others(operator: Operator, others: History['others']): Promise<void> {
    this.#now = NOW;
    for (const { what, pause } of others) {
      await sleep(pause);
      if (what === 'restart') await this.#stage.restart();
      if (what === 'lag') await this.#stage.lag();
      if (what === 'age') {
        this.#now = new Date(Date.parse(this.#now) + 2 * MS_PER_DAY).toISOString();
        this.#stage.setNow(this.#now);
      }
      if (what === 'prune') await operator.prune(this.#now.slice(0, 10));
    }
  }

  /**
   * Requires that the poller has every visible record in its current state, and that each removed record was received
   * or a gap was reported.
   */
  #compare(
    { store, hasGap }: Poller,
    found: readonly Record<string, unknown>[],
    committed: readonly Change[],
  ): void {
    this.seen += store.size;
    for (const { id, version, isVisible } of found)
      if (isVisible) expect([id, store.get(id as string)]).toEqual([id, version]);
    if (hasGap) return;
    const deleted = new Set(committed.filter(({ what }) => what === 'delete').map(({ id }) => id));
    const remaining = committed.filter(({ id }) => !deleted.has(id)).map(({ id }) => `r-${id}`);
    expect([...store.keys()]).toEqual(expect.arrayContaining(remaining));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#operators.map(operator => operator.end()));
  }
}

/** A client whose stored data survives its crash: the records by id, and the cursor after them. */
class Poller {
  readonly store = new Map<string, number>();
  hasGap = false;
  readonly #stage: Stage;
  readonly #key: string;
  readonly #limit: number;
  #cursor: string;

  constructor(stage: Stage, key: string, after: string, limit: number) {
    this.#stage = stage;
    this.#key = key;
    this.#cursor = after;
    this.#limit = limit;
  }

  /** Waits for a cursor, because removed rows need not be reported to a client without one. */
  async start(): Promise<void> {
    for (const after = this.#cursor; this.#cursor === after; )
      this.#cursor = (await this.#ask(0, 1))?.cursor ?? after;
  }

  async round({ pause, service, fate }: ARound): Promise<void> {
    await sleep(pause);
    const page = await this.#ask(service, this.#limit, fate);
    if (!page || fate === 'lost') return;
    if (page.isGap) this.hasGap = true;
    if (fate === 'storedPartly') return this.#keepHalf(page.records);
    this.#keep(page.records);
    if (fate === 'stored' || fate === 'streamed') this.#cursor = page.cursor;
  }

  /** From the last of the services, once it is up to date. */
  async catchUp(): Promise<void> {
    const last = this.#stage.urls().length - 1;
    for (let isMore = true; isMore; ) {
      const page = await this.#ask(last, this.#limit);
      if (!page) continue;
      if (page.isGap) this.hasGap = true;
      this.#keep(page.records);
      this.#cursor = page.cursor;
      isMore = page.records.length > 0;
    }
  }

  #keep(records: readonly PolledRecord[]): void {
    for (const { id, count } of records) this.store.set(id, count);
  }

  #keepHalf(records: readonly PolledRecord[]): void {
    const half = records.slice(0, Math.ceil(records.length / 2));
    this.#keep(half);
    this.#cursor = half.at(-1)?.cursor ?? this.#cursor;
  }

  /** Undefined if there was no response. */
  async #ask(service: number, limit: number, fate: ARound['fate'] = 'stored'): Promise<Page | undefined> {
    const urls = this.#stage.urls();
    const target = `/export/reports/${TYPE}?after=${this.#cursor}&limit=${limit}&cursors=${fate !== 'streamed'}`;
    const accept = fate === 'streamed' ? 'multipart/mixed' : '*/*';
    const abort = new AbortController();
    try {
      const answer = await fetch(urls[service % urls.length] + target, {
        headers: { authorization: `Bearer ${this.#key}`, accept },
        signal: abort.signal,
      });
      if (fate === 'cut') return void abort.abort();
      const text = await answer.text();
      return answer.status === 200 ? toPage(toParts(answer.headers, text)) : undefined;
    } catch {
      // The service is restarting.
      return undefined;
    }
  }
}

/** A response is a single part, or several. */
function toParts(headers: Headers, text: string): BodyPart[] {
  const type = headers.get('content-type')!;
  return type.startsWith('multipart/') ? splitParts(type, text) : [{ headers, text }];
}

function toPage(parts: readonly BodyPart[]): Page {
  const lines = parts.flatMap(({ text }) => text.split('\n').slice(0, -1));
  return {
    records: lines.map(line => JSON.parse(line)),
    cursor: parts.at(-1)!.headers.get('sightline-cursor')!,
    isGap: parts.some(({ headers }) => headers.get('sightline-gap') === 'true'),
  };
}

interface PolledRecord {
  id: string;
  count: number;
  cursor: string;
}

interface Page {
  records: PolledRecord[];
  cursor: string;
  isGap: boolean;
}
