import { Readable } from 'node:stream';
import { ForeignRow, type Snapshot } from '../database.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { inTime } from './in-time.ts';
import { ROW_LIMIT } from './limits.ts';

/**
 * Statements have no timeout, because they run for as long as the client reads. Instead, PostgreSQL checks whether the
 * connection is closed, on systems that support it.
 */
const BEGIN = [
  'begin transaction isolation level repeatable read, read only',
  'set local statement_timeout = 0',
  // A generic plan ignores how selective the filters are.
  'set local plan_cache_mode = force_custom_plan',
  "select case when version() ~ 'linux' then set_config('client_connection_check_interval', '5s', true) end",
];

/** Opens a connection with a transaction that sees a single snapshot from its first statement on. */
export function ownSnapshot(connections: Connections, tenantColumn: string): Snapshot {
  const connection = connections.openOverflow();
  let begun: Promise<unknown> | undefined;
  /** True once all rows have been consumed. */
  let isDone = false;
  let isClosed = false;

  async function* parts<Row extends object>(
    owner: string,
    text: string,
    parameters: readonly Parameter[],
  ): AsyncGenerator<Rows<Row>> {
    isDone = false;
    begun ??= Promise.all(BEGIN.map(statement => connection.run(statement, [], false)));
    try {
      await inTime(begun, ROW_LIMIT);
      const parts = toRows(connection, text, parameters)[Symbol.asyncIterator]();
      for (;;) {
        const { done, value: rows } = await inTime(parts.next(), ROW_LIMIT);
        isDone = done === true;
        if (done) return;
        if (rows.hasForeign(owner, tenantColumn))
          throw new ForeignRow('a statement returned a row of another tenant');
        yield rows as Rows<Row>;
      }
    } catch (error) {
      close();
      throw error;
    }
  }

  /**
   * Ends the transaction. The connection is reused, because a new one costs PostgreSQL more than most exports; it is
   * closed if rows are still arriving.
   */
  function close(): void {
    if (isClosed) return;
    isClosed = true;
    if (!isDone) return void connection.discard();
    connection.run('commit', [], false).catch(() => connection.discard());
    connections.releaseOverflow(connection);
  }

  return { parts, close };
}

/**
 * Returns the rows of a statement in parts, each with the rows of one read or a single large row. Reading pauses while
 * the buffer is full.
 */
function toRows(connection: Connection, text: string, parameters: readonly Parameter[]): AsyncIterable<Rows> {
  const parts = new Readable({
    objectMode: true,
    read: () => connection.resume(),
  });
  // The consumer of the parts handles errors.
  parts.on('error', () => {});
  const give = (rows: Rows) => {
    if (!parts.push(rows)) connection.pause();
  };
  connection.run(text, parameters, false, give).then(
    last => {
      // The consumer can stop while reading is paused, but the next statement needs its answer.
      connection.resume();
      if (last.length > 0) parts.push(last);
      parts.push(null);
    },
    error => parts.destroy(error),
  );
  return parts;
}
