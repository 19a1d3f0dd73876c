import { describeBadLine } from '@sightline/feed';
import { NoRegularFile } from '@sightline/feed/read';
import type { SpoolMetrics } from '@sightline/importer/spool';
import {
  SpoolRefused,
  type SpoolWork,
  type WatchSettings,
  watchFolder,
  watchFolders,
} from '@sightline/importer/spool';
import { DURATION_FORMAT, onOneLine, parseDuration, say, untilEnded } from '@sightline/tools';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { readConfig } from '../config.ts';
import { CountOverflow, LoadRefused } from '../feed/load.ts';

export interface WatchOptions {
  watch?: string;
  every: number;
  remove?: true;
  shared?: true;
}

/** Adds the options for watching a folder to a command. */
export function withWatch(command: Command): Command {
  return command
    .option(
      '--watch <folder>',
      'import new files of this folder until SIGTERM, and move them to done/ or failed/',
    )
    .addOption(
      new Option('--every <time>', 'with --watch: how long from one batch to the next')
        .argParser(parseEvery)
        .default(5000, '5s'),
    )
    .option('--remove', 'with --watch: remove files that were processed')
    .option('--shared', 'with --watch: take a folder that other users may write into, too');
}

function parseEvery(text: string): number {
  const value = parseDuration(text);
  if (value === undefined || value < 100)
    throw new InvalidArgumentError(`Give ${DURATION_FORMAT}, from 100 ms on.`);
  return value;
}

/** Watches until SIGTERM or SIGINT, and completes the current batch. Metrics are available on ADMIN_PORT. */
export function watch(settings: WatchSettings, work: SpoolWork): Promise<void> {
  return runWatch(settings.folder, (metrics, report, signal) =>
    watchFolder(settings, work, metrics, report, signal),
  );
}

/**
 * Watches all subfolders of a folder.
 * @param workOf returns the work for the files of a subfolder, by its name
 */
export function watchRoot(settings: WatchSettings, workOf: (name: string) => SpoolWork): Promise<void> {
  return runWatch(settings.folder, (metrics, report, signal) =>
    watchFolders(settings, workOf, metrics, report, signal),
  );
}

type WatchWork = (
  metrics: SpoolMetrics,
  report: (line: string) => void,
  signal: AbortSignal,
) => Promise<void>;

async function runWatch(folder: string, work: WatchWork): Promise<void> {
  const { host, adminPort } = readConfig();
  // Loaded on demand, because commands for single files do not need them.
  const [{ createSpoolMetrics }, { startAdmin }] = await Promise.all([
    import('@sightline/importer/spool'),
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

/** PostgreSQL's codes for invalid data. */
const DATA_REFUSED = /^2[23][0-9A-Z]{3}$/;

/** Converts errors for which a retry is useless to `SpoolRefused`. */
export function asRefusal(error: unknown): unknown {
  if (error instanceof LoadRefused) {
    const more = error.count - error.badLines.length;
    return new SpoolRefused([
      ...error.badLines.map(describeBadLine),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ]);
  }
  const isRefused =
    error instanceof CountOverflow ||
    error instanceof NoRegularFile ||
    DATA_REFUSED.test(String((error as { code?: unknown }).code));
  return isRefused ? new SpoolRefused([(error as Error).message]) : error;
}
