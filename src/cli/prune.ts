import { print, StepMeter } from '@sightline/tools';
import { Command } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import { countExpired, prune } from '../../sql/maintenance/prune.ts';
import { type CommandContext, withOperator } from './context.ts';

/** Removes the raw reports that are past their account's retention. The daily counts stay. */
export function pruneCommand(context: CommandContext): Command {
  return new Command('prune')
    .description("remove the reports that are past their account's retention; counts and audit trail stay")
    .option('--dry-run', 'print how many it would remove, without removing any')
    .addHelpText('after', '\nIt is safe at any time, even during a load.')
    .addHelpText('after', '\nExample:\n  sightline prune')
    .action(async ({ dryRun }: { dryRun?: true }) => {
      const today = new Date().toISOString().slice(0, 10);
      const meter = new StepMeter(process.stderr);
      meter.begin('Looking for reports past their retention');
      const reports = await withOperator(context, async sql => {
        if (dryRun) return countExpired(sql, today);
        const { reports } = await withOperator(context, second => prune(sql, new Announcer(second), today));
        return reports;
      }).finally(() => meter.clear());
      print(`${dryRun ? 'Would remove' : 'Removed'} ${reports} ${reports === 1 ? 'report' : 'reports'}.`);
    });
}
