/** A connection ended, or could not be opened. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';

  /** Wraps an error, unless it is already a `ConnectionLost`. */
  static by(error: Error): ConnectionLost {
    return error instanceof ConnectionLost ? error : new ConnectionLost(error.message, { cause: error });
  }
}

/** Returns the code of the system or PostgreSQL, which belongs to the innermost cause of an error. */
export function findCode(error: Error): string {
  if (error.cause instanceof Error) return findCode(error.cause);
  return String((error as { code?: unknown }).code);
}

/** The stored fields of an ErrorResponse, by their letter (PostgreSQL manual, 53.8). */
const FIELDS: Readonly<Record<string, string>> = {
  V: 'severity',
  C: 'code',
  M: 'message',
  D: 'detail',
  H: 'hint',
  P: 'position',
  W: 'where',
  s: 'schema_name',
  t: 'table_name',
  c: 'column_name',
  n: 'constraint_name',
  R: 'routine',
};

/** An error that PostgreSQL returned, with the same property names as in postgres.js. */
export class ServerError extends Error {
  override name = 'PostgresError';
  /** The untranslated severity; absent in a pooler's own messages. */
  declare readonly severity?: string;
  /** SQLSTATE. */
  declare readonly code: string;
  /** The function of PostgreSQL that raised the error. */
  declare readonly routine?: string;

  /** @param fields the body of an ErrorResponse */
  constructor(body: string) {
    super('an error without a message');
    for (const field of body.split('\0')) {
      const name = FIELDS[field.charAt(0)];
      if (name) Object.assign(this, { [name]: field.slice(1) });
    }
  }
}
