import { SpanKind } from '@opentelemetry/api';
import type { Parameter, Rows, StatementCaller, StatementOptions } from '@sightline/pg-client';
import type { AccountId } from '../../sql/account-id.ts';
import type { Database, TenantRow } from '../../sql/client.ts';
import type { Notes } from './notes.ts';
import { type SpanDescription, type Trace, traceWork } from './tracing.ts';

/** The caller for whom a request sends statements, and the record of these statements. */
interface ObservedCaller extends StatementCaller {
  notes: Notes;
}

/** The database of one request. It counts statements, and records a span for each. */
export class WatchedDatabase implements Database {
  #database: Database;
  #caller: ObservedCaller;
  #trace: Trace | undefined;

  constructor(database: Database, caller: ObservedCaller, trace = caller.notes.trace) {
    this.#database = database;
    this.#caller = caller;
    this.#trace = trace;
  }

  rows<Row extends object>(
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    return this.#watch(text, () => this.#database.rows<Row>(text, parameters, this.#addOptions(options)));
  }

  queryTenant<Row extends TenantRow>(
    accounts: AccountId | readonly AccountId[],
    text: string,
    parameters: readonly Parameter[],
    options?: StatementOptions,
  ): Promise<Rows<Row>> {
    return this.#watch(text, () =>
      this.#database.queryTenant<Row>(accounts, text, parameters, this.#addOptions(options)),
    );
  }

  #addOptions(options: StatementOptions | undefined): StatementOptions {
    // A property after a spread creates a hidden class in V8 for each object, which outlives the request.
    return Object.assign({ caller: this.#caller }, options);
  }

  #watch<Result>(text: string, send: () => Promise<Result>): Promise<Result> {
    this.#caller.notes.statements++;
    return traceWork(this.#trace, () => describe(text), send);
  }
}

/** The first table after `from` or `join`, excluding functions and subqueries. */
const TABLE = /\b(?:from|join)\s+(?:lateral\s+)?([a-z_]+)\b(?!\s*\()/i;

/** Describes a statement without its text and parameters. All statements are reads. */
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
