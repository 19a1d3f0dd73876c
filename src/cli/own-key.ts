import { CommandFailed } from '@sightline/tools';
import { readConfig } from '../config.ts';

/**
 * Reads the key of a command that calls a running service.
 * @throws {CommandFailed} if there is no key
 */
export function ownKey(): string {
  const { key } = readConfig();
  if (!key) throw new CommandFailed('SIGHTLINE_KEY is not set: set it to a key of the account');
  return key;
}
