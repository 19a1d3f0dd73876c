import type { Parameter, Rows, StatementOptions } from '@sightline/pg-client';
import type { AccountId } from '../sql/account-id.ts';
import { LONGEST_ANSWER } from '../sql/answer-size.ts';
import type { Database, TenantRow } from '../sql/client.ts';
import { PublicError } from './errors.ts';

/**
 * The size limit of a response on `/graphql`. Its lists share the limit that `/v1` has for a single list. The whole
 * response can be twice as large, because texts grow as JSON.
 */
export class AnswerBudget {
  readonly #lists: number;
  readonly #whole: number;
  #read = 0;
  /** Resolves when the latest list has been read. */
  #lastList: Promise<unknown> = Promise.resolve();

  /** @param lists maximum size of all lists, in bytes */
  constructor(lists = LONGEST_ANSWER) {
    this.#lists = lists;
    this.#whole = 2 * lists;
  }

  /**
   * Reads a list once the previous ones are complete, so that the order in the document determines which lists are
   * truncated.
   * @param read receives the number of bytes left
   * @throws {PublicError} LIMIT_EXCEEDED if no bytes are left
   */
  inTurn<Result>(read: (left: number) => Promise<Result>): Promise<Result> {
    const list = this.#lastList.then(() => {
      const left = this.#lists - this.#read;
      if (left <= 0) throw createLimitError('The lists of the answer are', this.#lists);
      return read(left);
    });
    this.#lastList = list.catch(() => {});
    return list;
  }

  /** The number of bytes that the response's statements have read so far. */
  get read(): number {
    return this.#read;
  }

  /** Wraps a database so that its results count against the limit. */
  of(database: Database): Database {
    const countRows = async <Row extends object>(send: () => Promise<Rows<Row>>) => {
      this.check(this.#read);
      const rows = await send();
      this.#read += rows.bytes;
      this.check(this.#read);
      return rows;
    };
    return {
      rows: <Row extends object>(
        text: string,
        parameters: readonly Parameter[],
        options?: StatementOptions,
      ) => countRows(() => database.rows<Row>(text, parameters, options)),
      queryTenant: <Row extends TenantRow>(
        accounts: AccountId | readonly AccountId[],
        text: string,
        parameters: readonly Parameter[],
        options?: StatementOptions,
      ) => countRows(() => database.queryTenant<Row>(accounts, text, parameters, options)),
    };
  }

  /** @throws {PublicError} LIMIT_EXCEEDED if the response would exceed the limit */
  check(bytes: number): void {
    if (bytes > this.#whole) throw createLimitError('The answer is', this.#whole);
  }
}

const MIB = 1024 * 1024;

function createLimitError(subject: string, max: number): PublicError {
  const message = `${subject} longer than ${max / MIB} MiB: ask for less at once.`;
  return new PublicError('LIMIT_EXCEEDED', message, { limit: 'bytes', max });
}
