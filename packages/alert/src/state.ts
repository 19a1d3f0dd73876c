import { CommandFailed } from '@sightline/terminal/failure';
import { readText, replaceText } from '@sightline/terminal/whole-file';
import type { Told } from './events.ts';

/**
 * Reads the events that were sent, from a file. @throws {CommandFailed} where it is there and cannot be read: all would
 * be told anew
 */
export async function readTold(path: string): Promise<Told> {
  const text = await readText(path);
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

export async function writeTold(path: string, told: Told): Promise<void> {
  await replaceText(path, `${JSON.stringify({ told })}\n`);
}
