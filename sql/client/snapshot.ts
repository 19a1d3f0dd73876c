import type { AccountId } from '../account-id.ts';
import { ForeignRow, type OwnedRow, type Snapshot } from '../client.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import type { Connection } from './connection.ts';
import { inTime } from './in-time.ts';

/**
 * Milliseconds that a statement of an export may take: with rare filters it looks at many rows for one that it gives.
 */
const LIMIT = 30_000;
const SLACK = 500;

/** A connection of its own, in a transaction that sees one state of the data from its first statement on. */
export class OwnSnapshot implements Snapshot {
  #connection: Connection;
  #begun: Promise<unknown> | undefined;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  async owned<Row extends OwnedRow>(
    account: AccountId,
    text: string,
    parameters: readonly Parameter[],
  ): Promise<Rows<Row>> {
    this.#begun ??= this.#begin();
    await this.#begun;
    const rows = (await this.#run(text, parameters)) as Rows<Row>;
    if (rows.hasForeign(account)) throw new ForeignRow('a statement answered with a row of another account');
    return rows;
  }

  /** The transaction ends with its connection. */
  close(): void {
    this.#connection.discard();
  }

  async #begin(): Promise<void> {
    await this.#run('begin transaction isolation level repeatable read, read only');
    await this.#run(`set local statement_timeout = ${LIMIT}`);
    // A generic plan sees neither which filters there are nor how much of the data they leave.
    await this.#run('set local plan_cache_mode = force_custom_plan');
  }

  async #run(text: string, parameters: readonly Parameter[] = []): Promise<Rows> {
    try {
      return await inTime(this.#connection.run(text, parameters, false), LIMIT + SLACK);
    } catch (error) {
      this.close();
      throw error;
    }
  }
}
