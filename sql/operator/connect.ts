import { CommandConnection } from '@sightline/pg-client';

/**
 * Opens a connection for the operator's commands (migrate, load, keys, prune), with write access and transactions.
 * Never used by the service.
 * @throws {AddressError}
 */
export function connectOperator(url: string): CommandConnection {
  return new CommandConnection(url, { application_name: 'sightline-operator', TimeZone: 'UTC' });
}
