/** A connection ended, or never came about. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost';

  /** A loss for this reason, which may be one itself. */
  static by(error: Error): ConnectionLost {
    return error instanceof ConnectionLost ? error : new ConnectionLost(error.message, { cause: error });
  }
}

/** The fields of an ErrorResponse that are kept, by their letter (PostgreSQL manual, 53.8). */
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

/** An error response of PostgreSQL, with the fields as postgres.js names them. */
export class ServerError extends Error {
  override name = 'PostgresError';
  /** Never translated; missing where a pooler says it. */
  declare readonly severity?: string;
  /** SQLSTATE. */
  declare readonly code: string;
  /** The function of PostgreSQL that said it. */
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
