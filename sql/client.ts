import postgres from 'postgres';
import type { AccountId } from './account-id.ts';

/** What PostgreSQL takes as a parameter here; dates go in as ISO 8601 text. */
export type Parameter =
  | string
  | number
  | boolean
  | null
  | Uint8Array
  | readonly string[]
  | readonly Uint8Array[];

/** A row of owned data says whose it is. */
export interface OwnedRow {
  account_id: AccountId;
}

export interface ReadSettings {
  url: string;
  /** Connections held at most, and statements at work at most. */
  poolSize: number;
  /** Milliseconds after which PostgreSQL ends a statement. */
  statementTimeout: number;
  /** Milliseconds a statement may wait for a free connection. */
  queueTimeout: number;
  /** Statements that may wait for a free connection. */
  queueLimit: number;
  /** Named statements; off behind a pooler that cannot keep them (PgBouncer before 1.21). */
  prepare: boolean;
  /** The role to step down to, or '' where the login itself may only read. */
  role: string;
}

/** The database did not answer in time, or is not there. The public learns no more than "500". */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
}

/** A row of another account was about to leave `sql/`. */
export class ForeignRow extends Error {
  override name = 'ForeignRow';
}

/** What is at work at the moment, and what has been since the start. */
export interface DatabaseCounters {
  poolSize: number;
  /** Statements at work. */
  running: number;
  /** Statements that wait for a free connection. */
  waiting: number;
  /** Statements that ended, and the milliseconds that they were at work. */
  ended: { count: number; milliseconds: number };
  /** Of those, the ones that ended with an error. */
  failed: number;
  /** Statements that had to wait and were begun, and the milliseconds that they waited. */
  waited: { count: number; milliseconds: number };
  /** Statements that were never sent: the queue was full, or no connection became free in time. */
  refused: { full: number; late: number };
  /** How often connections that did not answer were given up, all at once. */
  replacements: number;
}

/** The read side of PostgreSQL: single statements only, every one answered within a bound. */
export interface Database {
  /** Statements sent since the start. */
  readonly statements: number;
  readonly counters: DatabaseCounters;
  /** Rows that belong to no account. */
  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Row[]>;
  /**
   * Rows of the given account, or accounts: the second fence.
   * @throws {ForeignRow} when the statement answers with a row of any other account
   */
  owned<Row extends OwnedRow>(
    accounts: AccountId | readonly AccountId[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Row[]>;
  /** A statement past the queue, for readiness: it must not wait behind the users' queries. */
  ping(timeout: number): Promise<void>;
  end(): Promise<void>;
}

export interface StatementOptions {
  /** Whether the statement's text recurs, so that preparing it pays. Default: true. */
  prepare?: boolean;
}

/** PostgreSQL's own text for timestamps and dates is passed on: the schema's scalars format it. */
const types = {
  bigint: { to: 20, from: [20], parse: Number, serialize: String },
  texts: { to: 1009, from: [1009], parse: parseArray, serialize: toArray },
  byteas: { to: 1001, from: [1001], parse: parseArray, serialize: toArray },
  temporal: {
    to: 1184,
    from: [1082, 1114, 1184],
    parse: (text: string) => text,
    serialize: (text: string) => text,
  },
};

/** An array literal; the driver would ask the catalogue for each array type at every connection instead. */
function toArray(items: readonly (string | Uint8Array)[]): string {
  return `{${items.map(item => `"${toElement(item).replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function toElement(item: string | Uint8Array): string {
  return typeof item === 'string' ? item : `\\x${Buffer.from(item).toString('hex')}`;
}

/** Arrays of one dimension, and without nulls: others are not stored. */
function parseArray(text: string): string[] {
  if (text === '{}') return [];
  return [...text.matchAll(/"((?:[^"\\]|\\.)*)"|[^{},]+/gs)].map(([item, quoted]) =>
    quoted === undefined ? item : quoted.replace(/\\(.)/gs, '$1'),
  );
}

type Driver = ReturnType<typeof postgres>;

interface Work {
  text: string;
  parameters: readonly Parameter[];
  prepare: boolean;
  resolve: (rows: never[]) => void;
  reject: (error: Error) => void;
  /** Since when it waits or runs, and by when that must be over: milliseconds of the monotonic clock. */
  since: number;
  deadline: number;
  settled: boolean;
}

/**
 * The guard around the driver. The driver can leave a statement pending for ever when its connection is
 * lost, so nothing waits for it without a deadline, and the first deadline missed replaces the driver.
 */
class GuardedDatabase implements Database {
  statements = 0;
  #settings: ReadSettings;
  #driver: Driver;
  #running = new Set<Work>();
  #waiting: Work[] = [];
  #ended = { count: 0, milliseconds: 0 };
  #failed = 0;
  #waited = { count: 0, milliseconds: 0 };
  #refused = { full: 0, late: 0 };
  #replacements = 0;
  #sweep: NodeJS.Timeout | undefined;

