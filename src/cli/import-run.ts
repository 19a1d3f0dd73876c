import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportCounts, ImportOptions, ImportTally, Item } from '@sightline/importer';
import { filesBelow, KnownMails, type OnBytes, standardInput } from '@sightline/importer';
import type { CommandConnection } from '@sightline/pg-client';
import { CommandFailed, INCOMPLETE, INTERRUPTED, openPrivate, say, WholeFile } from '@sightline/tools';
import { Announcer } from '../../sql/changes/announcer.ts';
import { importedMails, noteImportedMails } from '../../sql/feed/imported-mails.ts';
import type { LoadSession } from '../../sql/feed/session.ts';
import { missingAccount } from '../../sql/operator/accounts.ts';
import { readConfig } from '../config.ts';
import { type LoadOptions, loadFeed } from '../feed/load.ts';
import { type CommandContext, withOperator } from './context.ts';
import { readEnricher } from './enrichment-files.ts';
import { ImportSession } from './import-lines.ts';

export interface ImportRun {
  paths: readonly string[];
  options: ImportOptions;
  /** The output file for lines of the feed, or `-`. If absent, the lines are loaded. */
  toFeed: string | undefined;
  /** The output file for skipped items. */
  skipped: string | undefined;
  json: boolean;
  /** True to print each file with its number of records. */
  verbose: boolean;
}

const FAILED = 1;

/** @throws {CommandFailed} with the summary, if something was skipped */
export async function runImport(database: CommandContext, run: ImportRun): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  const started = performance.now();
  // Opened before the import, so a long import cannot fail at the end because the file is not writable.
  const skippedFile = run.skipped === undefined ? undefined : await openPrivate(run.skipped, 'w');
  const importing = new ImportSession(run.options, interruption.signal, {
    skippedFile,
    isVerbose: run.verbose,
    isLoaded: run.toFeed === undefined,
  });
  try {
    const items = toItems(run.paths, importing.onBytes);
    if (run.toFeed === undefined) await loadLines(database, importing, items, interruption.signal);
    else await writeLines(run.toFeed, importing.lines(items));
  } catch (error) {
    if (interruption.signal.aborted)
      throw new CommandFailed('Interrupted: nothing was imported.', INTERRUPTED);
    throw error;
  } finally {
    process.off('SIGINT', interrupt);
    importing.close();
    await skippedFile?.close();
  }
  const { tally, context } = importing;
  conclude(tally, context.counts, run.json, (performance.now() - started) / 1000);
}

async function* toItems(paths: readonly string[], onBytes: OnBytes): AsyncGenerator<Item> {
  for (const path of paths) {
    if (path === '-') yield standardInput(Date.now(), onBytes);
    else yield* filesBelow(path, onBytes);
  }
}

/** @param failed the exit code if something was skipped and nothing was loaded */
export function conclude(
  tally: ImportTally,
  counts: ImportCounts,
  json: boolean,
  seconds: number,
  failed = FAILED,
): void {
  const summary = json ? tally.toJson(counts, seconds) : tally.describe(counts, seconds);
  if (tally.skippedInAll + tally.unroutedInAll === 0) say(summary);
  else throw new CommandFailed(summary, tally.isAnythingIn ? INCOMPLETE : failed);
}

interface LoadLinesOptions {
  /** True to refuse the whole load for a bad line. */
  refuses?: boolean;
  /** Called at the end of the load's transaction. */
  onEnd?: (session: LoadSession) => Promise<void>;
}

/**
 * Loads the items' lines in one transaction. Also skips lines that only the database can refuse, such as a count that
 * would overflow a day.
 * @throws {LoadRefused}
 */
export async function loadLines(
  database: CommandContext,
  importing: ImportSession,
  items: AsyncIterable<Item>,
  signal: AbortSignal,
  { refuses = false, onEnd }: LoadLinesOptions = {},
): Promise<void> {
  const refused: Buffer[] = [];
  const enricher = await readEnricher(readConfig().enrich);
  const summary = await withOperator(database, async sql => {
    await requireAccounts(sql, importing.context);
    return withOperator(database, second =>
      loadFeed(sql, new Announcer(second), [{ name: 'import', content: importing.lines(items) }], {
        signal,
        makesAllMonths: true,
        enrich: enricher?.missing,
        ...remembering(importing, refused, onEnd),
        onWait: () => say('Another load is running: waiting for it.'),
        ...(!refuses && { rejects: (bytes: Uint8Array) => refused.push(Buffer.from(bytes)) }),
      }),
    );
  });
  importing.tally.settle(summary);
  await importing.refuse(refused, summary.badLines);
}

/**
 * Recognises mails of earlier imports and skips them. Mails are imported again if there are routes, which can have
 * changed, and after a line was refused.
 */
function knowingMails({ context }: ImportSession): Pick<LoadOptions, 'onBegin' | 'onEnd'> {
  const { accountId, routes } = context;
  if (accountId === undefined || routes) return {};
  let seen: KnownMails;
  return {
    async onBegin(session) {
      seen = new KnownMails(context, await importedMails(session, accountId));
      context.seen = seen;
      context.copies.seen = seen;
    },
    async onEnd(session, rejected) {
      if (rejected === 0) await noteImportedMails(session, accountId, seen.read);
    },
  };
}

/**
 * Recognises mails that were imported before.
 * @param refused lines that the load refused
 */
function remembering(
  importing: ImportSession,
  refused: readonly Buffer[],
  atEnd: LoadLinesOptions['onEnd'],
): Pick<LoadOptions, 'onBegin' | 'onEnd'> {
  const { onBegin, onEnd } = knowingMails(importing);
  return {
    ...(onBegin && { onBegin }),
    async onEnd(session, rejected) {
      await onEnd?.(session, rejected);
      for (const line of refused) importing.rejected.addLine(line);
      await importing.rejected.count(session);
      await atEnd?.(session);
    },
  };
}

async function requireAccounts(sql: CommandConnection, { accountId, routes }: ImportOptions): Promise<void> {
  const named = [...(accountId === undefined ? [] : [accountId]), ...(routes?.accounts ?? [])];
  const missing = await missingAccount(sql, named);
  if (missing !== undefined)
    throw new CommandFailed(`There is no account "${missing}": nothing was imported.`);
}

async function writeLines(path: string, texts: AsyncIterable<string>): Promise<void> {
  const lines = Readable.from(texts, { highWaterMark: 2 });
  if (path === '-') {
    await pipeline(lines, process.stdout, { end: false }).catch(error => {
      if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
    });
    return;
  }
  const file = await WholeFile.open(path);
  try {
    await pipeline(lines, file.handle.createWriteStream());
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}
