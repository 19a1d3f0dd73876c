import { SpanKind } from '@opentelemetry/api';
import type { Asker, Parameter, Rows, StatementOptions } from '@sightline/postgres';
import type { AccountId } from '../../sql/account-id.ts';
import type { Database, OwnedRow } from '../../sql/client.ts';
import type { Notes } from './notes.ts';
import { type SpanDescription, type Trace, traced } from './tracing.ts';

/** For whom a request sends statements, and where they are noted. */
interface Watched extends Asker {
  notes: Notes;
}

/** The database as one request sees it: each statement is noted, and has a span within the given one. */
export class WatchedDatabase implements Database {
  #database: Database;
  #asker: Watched;
  #trace: Trace | undefined;

  constructor(database: Database, asker: Watched, trace = asker.notes.trace) {
    this.#database = database;
    this.#asker = asker;
    this.#trace = trace;
  }

  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    return this.#watch(text, () => this.#database.rows<Row>(text, parameters, this.#asked(options)));
  }

  owned<Row extends OwnedRow>(
    accounts: AccountId | readonly AccountId[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    return this.#watch(text, () =>
      this.#database.owned<Row>(accounts, text, parameters, this.#asked(options)),
    );
  }

  #asked(options: StatementOptions | undefined): StatementOptions {
    // A field behind a spread gives each object a shape of its own in V8, and those outlive their requests.
    return Object.assign({ asker: this.#asker }, options);
  }

  #watch<Result>(text: string, send: () => Promise<Result>): Promise<Result> {
    this.#asker.notes.statements++;
    return traced(this.#trace, () => describe(text), send);
  }
}

/** The first table, not a function or a subquery. */
const TABLE = /\b(?:from|join)\s+(?:lateral\s+)?([a-z_]+)\b(?!\s*\()/i;

/** Neither the statement's parameters nor its text; there is nothing but reading. */
function describe(text: string): SpanDescription {
  const table = TABLE.exec(text)?.[1];
  return {
    name: table ? `SELECT ${table}` : 'SELECT',
    kind: SpanKind.CLIENT,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      ...(table && { 'db.collection.name': table }),
    },
  };
}
