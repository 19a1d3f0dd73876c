import { CommandFailed } from '@sightline/terminal/failure';
import { readConfig } from '../config.ts';

/** The key of a command that reads a running service. @throws {CommandFailed} where there is none */
export function ownKey(): string {
  const { key } = readConfig();
  if (!key) throw new CommandFailed('SIGHTLINE_KEY is not set: it is the key of the account to read');
  return key;
}
