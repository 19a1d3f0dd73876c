import type { Preparation } from '../database.ts';
import { ServerError } from './errors.ts';
import { messageType } from './message-type.ts';
import { MessageBuffer } from './outgoing.ts';
import type { Parameter } from './parameters.ts';
import { type RowFormat, readColumns, rowFormat } from './row-format.ts';
import { Rows } from './rows.ts';

/** Number of pending bytes above which they are sent before the end of the turn. */
const MUCH = 16 * 1024;

/** PostgreSQL functions whose errors mean that a statement must be prepared again. */
const STALE = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery']);

interface Transport {
  write(bytes: Buffer): void;
}

/** Receives rows of a statement, at least one per call. */
export type GiveRows = (rows: Rows) => void;

/** A statement prepared on the server. */
interface Statement {
  /** The name of the statement; '' for the unnamed one. */
  name: string;
  /** The format of the rows; undefined before the description arrives, and for statements without rows. */
  format: RowFormat | undefined;
}

/** A requested statement. */
interface WireStatement {
  text: string;
  parameters: readonly Parameter[];
  prepare: boolean;
  /** The consumer of rows as they arrive. */
  give: GiveRows | undefined;
  resolve(rows: Rows): void;
  reject(error: Error): void;
}

/** A statement in progress. */
interface Run {
  request: WireStatement;
  statement: Statement;
  /** True if the server has already parsed the statement. */
  isParsed: boolean;
  isAgain: boolean;
  stage: Stage;
  /** Set when the server has bound the statement. */
  rows: Rows | undefined;
  error: Error | undefined;
}

/**
 * Sets the plan mode for later statements: always a custom plan, or a generic plan once PostgreSQL considers it as
 * good.
 */
const KEEP_PLANS = "select set_config('plan_cache_mode', $1, false)";

/**
 * Runs statements with the extended query protocol 3.0. Statements are pipelined; those of one turn are sent together,
 * and all are answered in order.
 */
export class Wire {
  #transport: Transport;
  #outgoing = new MessageBuffer();
  /** True if a flush is scheduled for the end of the turn. */
  #isWaiting = false;
  /** Oldest first: the first one is being answered. */
  #runs: Run[] = [];
  #statements = new Map<string, Statement>();
  #names = 0;
  /** True if the current setting allows generic plans. Sessions start with false (`connection.ts`). */
  #keepsPlans: boolean | undefined = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Runs a statement.
   * @param give receives rows as they arrive; the result then contains only the last ones
   */
  run(text: string, parameters: readonly Parameter[], prepare: Preparation, give?: GiveRows): Promise<Rows> {
    return new Promise((resolve, reject) => {
      if (prepare) this.#keepPlans(prepare === 'planned');
      this.#ask({ text, parameters, prepare: prepare !== false, give, resolve, reject }, false);
    });
  }

  /** Sends the plan mode if it differs from that of the previous statement. */
  #keepPlans(keeps: boolean): void {
    if (this.#keepsPlans === keeps) return;
    this.#keepsPlans = keeps;
    const reject = () => {
      this.#keepsPlans = undefined;
    };
    const parameters = [keeps ? 'auto' : 'force_custom_plan'];
    const request = { text: KEEP_PLANS, parameters, prepare: true, give: undefined, resolve() {}, reject };
    this.#ask(request, false);
  }

  /** Fails all statements, because the connection is lost. */
  fail(error: Error): void {
    for (const { request } of this.#runs.splice(0)) request.reject(error);
  }

  /**
   * Processes a message of the server.
   * @param at start of its body in `bytes`
   * @param end end of the body
   * @throws {Error} for an unexpected message
   */
  read(type: number, bytes: Buffer, at: number, end: number): void {
    const run = this.#runs[0];
    if (type === ROW && run?.rows) run.rows.add(bytes, at, end);
    else if (type === ROW && run?.error) return;
    else if (type === ERROR && run) {
      run.error = new ServerError(bytes.toString('utf8', at, end));
      run.stage = 'done';
    }
    // An error without a statement is the reason why the server closes the connection.
    else if (type !== ERROR && !ANYTIME.has(type)) this.#advance(run, type, bytes, at, end);
  }

  /**
   * Processes a message that belongs to a statement.
   * @throws {Error} for a message that is invalid in this state
   */
  #advance(run: Run | undefined, type: number, bytes: Buffer, at: number, end: number): void {
    const stage = run && NEXT[run.stage].get(type);
    if (!stage) throw new Error('an unexpected message');
    run.stage = stage;
    if (type === PARSED) run.isParsed = true;
    else if (type === DESCRIPTION) this.#describe(run, bytes.subarray(at, end));
    else if (type === BOUND) run.rows = new Rows(run.statement.format);
    else if (type === READY) this.#settle(run);
  }

