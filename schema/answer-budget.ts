import type { Parameter, Rows, StatementOptions } from '@sightline/postgres';
import type { AccountId } from '../sql/account-id.ts';
import { LONGEST_ANSWER } from '../sql/answer-size.ts';
import type { Database, OwnedRow } from '../sql/client.ts';
import { PublicError } from './errors.ts';

/**
 * The bounds of one answer of `/graphql`. Its lists share what the one list of an answer of `/v1` has. The answer as
 * a whole has twice that, read or written: texts grow as they become JSON.
 */
export class AnswerBudget {
  readonly #lists: number;
  readonly #whole: number;
  #read = 0;
  /** Ends with the list that was asked for last. */
  #lastList: Promise<unknown> = Promise.resolve();

  /** @param lists bytes */
  constructor(lists = LONGEST_ANSWER) {
    this.#lists = lists;
    this.#whole = 2 * lists;
  }

  /**
   * Reads a list once those before it were read: which of them end early then follows from the document alone.
   * @param read gets the bytes that are left
   * @throws {PublicError} LIMIT_EXCEEDED where none are
   */
  inTurn<Result>(read: (left: number) => Promise<Result>): Promise<Result> {
    const list = this.#lastList.then(() => {
      const left = this.#lists - this.#read;
      if (left <= 0) throw exceeded('The lists of the answer are', this.#lists);
      return read(left);
    });
    this.#lastList = list.catch(() => {});
    return list;
  }

  /** The same database, until it has given as much as an answer may come to. */
  of(database: Database): Database {
    const counted = async <Row extends object>(send: () => Promise<Rows<Row>>) => {
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
      ) => counted(() => database.rows<Row>(text, parameters, options)),
      owned: <Row extends OwnedRow>(
        accounts: AccountId | readonly AccountId[],
        text: string,
        parameters: readonly Parameter[],
        options?: StatementOptions,
      ) => counted(() => database.owned<Row>(accounts, text, parameters, options)),
    };
  }

  /** @throws {PublicError} LIMIT_EXCEEDED where an answer of so many bytes is too long */
  check(bytes: number): void {
    if (bytes > this.#whole) throw exceeded('The answer is', this.#whole);
  }
}

const MIB = 1024 * 1024;

function exceeded(subject: string, max: number): PublicError {
  const message = `${subject} longer than ${max / MIB} MiB: ask for less at once.`;
  return new PublicError('LIMIT_EXCEEDED', message, { limit: 'bytes', max });
}
