import postgres, { type Sql } from 'postgres';
import { verification } from '../driver/tls.ts';

/**
 * A connection for the operator's commands (migrate, load, keys, prune): it may write and use transactions,
 * and it is never part of the service. End it with `sql.end({ timeout: 5 })`.
 */
export function connectOperator(url: string): Sql {
  return postgres(url, {
    ...verification(url),
    max: 1,
    // A pooler may not keep named statements, and an operator's command sends few twice.
    prepare: false,
    fetch_types: false,
    connect_timeout: 10,
    onnotice: () => {},
    connection: { application_name: 'sightline-operator', TimeZone: 'UTC' },
  });
}
