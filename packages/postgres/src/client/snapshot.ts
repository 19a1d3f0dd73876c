import { Readable } from 'node:stream';
import { ForeignRow, type Snapshot } from '../database.ts';
import type { Parameter } from '../driver/parameters.ts';
import type { Rows } from '../driver/rows.ts';
import type { Connection } from './connection.ts';
import type { Connections } from './connections.ts';
import { inTime } from './in-time.ts';

/** Milliseconds that may pass between two rows: with rare filters PostgreSQL looks at many for one that it gives. */
const LIMIT = 30_000;

/** Parts that have come and were not taken yet. Each is as much as is read at once, or a single large row. */
const MOST_PARTS = 8;

/**
 * No statement has a limit, since it takes as long as the client that reads. So PostgreSQL looks by itself whether it
 * is still wanted, on the systems on which it can.
 */
const BEGIN = [
  'begin transaction isolation level repeatable read, read only',
  'set local statement_timeout = 0',
  // A generic plan sees neither which filters there are nor how much of the data they leave.
  'set local plan_cache_mode = force_custom_plan',
  `select set_config(name, '5s', true) from pg_settings
   where name = 'client_connection_check_interval' and version() ~ 'linux'`,
];

/** A connection of its own, in a transaction that sees one state of the data from its first statement on. */
export function ownSnapshot(connections: Connections, ownerColumn: string): Snapshot {
  const connection = connections.beside();
  let begun: Promise<unknown> | undefined;
  /** True once all rows have been taken. */
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
      await inTime(begun, LIMIT);
      const parts = rowsOf(connection, text, parameters)[Symbol.asyncIterator]();
      for (;;) {
        const { done, value: rows } = await inTime(parts.next(), LIMIT);
        isDone = done === true;
        if (done) return;
        if (rows.hasForeign(owner, ownerColumn))
          throw new ForeignRow('a statement answered with a row of another owner');
        yield rows as Rows<Row>;
      }
    } catch (error) {
      close();
      throw error;
    }
  }

  /**
   * The transaction ends: with its connection where rows are still under way. A connection costs PostgreSQL more than
   * most exports do, so that any other is kept for the next one, whose statements go behind this one's end.
   */
  function close(): void {
    if (isClosed) return;
    isClosed = true;
    if (!isDone) return void connection.discard();
    connection.run('commit', [], false).catch(() => connection.discard());
    connections.keepBeside(connection);
  }

  return { parts, close };
}

/** The parts of a statement's rows: no more is read while as many as may be wait. */
function rowsOf(connection: Connection, text: string, parameters: readonly Parameter[]): AsyncIterable<Rows> {
  const parts = new Readable({
    objectMode: true,
    highWaterMark: MOST_PARTS,
    read: () => connection.resume(),
  });
  // It is for the one who takes the parts.
  parts.on('error', () => {});
  const give = (rows: Rows) => {
    if (!parts.push(rows)) connection.pause();
  };
  connection.run(text, parameters, false, give).then(
    last => {
      // The end may come though no more was to be read: what is sent next needs its answer.
      connection.resume();
      if (last.length > 0) parts.push(last);
      parts.push(null);
    },
    error => parts.destroy(error),
  );
  return parts;
}
