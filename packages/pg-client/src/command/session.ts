import type { Session } from '../dial/dial.ts';
import type { Transport } from '../dial/transport.ts';
import { ConnectionLost, ServerError } from '../driver/errors.ts';
import { messageType } from '../driver/message-type.ts';
import { MessageBuffer, TEXT } from '../driver/outgoing.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Reader } from '../driver/server-messages.ts';
import { readTextRow, type TextColumn, textColumns } from './text-rows.ts';

/** Number of pending bytes up to which the rows of a COPY are sent together with the next ones, or with its end. */
const FEW = 16 * 1024;

/** A session, or a transaction on it. */
export type Statements = Pick<CommandSession, 'query'>;

/** A running statement, until the server is ready for the next one. */
interface Run {
  columns: readonly TextColumn[];
  rows: object[];
  /** The command tag of the last statement, such as `UPDATE 3`. */
  tag: string;
  error: Error | undefined;
  /** The rows of a COPY, in pieces. */
  pieces: Iterable<Buffer>;
  resolve(run: Run): void;
  reject(error: Error): void;
}

/**
 * Runs the statements of a session in order. Once the session is lost, waiting and later statements fail immediately.
 */
export class CommandSession implements Reader {
  #transport: Transport;
  #outgoing = new MessageBuffer();
  #run: Run | undefined;
  /** Settles when the server is ready for the next statement. */
  #last: Promise<unknown> = Promise.resolve();

  constructor({ transport, messages }: Session) {
    this.#transport = transport;
    messages.reader = this;
    transport.onLost = error => this.#run?.reject(this.#run.error ?? ConnectionLost.by(error));
  }

  get isLost(): boolean {
    return this.#transport.lost !== undefined;
  }

  /**
   * Returns the rows of a statement. Without parameters the text can contain several statements; their rows are
   * concatenated.
   */
  async query<Row extends object = Record<string, unknown>>(
    text: string,
    parameters: readonly Parameter[] = [],
  ): Promise<Row[]> {
    return (await this.#ask(text, parameters)).rows as Row[];
  }

  /** Runs a statement and returns the number of rows that it wrote. */
  async count(text: string): Promise<number> {
    return Number((await this.#ask(text)).tag.split(' ').at(-1));
  }

  /**
   * Runs a COPY from STDIN. Short pieces are sent together. A long one is generated when the server has nearly consumed
   * the previous ones, and is sent without copying.
   */
  async copy(text: string, pieces: Iterable<Buffer>): Promise<void> {
    await this.#ask(text, [], pieces);
  }

  /**
   * Commits the transaction.
   * @throws {Error} if one of its statements failed, because PostgreSQL then rolls back without an error
   */
  async commit(): Promise<void> {
    const { tag } = await this.#ask('commit');
    if (tag !== 'COMMIT') throw new Error('the transaction was rolled back because a statement failed');
  }

  /** Closes the session immediately, even during a statement. */
  end(): void {
    if (this.isLost) return;
    this.#outgoing.message(TERMINATE);
    this.#write();
    this.#transport.lose(new ConnectionLost('the connection was ended'));
  }

  read(type: number, bytes: Buffer, at: number, end: number): void {
    const run = this.#run;
    if (run && type === ROW) run.rows.push(readTextRow(run.columns, bytes, at));
    else if (run && type === DESCRIPTION) run.columns = textColumns(bytes.subarray(at, end));
    else if (run && type === COMPLETE) run.tag = bytes.toString('utf8', at, end - 1);
    else if (run && type === COPY_IN) void this.#copyIn(run);
    else if (run && type === READY) this.#settle(run);
    else if (run && type === ERROR) run.error ??= new ServerError(bytes.toString('utf8', at, end));
    // An error without a statement is the reason why the server closes the connection.
    else if (type !== ERROR && !IGNORED.has(type)) throw new Error('an unexpected message');
  }

  flush(): void {}

  #ask(text: string, parameters: readonly Parameter[] = [], pieces: Iterable<Buffer> = []): Promise<Run> {
    const begin = (resolve: Run['resolve'], reject: Run['reject']) => {
      if (this.#transport.lost) throw ConnectionLost.by(this.#transport.lost);
      if (parameters.length > 0) {
        this.#outgoing.prepare('', text);
        this.#outgoing.execute('', parameters, TEXT);
      } else this.#outgoing.message(QUERY, text);
      this.#run = { columns: [], rows: [], tag: '', error: undefined, pieces, resolve, reject };
      this.#write();
    };
    const answer = this.#last.then(() => new Promise(begin));
    this.#last = answer.catch(() => {});
    return answer;
  }

  #write(): void {
    this.#transport.write(this.#outgoing.take());
  }

  #settle(run: Run): void {
    this.#run = undefined;
    if (run.error) run.reject(run.error);
    else run.resolve(run);
  }

  /** Sends the rows of a COPY until the server refuses one, after which it ignores the rest. */
  async #copyIn(run: Run): Promise<void> {
    // The connection's own buffer may be needed by the next statement before the last piece is generated.
    const outgoing = new MessageBuffer();
    try {
      let sent: Promise<void> | undefined;
      for (const piece of run.pieces) {
        const isShort = outgoing.length + piece.length <= FEW;
        outgoing.rows(piece, isShort);
        if (isShort) continue;
        // This piece was generated while the previous one was being sent.
        await sent;
        if (run.error || this.isLost) return;
        sent = this.#transport.send(outgoing.take(), piece);
      }
      outgoing.message(COPY_DONE);
    } catch (error) {
      run.error ??= error as Error;
      outgoing.message(COPY_FAIL, 'its rows cannot be returned');
    }
    if (!this.isLost) this.#transport.write(outgoing.take());
  }
}

/** The message of a simple query: one or more statements, whose rows are returned as text. */
const QUERY = messageType('Q');
const COPY_DONE = messageType('c');
const COPY_FAIL = messageType('f');
/** The message that ends the session. */
const TERMINATE = messageType('X');

const ROW = messageType('D');
const DESCRIPTION = messageType('T');
const COMPLETE = messageType('C');
const COPY_IN = messageType('G');
const READY = messageType('Z');
const ERROR = messageType('E');

/** Message types that are ignored: notices, settings, and messages of the extended protocol without content. */
const IGNORED = new Set([...'NS12tnI'].map(messageType));
