import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { filesBelow, type OnBytes, standardInput } from '@sightline/import/files';
import type { ImportOptions, Item } from '@sightline/import/item';
import { KnownMails } from '@sightline/import/known-mails';
import type { CommandConnection } from '@sightline/postgres';
import { CommandFailed } from '@sightline/terminal/failure';
import { say } from '@sightline/terminal/output';
import { openPrivate, WholeFile } from '@sightline/terminal/whole-file';
import { Announcer } from '../../sql/changes/announcer.ts';
import { importedMails, noteImportedMails } from '../../sql/feed/imported-mails.ts';
import { missingAccount } from '../../sql/operator/accounts.ts';
import { readConfig } from '../config.ts';
import { type LoadOptions, loadFeed } from '../feed/load.ts';
import { type CommandContext, withOperator } from './context.ts';
import { readEnricher } from './enrichment-files.ts';
import { Importing } from './import-lines.ts';

export interface ImportRun {
  paths: readonly string[];
  options: ImportOptions;
  /** The file for lines of the feed, or `-`; they are loaded where there is none. */
  toFeed: string | undefined;
  /** The file for what is skipped. */
  skipped: string | undefined;
  json: boolean;
}

/** Something was skipped, and the rest is in. */
const INCOMPLETE = 3;
const FAILED = 1;
/** The exit code of a process that Ctrl-C ended. */
const INTERRUPTED = 130;

/** @throws {CommandFailed} where something was skipped, with the summary */
export async function runImport(database: CommandContext, run: ImportRun): Promise<void> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once('SIGINT', interrupt);
  const started = performance.now();
  // Opened at once: an import of an hour must not end with a file that cannot be written.
  const skippedFile = run.skipped === undefined ? undefined : await openPrivate(run.skipped, 'w');
  const importing = new Importing(run.options, interruption.signal, {
    skippedFile,
    isLoaded: run.toFeed === undefined,
  });
  try {
    const items = itemsOf(run.paths, importing.onBytes);
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
  conclude(importing, run.json, (performance.now() - started) / 1000);
}

async function* itemsOf(paths: readonly string[], onBytes: OnBytes): AsyncGenerator<Item> {
  for (const path of paths) {
    if (path === '-') yield standardInput(Date.now(), onBytes);
    else yield* filesBelow(path, onBytes);
  }
}

function conclude({ tally, context }: Importing, json: boolean, seconds: number): void {
  const summary = json ? tally.toJson(context.counts, seconds) : tally.describe(context.counts, seconds);
  if (tally.skippedInAll + tally.unroutedInAll === 0) say(summary);
  else throw new CommandFailed(summary, tally.isAnythingIn ? INCOMPLETE : FAILED);
}

/**
 * Loads the items' lines in one transaction. It also skips lines that only the database can refuse, such as a count
 * that no day can take.
 * @param refuses whether the load is refused instead
 * @throws {LoadRefused}
 */
export async function loadLines(
  database: CommandContext,
  importing: Importing,
  items: AsyncIterable<Item>,
  signal: AbortSignal,
  refuses = false,
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
        ...remembering(importing, refused),
        onWait: () => say('Another load is at work: waiting for it.'),
        ...(!refuses && { rejects: (bytes: Uint8Array) => refused.push(Buffer.from(bytes)) }),
      }),
    );
  });
  importing.tally.settle(summary);
  await importing.refuse(refused, summary.badLines);
}

/**
 * Mails that were read before are not read again. Where routes decide whose reports they are, these may have changed.
 * Where a line was refused, its mail has to be read again.
 */
function knowingMails({ context }: Importing): Pick<LoadOptions, 'onBegin' | 'onEnd'> {
  const { accountId, routes } = context;
  if (accountId === undefined || routes) return {};
  let known: KnownMails;
  return {
    async onBegin(session) {
      known = new KnownMails(context, await importedMails(session, accountId));
      context.known = known;
    },
    async onEnd(session, rejected) {
      if (rejected === 0) await noteImportedMails(session, accountId, known.read);
    },
  };
}

/** Knows mails, and counts what is left out. @param refused lines that the load refuses */
function remembering(
  importing: Importing,
  refused: readonly Buffer[],
): Pick<LoadOptions, 'onBegin' | 'onEnd'> {
  const { onBegin, onEnd } = knowingMails(importing);
  return {
    ...(onBegin && { onBegin }),
    async onEnd(session, rejected) {
      await onEnd?.(session, rejected);
      for (const line of refused) importing.rejected.addLine(line);
      await importing.rejected.count(session);
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
