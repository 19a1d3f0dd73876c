export { type BreakerEvents, isServersFault } from './client/breaker.ts';
export { mostBeyond, type Surroundings } from './client/connections.ts';
export { connect, type ServerClient } from './client/guard.ts';
export { inTime } from './client/in-time.ts';
export { CommandConnection } from './command/connection.ts';
export type { CommandSession, Statements } from './command/session.ts';
export {
  type Asker,
  type Database,
  type DatabaseClient,
  type DatabaseCounters,
  DatabaseLost,
  DatabaseUnavailable,
  ForeignRow,
  type ReadSettings,
  type Snapshot,
  type StatementOptions,
} from './database.ts';
export { parseAddress } from './dial/address.ts';
export { type DialOptions, dial, type Session } from './dial/dial.ts';
export { Hosts } from './dial/hosts.ts';
export { AddressError } from './dial/uri.ts';
export { dayNumber, readInteger } from './driver/binary-values.ts';
export { ConnectionLost, ServerError } from './driver/errors.ts';
export { Packed, type PackedField } from './driver/packed.ts';
export { arrayText, type Parameter, parameterText } from './driver/parameters.ts';
export type { JsonField, JsonFields } from './driver/row-writer.ts';
export { NEWLINE, Rows } from './driver/rows.ts';
export { TextWriter, type WrittenText } from './driver/text-writer.ts';
export type { ValueKind } from './driver/value-kind.ts';
export { digits, plainTextAt } from './driver/value-writers.ts';
