import { type OnBytes, spooledFile } from '@sightline/import/files';
import type { ImportOptions, Item } from '@sightline/import/item';
import type { SpoolFile, SpoolOutcome, SpoolWork } from '@sightline/spool';
import type { CommandContext } from './context.ts';
import { Importing } from './import-lines.ts';
import { loadLines } from './import-run.ts';
import { asRefusal } from './watch.ts';

/** Reasons that are written beside a file. */
const MOST_REASONS = 100;

/**
 * Imports what comes into a folder, by the options as they are then: routes may change meanwhile. A file of which anything was skipped goes to `failed/`, and the rest of it is in.
 */
export function importWork(database: CommandContext, optionsOf: () => Promise<ImportOptions>): SpoolWork {
  return {
    async run(files) {
      try {
        return await importBatch(database, await optionsOf(), files);
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
): Promise<SpoolOutcome> {
  const failures = new Map<string, Set<string>>();
  let current = '';
  const started = performance.now();
  // A batch that is begun is brought to its end.
  const never = new AbortController().signal;
  const fail = (reason: string) => {
    const reasons = failures.get(current) ?? new Set();
    if (reasons.size < MOST_REASONS) reasons.add(reason);
    failures.set(current, reasons);
  };
  const importing = new Importing(options, never, {
    onSkip: ({ place, reason, detail }) => fail(`${place} ${reason}${detail && `: ${detail}`}`),
    onUnrouted: domain => fail(`has reports of ${domain || 'no domain'}, which is of no account`),
  });
  async function* items(onBytes: OnBytes): AsyncGenerator<Item> {
    for (const file of files) {
      current = file.name;
      yield spooledFile(file, onBytes);
    }
  }
  try {
    // With several files in one load, it would be unclear whose line was refused.
    await loadLines(database, importing, items(importing.onBytes), never, files.length > 1);
  } finally {
    importing.close();
  }
  const { tally, context } = importing;
  const summary = tally.describe(context.counts, (performance.now() - started) / 1000);
  const reasons = new Map([...failures].map(([name, found]) => [name, [...found]]));
  return { records: tally.records, failures: reasons, summary };
}
