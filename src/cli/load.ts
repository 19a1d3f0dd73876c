import { type BadLineReport, describeBadLine } from '@sightline/feed';
import { type FeedSource, fileSource, regularSource } from '@sightline/feed/read';
import type { SpoolWork } from '@sightline/importer/spool';
import {
  CommandFailed,
  describeProgress,
  INCOMPLETE,
  INTERRUPTED,
  LoadMeter,
  onOneLine,
  print,
  say,
} from '@sightline/tools';
import { Command } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import { type Counts, type LoadProgress, LoadRefused, type LoadSummary, loadFeed } from '../feed/load.ts';
import type { LineKind } from '../feed/options.ts';
import { type CommandContext, withOperator } from './context.ts';
import { RejectsFile } from './rejects.ts';
import { asRefusal, type WatchOptions, watch, withWatch } from './watch.ts';

interface Options extends WatchOptions {
  skipInvalid?: string;
  dryRun?: true;
  withAccounts?: true;
}

/** Loads feeds in one transaction. */
export function loadCommand(context: CommandContext): Command {
  const command = withWatch(new Command('load'))
    .description('load feeds of newline-delimited JSON, gzipped or not, in a single transaction')
    .argument('[file...]', 'files, one after the other; - for standard input')
    .option(
      '--skip-invalid <rejects>',
      'load the valid lines, and write the invalid ones to this file unchanged',
    )
    .option('--with-accounts', 'with --watch: take lines of accounts and of their keys, too')
    .option('--dry-run', 'check everything, including against the loaded data, without loading')
    .addHelpText('after', '\nExit code 3: bad lines were set aside, and the rest was loaded.')
    .addHelpText('after', '\nExample:\n  sightline load accounts.ndjson reports.ndjson.gz')
    .action((files: string[], options: Options) => {
      const { watch: folder, skipInvalid, dryRun } = options;
      if ((folder === undefined) === (files.length === 0))
        command.error('error: name files to load, or a folder to watch');
      if (folder === undefined) return load(context, files, options);
      if (skipInvalid !== undefined || dryRun)
        command.error('error: --watch cannot be combined with --skip-invalid or --dry-run');
      const { every, remove = false, shared = false, withAccounts = false } = options;
      return watch({ folder, every, remove, shared }, loadWork(context, withAccounts));
    });
  return command;
}

/**
 * Record kinds that a watched folder can load only with the operator's permission, since a key grants access to all
 * data of an account.
 */
const WITHHELD: ReadonlySet<LineKind> = new Set<LineKind>(['account', 'apiKey']);

/** Loads new files of a folder. */
function loadWork(context: CommandContext, withAccounts: boolean): SpoolWork {
  const options = withAccounts ? {} : { withheld: WITHHELD };
  return {
    async run(files) {
      try {
        const sources = files.map(({ path, source, size }) => regularSource(path, source, size));
        const summary = await withOperator(context, sql =>
          withOperator(context, second => loadFeed(sql, new Announcer(second), sources, options)),
        );
        return {
          taken: files.length,
          records: summary.records,
          failures: new Map(),
          summary: describeSummary(summary, false),
        };
      } catch (error) {
        throw asRefusal(error);
      }
    },
  };
}

async function load(context: CommandContext, files: string[], given: Options): Promise<void> {
  const { skipInvalid: rejects, dryRun = false } = given;
  const sources = await Promise.all(files.map(openSource));
  const rejectsFile = rejects === undefined ? undefined : await RejectsFile.open(rejects, files);
  const meter = new LoadMeter(process.stderr);
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  try {
    const options = {
      signal: interruption.signal,
      isTrial: dryRun,
      onWait: () => say('Another load is running: waiting for it.'),
      onProgress: (progress: LoadProgress) => meter.show(seconds => describeProgress(progress, seconds)),
      ...(rejectsFile && { rejects: (bytes: Uint8Array) => rejectsFile.write(bytes) }),
    };
    const summary = await withOperator(context, sql =>
      withOperator(context, second => loadFeed(sql, new Announcer(second), sources, options)),
    );
    meter.clear();
    reportBadLines(summary.badLines, summary.rejected);
    print(describeSummary(summary, dryRun));
    if (summary.cut > 0)
      say(`${summary.cut} of the bad lines are longer than 64 KiB, and truncated in ${rejects}.`);
    if (summary.rejected > 0)
      throw new CommandFailed(describeRejected(summary.rejected, rejects!, dryRun), INCOMPLETE);
  } catch (error) {
    meter.clear();
    throw describeRefusal(error, interruption.signal);
  } finally {
    process.off('SIGINT', interrupt);
    await rejectsFile?.close();
  }
}

async function openSource(file: string): Promise<FeedSource> {
  if (file === '-') return { name: '-', content: process.stdin };
  try {
    return await fileSource(file);
  } catch (error) {
    throw new CommandFailed(`${file} cannot be read: ${(error as Error).message}`);
  }
}

function describeRefusal(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new CommandFailed('Interrupted: nothing was loaded.', INTERRUPTED);
  if (!(error instanceof LoadRefused)) return error;
  reportBadLines(error.badLines, error.count);
  return new CommandFailed(`${error.message}: nothing was loaded.`);
}

function reportBadLines(first: readonly BadLineReport[], count: number): void {
  for (const badLine of first) say(onOneLine(describeBadLine(badLine)));
  if (count > first.length) say(`… and ${count - first.length} more`);
}

function describeRejected(count: number, path: string, dryRun: boolean): string {
  const rest = dryRun ? 'the rest would be loaded' : 'the rest is loaded';
  return `${count} bad ${count === 1 ? 'line is' : 'lines are'} in ${path}; ${rest}.`;
}

function describeSummary(
  { records, repeated, pastRetention, rejected, seconds }: LoadSummary,
  dryRun: boolean,
): string {
  const counts = Object.entries(records).filter(([, count]) => count > 0);
  const loaded =
    counts.length === 0 ? 'nothing' : counts.map(([kind, count]) => `${kind} ${count}`).join(', ');
  const [existing, old] = [repeated, pastRetention].map(sum);
  return [
    `${dryRun ? 'Would load' : 'Loaded'} ${loaded}`,
    ...(existing ? [`repeated ${existing}`] : []),
    ...(old ? [`past retention: ${old}`] : []),
    `rejected ${rejected}`,
    `${seconds.toFixed(1)} s`,
  ].join('; ');
}

function sum(counts: Counts): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}
