import { CommandFailed } from '../terminal/failure.ts';
import { readText, replaceText } from '../terminal/whole-file.ts';
import type { ReportedInsights } from './events.ts';
import type { SetAside } from './queue.ts';

/** The delivered events, and those that the receiver has not accepted yet. */
export interface State {
  reported: ReportedInsights;
  setAside: SetAside;
}

/**
 * Reads the state from a file.
 * @throws {CommandFailed} if the file exists but cannot be read, because all insights would then be delivered again
 */
export async function readState(path: string): Promise<State> {
  const text = await readText(path);
  if (text === undefined) return { reported: {}, setAside: {} };
  try {
    const { reported, setAside = {} } = JSON.parse(text) as Partial<State>;
    const isRead =
      isRecord(reported) && Object.values(reported).every(({ insight }) => insight.id) && isRecord(setAside);
    if (isRead && Object.values(setAside).every(({ tries }) => tries > 0))
      return { reported: reported, setAside };
  } catch {
    // Invalid content is reported below.
  }
  throw new CommandFailed(`${path} is not a state file of alerts: remove it to start again`);
}

const isRecord = (value: unknown) => typeof value === 'object' && value !== null;

export async function writeState(path: string, state: State): Promise<void> {
  await replaceText(path, `${JSON.stringify(state)}\n`);
}
