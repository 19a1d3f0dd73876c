import type { ImportOptions } from '@sightline/importer';
import { CommandFailed, INCOMPLETE, INTERRUPTED, openPrivate, say, untilEnded } from '@sightline/tools';
import type { CommandContext } from './context.ts';
import { MailboxImport, type MailboxRun, MailboxTally } from './import-mailbox.ts';
import { conclude, type ImportRun } from './import-run.ts';

/** The location of a mailbox. */
export type MailboxSource = Omit<MailboxRun, 'optionsOf' | 'onBatch' | 'skippedFile' | 'verbose'>;

/**
 * Imports the new mails of a mailbox, and with `follows` those that arrive until SIGTERM.
 * @throws {CommandFailed} with the summary, if a mail was skipped
 */
export async function runMailboxImport(
  database: CommandContext,
  source: MailboxSource,
  follows: boolean,
  { skipped, json, verbose }: ImportRun,
  optionsOf: () => Promise<ImportOptions>,
): Promise<void> {
  const started = performance.now();
  const seconds = () => (performance.now() - started) / 1000;
  const skippedFile = skipped === undefined ? undefined : await openPrivate(skipped, 'w');
  const all = new MailboxTally();
  const onBatch: MailboxRun['onBatch'] = (tally, counts) => {
    if (follows) say(json ? tally.toJson(counts, seconds()) : tally.describe(counts, seconds()));
    else all.add(tally, counts);
  };
  const run = { ...source, skippedFile, verbose, optionsOf, onBatch };
  try {
    await untilEnded(async signal => {
      const importing = new MailboxImport(database, run, signal);
      if (follows) {
        say(`Following ${source.address.name}.`);
        return importing.follow();
      }
      await importing.once().catch(error => {
        if (!signal.aborted) throw error;
        const summary = all.tally.describe(all.counts, seconds());
        throw new CommandFailed(`Interrupted: the next import continues from here. ${summary}`, INTERRUPTED);
      });
    });
  } finally {
    await skippedFile?.close();
  }
  // Mails without a report are not an error. The next import starts after them.
  if (!follows) conclude(all.tally, all.counts, json, seconds(), INCOMPLETE);
}
