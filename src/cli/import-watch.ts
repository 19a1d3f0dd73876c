import type { ImportOptions, Item } from '../import/item.ts';
import type { SpoolFile } from '../spool/spool.ts';
import type { SpoolOutcome, SpoolWork } from '../spool/watch.ts';
import type { CommandContext } from './context.ts';
import { filesBelow, type OnBytes } from './import-files.ts';
import { Importing } from './import-lines.ts';
import { loadLines } from './import-run.ts';
import { asRefusal } from './watch.ts';

/** Reasons that are written beside a file. */
const MOST_REASONS = 100;

/**
 * Imports what comes into a folder. A file of which anything was skipped goes to `failed/`, and the rest of it is in.
 */
export function importWork(database: CommandContext, options: ImportOptions): SpoolWork {
  return {
    async run(files) {
      try {
        return await importBatch(database, options, files);
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
  const failures = new Map<string, string[]>();
  let current = '';
  const started = performance.now();
  // A batch that is begun is brought to its end.
  const never = new AbortController().signal;
  const importing = new Importing(options, never, {
    onSkip({ place, reason, detail }) {
      const reasons = failures.get(current) ?? [];
      if (reasons.length < MOST_REASONS) reasons.push(`${place} ${reason}${detail && `: ${detail}`}`);
      failures.set(current, reasons);
    },
  });
  async function* items(onBytes: OnBytes): AsyncGenerator<Item> {
    for (const { name, path } of files) {
      current = name;
      yield* filesBelow(path, onBytes);
    }
  }
  try {
    // Of several files it would not be known whose line was refused.
    await loadLines(database, importing, items(importing.onBytes), never, files.length > 1);
  } finally {
    importing.close();
  }
  const { tally, context } = importing;
  const summary = tally.describe(context.counts, (performance.now() - started) / 1000);
  return { records: tally.records, failures, summary };
}
