import { isObject } from '@sightline/reports';
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
    const { reported, setAside = {} } = JSON.parse(text) as State;
    if (isObject(reported) && isObject(setAside)) {
      const isRead = Object.values(reported).every(isReported) && Object.values(setAside).every(isSetAside);
      if (isRead) return { reported, setAside };
    }
  } catch {
    // Invalid content is reported below.
  }
  throw new CommandFailed(`${path} is not a state file of alerts: remove it to start again`);
}

const isTime = (value: unknown) => typeof value === 'string' && !Number.isNaN(Date.parse(value));

/** An entry without its event would never be reported as resolved. */
const isReported = ({ event, insight, at }: ReportedInsights[string]) =>
  ['new', 'resolved'].includes(event) && Boolean(insight.id) && isTime(at);

/** An entry without a time would never be tried again. */
const isSetAside = ({ tries, due }: SetAside[string]) => tries > 0 && isTime(due);

export async function writeState(path: string, state: State): Promise<void> {
  await replaceText(path, `${JSON.stringify(state)}\n`);
}
