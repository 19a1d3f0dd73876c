import { print, StepMeter, say } from '@sightline/tools';
import { Command } from 'commander';
import { migrate } from '../../sql/operator/migrate.ts';
import { type CommandContext, withOperator } from './context.ts';

/** Migrates the database to this version's schema. Of several concurrent runs, one migrates and the others wait. */
export function migrateCommand(context: CommandContext): Command {
  return new Command('migrate')
    .description('migrate the database to this version; several replicas can run it at once')
    .option('--restored', 'the database is a restored copy of a folder or a disk, which cannot be detected')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://owner@db/sightline sightline migrate')
    .action(async ({ restored }: { restored?: true }) => {
      let distributed: string[] = [];
      let isRestored = false;
      const meter = new StepMeter(process.stderr);
      meter.begin('Migrating the database');
      const applied = await withOperator(context, sql =>
        migrate(sql, {
          onDistributed(tables) {
            distributed = tables;
          },
          onRestored() {
            isRestored = true;
          },
          isRestored: restored,
        }),
      ).finally(() => meter.clear());
      for (const { name } of applied) print(name);
      if (distributed.length > 0) say(`Distributed over the servers: ${distributed.join(', ')}.`);
      if (isRestored) say('The database was restored: the versions of all accounts were advanced.');
      say(applied.length === 0 ? 'Nothing to do: the database is up to date.' : `Applied ${applied.length}.`);
    });
}
