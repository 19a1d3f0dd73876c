import { describeBadLine } from '@sightline/feed/bad-lines';
import {
  SpoolRefused,
  type SpoolWork,
  type WatchSettings,
  watchFolder,
  watchFolders,
} from '@sightline/spool';
import type { SpoolMetrics } from '@sightline/spool/metrics';
import { NoRegularFile } from '@sightline/spool/regular-file';
import { DURATION_FORMAT, parseDuration } from '@sightline/terminal/duration';
import { untilEnded } from '@sightline/terminal/ending';
import { onOneLine } from '@sightline/terminal/one-line';
import { say } from '@sightline/terminal/output';
import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { LoadRefused, TooManyCounted } from '../feed/load.ts';

export interface WatchOptions {
  watch?: string;
  every: number;
  remove?: true;
  shared?: true;
}

/** Adds the options of watching to a command that brings files in. */
export function withWatch(command: Command): Command {
  return command
    .option(
      '--watch <folder>',
      'take what comes into this folder, until SIGTERM, and move it to done/ or failed/',
    )
    .option('--every <time>', 'with --watch: how long from one batch to the next', parseEvery, 5000)
    .option('--remove', 'with --watch: remove what is done')
    .option('--shared', 'with --watch: take a folder that other users may write into, too');
}

function parseEvery(text: string): number {
  const value = parseDuration(text);
  if (value === undefined || value < 100)
    throw new InvalidArgumentError(`Give ${DURATION_FORMAT}, from 100 ms on.`);
  return value;
}

/** Works until SIGTERM or SIGINT, and then to the end of the batch. Metrics are on ADMIN_PORT. */
export function watch(settings: WatchSettings, work: SpoolWork): Promise<void> {
  return watching(settings.folder, (metrics, tell, signal) =>
    watchFolder(settings, work, metrics, tell, signal),
  );
}

/** The same of all folders in a folder. @param workOf what becomes of the files of each, by its name */
export function watchRoot(settings: WatchSettings, workOf: (name: string) => SpoolWork): Promise<void> {
  return watching(settings.folder, (metrics, tell, signal) =>
    watchFolders(settings, workOf, metrics, tell, signal),
  );
}

type Watching = (metrics: SpoolMetrics, tell: (line: string) => void, signal: AbortSignal) => Promise<void>;

async function watching(folder: string, work: Watching): Promise<void> {
  const { host, adminPort } = readConfig();
  // A command that only loads or imports a file does not wait for these to be loaded.
  const [{ createSpoolMetrics }, { startAdmin }] = await Promise.all([
    import('@sightline/spool/metrics'),
    import('../http/admin.ts'),
  ]);
  const metrics = createSpoolMetrics();
  const admin = adminPort === undefined ? undefined : await startAdmin({ host, port: adminPort }, metrics);
  try {
    say(`Watching ${folder}.`);
    await untilEnded(signal => work(metrics, line => say(onOneLine(line)), signal));
  } finally {
    admin?.close();
  }
}

/** The codes of PostgreSQL for data that it does not take. */
const DATA_REFUSED = /^2[23][0-9A-Z]{3}$/;

/** As `SpoolRefused` where trying again cannot help. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof LoadRefused) {
    const more = error.count - error.badLines.length;
    return new SpoolRefused([
      ...error.badLines.map(describeBadLine),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ]);
  }
  const isRefused =
    error instanceof TooManyCounted ||
    error instanceof NoRegularFile ||
    DATA_REFUSED.test(String((error as { code?: unknown }).code));
  return isRefused ? new SpoolRefused([(error as Error).message]) : error;
}
