import type { Preparation } from '../database.ts';
import { ServerError } from './errors.ts';
import { messageType } from './message-type.ts';
import { Outgoing } from './outgoing.ts';
import type { Parameter } from './parameters.ts';
import { describedColumns, type RowFormat, rowFormat } from './row-format.ts';
import { Rows } from './rows.ts';

/** Bytes that are sent at once, though more may come in the same turn. */
const MUCH = 16 * 1024;

/** SQLSTATEs that say that a prepared statement has to be prepared again. */
const STALE = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery']);

interface Transport {
  write(bytes: Buffer): void;
}

/** Takes some of a statement's rows, at least one. */
export type GiveRows = (rows: Rows) => void;

/** A statement as the server knows it. */
interface Statement {
  /** '' for one that is not kept. */
  name: string;
  /** Undefined until it is described, and where it has no rows. */
  format: RowFormat | undefined;
}

/** A statement as it is asked for. */
interface Asked {
  text: string;
  parameters: readonly Parameter[];
  prepare: boolean;
  /** The consumer of rows as they come. */
  give: GiveRows | undefined;
  resolve(rows: Rows): void;
  reject(error: Error): void;
}

/** The same on its way. */
interface Run {
  asked: Asked;
  statement: Statement;
  /** True if the server has parsed it, at this time or before. */
  isParsed: boolean;
  isAgain: boolean;
  stage: Stage;
  /** From when the server has bound the statement. */
  rows: Rows | undefined;
  error: Error | undefined;
}

/** For what follows: a plan is made each time, or one is kept once PostgreSQL takes it for as good. */
const KEEP_PLANS = "select set_config('plan_cache_mode', $1, false)";

/**
 * Statements on a connection that is open (PostgreSQL's protocol 3.0, extended query): several are sent behind each
 * other, those of one turn together, and answered in their order.
 */
export class Wire {
  #transport: Transport;
  #outgoing = new Outgoing();
  /** True if what was written will be sent at the end of the turn. */
  #isWaiting = false;
  /** The oldest first: that is the one which is being answered. */
  #runs: Run[] = [];
  #statements = new Map<string, Statement>();
  #names = 0;
  /** True if the server may keep plans now. In a session of ours it may not at first (`connection.ts`). */
  #keepsPlans: boolean | undefined = false;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** @param give gets rows as they come; the answer then holds those that came last */
  run(text: string, parameters: readonly Parameter[], prepare: Preparation, give?: GiveRows): Promise<Rows> {
    return new Promise((resolve, reject) => {
      if (prepare) this.#keepPlans(prepare === 'planned');
      this.#ask({ text, parameters, prepare: prepare !== false, give, resolve, reject }, false);
    });
  }

  /** Tells the server where it has to do otherwise than for the statement before. */
  #keepPlans(keeps: boolean): void {
    if (this.#keepsPlans === keeps) return;
    this.#keepsPlans = keeps;
    const reject = () => {
      this.#keepsPlans = undefined;
    };
    const parameters = [keeps ? 'auto' : 'force_custom_plan'];
    const asked = { text: KEEP_PLANS, parameters, prepare: true, give: undefined, resolve() {}, reject };
    this.#ask(asked, false);
  }

  /** Nothing comes any more. */
  fail(error: Error): void {
    for (const { asked } of this.#runs.splice(0)) asked.reject(error);
  }

  /**
   * Reads a message of the server.
   * @param at where its body begins in `bytes`
   * @param end where it ends
   * @throws {Error} for an unexpected one
   */
  read(type: number, bytes: Buffer, at: number, end: number): void {
    const run = this.#runs[0];
    if (type === ROW && run?.rows) run.rows.add(bytes, at, end);
    else if (type === ROW && run?.error) return;
    else if (type === ERROR && run) {
      run.error = new ServerError(bytes.toString('utf8', at, end));
      run.stage = 'done';
    }
    // Without a statement an error is why the server closes the connection.
    else if (type !== ERROR && !ANYTIME.has(type)) this.#advance(run, type, bytes, at, end);
  }

  /** @throws {Error} for a message that does not come at this place */
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
    if (!run?.asked.give || !run.rows || run.rows.length === 0) return;
    run.asked.give(run.rows);
    run.rows = new Rows(run.statement.format);
  }

  /**
   * A statement with rows that cannot be read is as good as one that could not be prepared.
   * @throws {Error} where that is no description
   */
  #describe(run: Run, description: Buffer): void {
    const columns = describedColumns(description);
    try {
      run.statement.format = rowFormat(columns);
    } catch (error) {
      run.error = error as Error;
      run.isParsed = false;
    }
  }

  #ask(asked: Asked, isAgain: boolean): void {
    const { text, prepare } = asked;
    const prepared = prepare ? this.#statements.get(text) : undefined;
    // Asked again, it prepares for itself: what another run prepares may fail before it, as it did.
    const known = isAgain ? undefined : prepared;
    if (prepared && !known) this.#outgoing.forget(prepared.name);
    const isParsed = known !== undefined;
    const stage = known ? 'described' : 'sent';
    const statement = known ?? { name: prepare ? `s${++this.#names}` : '', format: undefined };
    const run: Run = { asked, statement, isParsed, isAgain, stage, rows: undefined, error: undefined };
    this.#write(run);
    if (prepare) this.#statements.set(text, statement);
    this.#runs.push(run);
    if (this.#outgoing.length > MUCH) this.#flush();
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    setImmediate(this.#flush);
  }

  /** All of its messages, or none. @throws for parameters that cannot be sent */
  #write({ statement, asked, isParsed }: Run): void {
    const { length } = this.#outgoing;
    try {
      if (!isParsed) this.#outgoing.prepare(statement.name, asked.text);
      this.#outgoing.execute(statement.name, asked.parameters);
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
    const { asked, error, statement, rows, isParsed, isAgain } = run;
    if (!error) return void asked.resolve(rows ?? new Rows(undefined));
    const isStale = 'routine' in error && STALE.has(String(error.routine));
    const isLost = asked.prepare && (isStale || !isParsed);
    if (isLost && this.#statements.get(asked.text) === statement) {
      this.#statements.delete(asked.text);
      this.#outgoing.forget(statement.name);
    }
    // It was prepared before its table changed, or behind one that could not be.
    if (isStale && !isAgain) this.#ask(asked, true);
    else asked.reject(error);
  }
}

const ROW = messageType('D');
const PARSED = messageType('1');
const DESCRIPTION = messageType('T');
const BOUND = messageType('2');
const READY = messageType('Z');
const ERROR = messageType('E');

/** Notices, settings of the session, and that a statement is forgotten. */
const ANYTIME = new Set([...'NSA3'].map(messageType));

type Stage = 'sent' | 'parsed' | 'described' | 'bound' | 'done';

const stages = (next: Record<string, Stage>) =>
  new Map(Object.entries(next).map(([type, stage]) => [messageType(type), stage]));

/**
 * The messages that may follow each of them (PostgreSQL manual, 55.2.3). A statement that is prepared has its
 * parameters and columns first, or says that it has none. Then it is bound, has rows, and is complete or was empty.
 */
const NEXT: Readonly<Record<Stage, ReadonlyMap<number, Stage>>> = {
  sent: stages({ 1: 'parsed' }),
  parsed: stages({ t: 'parsed', T: 'described', n: 'described' }),
  described: stages({ 2: 'bound' }),
  bound: stages({ C: 'done', I: 'done' }),
  done: stages({ Z: 'done' }),
};
