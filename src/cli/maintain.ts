import { print, StepMeter } from '@sightline/tools';
import { Command } from 'commander';
import { Announcer } from '../../sql/changes/announcer.ts';
import { maintain } from '../../sql/maintenance/maintain.ts';
import { readOthersAgain } from '../feed/read-others-again.ts';
import { type CommandContext, withOperator } from './context.ts';

/** Maintains partitions, retention, order, indexes and statistics. */
export function maintainCommand(context: CommandContext): Command {
  return new Command('maintain')
    .description('keep the database fast: partitions, retention, order, indexes, statistics')
    .addHelpText(
      'after',
      '\nRun it daily, from cron. It is safe at any time, even during a load or another maintain.',
    )
    .option('--groups', 'only compute the rollups of past days and hours')
    .addHelpText('after', 'With --groups it takes seconds: run it every hour.')
    .addHelpText('after', '\nExample:\n  sightline maintain')
    .action(async ({ groups = false }: { groups?: boolean }) => {
      const today = new Date().toISOString().slice(0, 10);
      const meter = new StepMeter(process.stderr);
      const isDone = await withOperator(context, sql =>
        withOperator(context, lock =>
          withOperator(context, second =>
            maintain(sql, lock, {
              announcer: new Announcer(second),
              today,
              report(sentence) {
                meter.clear();
                print(sentence);
              },
              begin: step => meter.begin(step),
              onlyGroups: groups,
              readOthersAgain,
            }),
          ),
        ),
      ).finally(() => meter.clear());
      if (!isDone) print('Another run is active: nothing to do.');
    });
}
