import type { ImportOptions, Item } from '@sightline/importer';
import { type OnBytes, spooledFile } from '@sightline/importer';
import type { SpoolFile, SpoolOutcome, SpoolWork } from '@sightline/importer/spool';
import type { CommandContext } from './context.ts';
import { ImportSession } from './import-lines.ts';
import { loadLines } from './import-run.ts';
import { asRefusal } from './watch.ts';

/** The maximum number of reasons written next to a file. */
const MOST_REASONS = 100;

/**
 * Imports new files of a folder with the current options, because routes can change. A file with skipped parts goes to
 * `failed/`; the rest of it is imported.
 */
export function importWork(database: CommandContext, optionsOf: () => Promise<ImportOptions>): SpoolWork {
  return {
    async run(files, limit) {
      try {
        return await importBatch(database, await optionsOf(), files, limit);
      } catch (error) {
        throw asRefusal(error);
      }
    },
  };
}

async function importBatch(
  database: CommandContext,
  options: ImportOptions,
  files: readonly SpoolFile[],
  limit: number,
): Promise<SpoolOutcome> {
  const failures = new Map<string, Set<string>>();
  let current = '';
  const started = performance.now();
  let taken = 0;
  // A batch that has started is completed.
  const never = new AbortController().signal;
  const fail = (reason: string) => {
    const reasons = failures.get(current) ?? new Set();
    if (reasons.size < MOST_REASONS) reasons.add(reason);
    failures.set(current, reasons);
  };
  const importing = new ImportSession(options, never, {
    onSkip: ({ place, reason, detail }) => fail(`${place} ${reason}${detail && `: ${detail}`}`),
    onUnrouted: domain => fail(`has reports of ${domain || 'no domain'}, which belongs to no account`),
  });
  async function* items(onBytes: OnBytes): AsyncGenerator<Item> {
    // The time spent waiting for another load does not count.
    const begin = performance.now();
    for (const file of files) {
      if (taken > 0 && performance.now() - begin > limit) return;
      taken++;
      current = file.name;
      yield spooledFile(file, onBytes);
    }
  }
  try {
    // With several files in one load, it would be unclear which file contains a refused line.
    await loadLines(database, importing, items(importing.onBytes), never, {
      refuses: files.length > 1,
    });
  } finally {
    importing.close();
  }
  const { tally, context } = importing;
  const summary = tally.describe(context.counts, (performance.now() - started) / 1000);
  const reasons = new Map([...failures].map(([name, found]) => [name, [...found]]));
  return { taken, records: tally.records, failures: reasons, summary };
}
