import { readFile } from 'node:fs/promises';
import { CommandFailed } from '@sightline/terminal/failure';
import { cannotBeWritten, WholeFile } from '@sightline/terminal/whole-file';
import type { Told } from './events.ts';

/**
 * Reads the events that were sent, from a file. @throws {CommandFailed} where it is there and cannot be read: all would
 * be told anew
 */
export async function readTold(path: string): Promise<Told> {
  const text = await readFile(path, 'utf8').catch(error => {
    if (error.code === 'ENOENT') return undefined;
    throw new CommandFailed(`${path} cannot be read: ${error.message}`);
  });
  if (text === undefined) return {};
  try {
    const { told } = JSON.parse(text) as { told?: Told };
    if (typeof told === 'object' && told !== null && Object.values(told).every(({ sign }) => sign.id))
      return told;
  } catch {
    // Below.
  }
  throw new CommandFailed(`${path} holds no state of alerts: remove it to begin anew`);
}

/** Whole, whatever happens to the process. */
export async function writeTold(path: string, told: Told): Promise<void> {
  const file = await WholeFile.open(path);
  try {
    await file.handle.writeFile(`${JSON.stringify({ told })}\n`);
    await file.handle.datasync();
    await file.commit();
  } catch (error) {
    throw cannotBeWritten(path, error);
  }
}