  constructor(settings: ReadSettings) {
    this.#settings = settings;
    this.#driver = this.#connect();
  }

  get counters(): DatabaseCounters {
    return {
      poolSize: this.#settings.poolSize,
      running: this.#running.size,
      waiting: this.#waiting.length,
      ended: { ...this.#ended },
      failed: this.#failed,
      waited: { ...this.#waited },
      refused: { ...this.#refused },
      replacements: this.#replacements,
    };
  }

  #connect(): Driver {
    const { url, poolSize, prepare, role, statementTimeout } = this.#settings;
    return postgres(url, {
      max: poolSize,
      prepare,
      types: types as never,
      fetch_types: false,
      connect_timeout: 2,
      idle_timeout: 300,
      onnotice: () => {},
      backoff: attempts => Math.min(1, 0.05 * 2 ** attempts),
      // A pooler refuses start-up parameters; there the login's own settings hold (docs/operations.md).
      connection: prepare
        ? {
            application_name: 'sightline',
            TimeZone: 'UTC',
            statement_timeout: statementTimeout,
            // A generic plan does not see which filters are absent, and reads the whole month.
            plan_cache_mode: 'force_custom_plan',
            ...(role && { role }),
          }
        : { application_name: 'sightline' },
    });
  }

  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Row[]> {
    return new Promise<Row[]>((resolve, reject) => {
      const prepare = this.#settings.prepare && options?.prepare !== false;
      const work: Work = {
        text,
        parameters,
        prepare,
        resolve,
        reject,
        since: 0,
        deadline: 0,
        settled: false,
      };
      if (this.#running.size < this.#settings.poolSize) return this.#start(work);
      if (this.#waiting.length >= this.#settings.queueLimit) {
        this.#refused.full++;
        return reject(new DatabaseUnavailable('too many statements are waiting'));
      }
      work.since = performance.now();
      work.deadline = work.since + this.#settings.queueTimeout;
      this.#waiting.push(work);
    });
  }

  async owned<Row extends OwnedRow>(
    accounts: AccountId | readonly AccountId[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Row[]> {
    const rows = await this.rows<Row>(text, parameters, options);
    const isForeign =
      typeof accounts === 'string'
        ? (row: Row) => row.account_id !== accounts
        : (row: Row) => !accounts.includes(row.account_id);
    if (rows.some(isForeign)) throw new ForeignRow('a statement answered with a row of another account');
    return rows;
  }

  async ping(timeout: number): Promise<void> {
    const driver = this.#driver;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new DatabaseUnavailable('the database did not answer in time')),
        timeout,
      );
    });
    const answer = driver.unsafe('select 1');
    answer.catch(() => {});
    try {
      await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async end(): Promise<void> {
    clearInterval(this.#sweep);
    await this.#driver.end({ timeout: 1 });
  }

  #start(work: Work): void {
    const { statementTimeout } = this.#settings;
    work.since = performance.now();
    work.deadline = work.since + statementTimeout + 500;
    this.#running.add(work);
    this.#sweep ??= setInterval(() => this.#expire(), 100).unref();
    this.statements++;
    this.#driver.unsafe(work.text, work.parameters as never[], { prepare: work.prepare }).then(
      rows => this.#settle(work, () => work.resolve(rows as never)),
      error => this.#fail(work, error),
    );
  }

  #fail(work: Work, error: Error): void {
    this.#settle(work, () => {
      this.#failed++;
      work.reject(error);
    });
  }

  #settle(work: Work, answer: () => void): void {
    if (work.settled) return;
    work.settled = true;
    this.#running.delete(work);
    add(this.#ended, work.since);
    answer();
    const next = this.#waiting.shift();
    if (!next) return;
    add(this.#waited, next.since);
    this.#start(next);
  }

  #expire(): void {
    const now = performance.now();
    // Deadlines are a constant apart from their start, so the oldest comes first in both.
    while (this.#waiting[0] && this.#waiting[0].deadline < now) {
      this.#refused.late++;
      this.#waiting.shift()?.reject(new DatabaseUnavailable('no connection became free in time'));
    }
    const oldest = this.#running.values().next().value;
    if (oldest && oldest.deadline < now) this.#replaceDriver();
  }

  #replaceDriver(): void {
    const lost = [...this.#running];
    const old = this.#driver;
    this.#replacements++;
    this.#driver = this.#connect();
    old.end({ timeout: 0 }).catch(() => {});
    for (const work of lost) {
      this.#fail(work, new DatabaseUnavailable('the database did not answer in time'));
    }
  }
}

function add(sum: { count: number; milliseconds: number }, since: number): void {
  sum.count++;
  sum.milliseconds += performance.now() - since;
}

/** Connects lazily: it answers at once, also while the database is away. */
export function connect(settings: ReadSettings): Database {
  return new GuardedDatabase(settings);
}