  flush(): void {
    const [run] = this.#runs;
    run?.rows?.keep();
    if (!run?.request.give || !run.rows || run.rows.length === 0) return;
    run.request.give(run.rows);
    run.rows = new Rows(run.statement.format);
  }

  /**
   * Processes the description of the columns. A statement with unsupported columns fails like one that cannot be
   * prepared.
   * @throws {Error} for a malformed description
   */
  #describe(run: Run, description: Buffer): void {
    const columns = readColumns(description);
    try {
      run.statement.format = rowFormat(columns);
    } catch (error) {
      run.error = error as Error;
      run.isParsed = false;
    }
  }

  #ask(request: WireStatement, isAgain: boolean): void {
    const { text, prepare } = request;
    const prepared = prepare ? this.#statements.get(text) : undefined;
    // A retry prepares the statement itself, because a preparation shared with another run can fail again.
    const existing = isAgain ? undefined : prepared;
    if (prepared && !existing) this.#outgoing.forget(prepared.name);
    const isParsed = existing !== undefined;
    const stage = existing ? 'described' : 'sent';
    const statement = existing ?? { name: prepare ? `s${++this.#names}` : '', format: undefined };
    const run: Run = {
      request: request,
      statement,
      isParsed,
      isAgain,
      stage,
      rows: undefined,
      error: undefined,
    };
    this.#write(run);
    if (prepare) this.#statements.set(text, statement);
    this.#runs.push(run);
    if (this.#outgoing.length > MUCH) this.#flush();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setImmediate(this.#flush);
  }

  /**
   * Writes all messages of a statement, or none.
   * @throws {Error} for parameters that cannot be sent
   */
  #write({ statement, request, isParsed }: Run): void {
    const { length } = this.#outgoing;
    try {
      if (!isParsed) this.#outgoing.prepare(statement.name, request.text);
      this.#outgoing.execute(statement.name, request.parameters);
    } catch (error) {
      this.#outgoing.cut(length);
      throw error;
    }
  }

  #flush = (): void => {
    this.#isWaiting = false;
    if (this.#outgoing.length > 0) this.#transport.write(this.#outgoing.take());
  };

  #settle(run: Run): void {
    run.rows?.keep();
    this.#runs.shift();
    const { request, error, statement, rows, isParsed, isAgain } = run;
    if (!error) return void request.resolve(rows ?? new Rows(undefined));
    const isStale = 'routine' in error && STALE.has(String(error.routine));
    const isLost = request.prepare && (isStale || !isParsed);
    if (isLost && this.#statements.get(request.text) === statement) {
      this.#statements.delete(request.text);
      this.#outgoing.forget(statement.name);
    }
    // The statement was prepared before its table changed, or its preparation failed.
    if (isStale && !isAgain) this.#ask(request, true);
    else request.reject(error);
  }
}

const ROW = messageType('D');
const PARSED = messageType('1');
const DESCRIPTION = messageType('T');
const BOUND = messageType('2');
const READY = messageType('Z');
const ERROR = messageType('E');

/**
 * Message types that can arrive at any time: notices, session settings, and the confirmation that a prepared statement
 * was closed.
 */
const ANYTIME = new Set([...'NSA3'].map(messageType));

type Stage = 'sent' | 'parsed' | 'described' | 'bound' | 'done';

const stages = (next: Record<string, Stage>) =>
  new Map(Object.entries(next).map(([type, stage]) => [messageType(type), stage]));

/**
 * The messages that can follow each state (PostgreSQL manual, 55.2.3). Preparation ends with the parameters and
 * columns, or with "no data". The statement is then bound, returns rows, and completes or was empty.
 */
const NEXT: Readonly<Record<Stage, ReadonlyMap<number, Stage>>> = {
  sent: stages({ 1: 'parsed' }),
  parsed: stages({ t: 'parsed', T: 'described', n: 'described' }),
  described: stages({ 2: 'bound' }),
  bound: stages({ C: 'done', I: 'done' }),
  done: stages({ Z: 'done' }),
};
