import { CommandConnection } from '@sightline/postgres';

/**
 * A connection for the operator's commands (migrate, load, keys, prune): it may write and use transactions, and it
 * is never part of the service.
 * @throws {AddressError}
 */
export function connectOperator(url: string): CommandConnection {
  return new CommandConnection(url, { application_name: 'sightline-operator', TimeZone: 'UTC' });
}
