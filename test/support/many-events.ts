import { NOW } from './fixtures.ts';

/** SQL for the differences between events, by their number `n`. */
interface Expressions {
  timestamp?: string;
  event?: string;
  message?: string;
  loggedByEmail?: string;
}

/**
 * The statement that stores this many events of an account, numbered from 0. Loading them as feed lines would take most
 * of the time.
 */
export function manyEvents(account: string, count: number, expressions: Expressions): string {
  const {
    timestamp = `timestamptz '${NOW}'`,
    event = "'loginSucceeded'",
    message = "'Event'",
    loggedByEmail = "'ada@example.com'",
  } = expressions;
  return `insert into audit_event
    select '${account}', 'e' || n, ${timestamp}, ${event}, ${message}, 'user-1', ${loggedByEmail}, '192.0.2.1'
    from generate_series(0, ${count - 1}) n`;
}
