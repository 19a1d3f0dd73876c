import { print } from '@sightline/terminal/output';
import { Command } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { type CommandContext, withOperator } from './context.ts';

/** Partitions, retention, order, indexes and statistics: what a database needs that lives long and grows. */
export function maintainCommand(context: CommandContext): Command {
  return new Command('maintain')
    .description('keep the database fast: partitions, retention, order, indexes, statistics')
    .addHelpText(
      'after',
      '\nRun it daily, from cron. It may run at any time, also beside a load or another of its kind.',
    )
    .option('--groups', 'only keep the groups of days and hours that are over')
    .addHelpText('after', 'With --groups it is done in seconds: run that each hour.')
    .addHelpText('after', '\nExample:\n  sightline maintain')
    .action(async ({ groups = false }: { groups?: boolean }) => {
      const today = new Date().toISOString().slice(0, 10);
      const isDone = await withOperator(context, sql =>
        withOperator(context, lock =>
          withOperator(context, second =>
            maintain(sql, lock, {
              announcer: new Announcer(second),
              today,
              tell: print,
              onlyGroups: groups,
            }),
          ),
        ),
      );
      if (!isDone) print('Another run is at work: nothing to do.');
    });
}
