import { print, printJson } from '@sightline/tools';
import { Command } from 'commander';
import { readConfig, settingValues } from '../config.ts';

/**
 * Prints the effective settings, and refuses what the service would refuse.
 * @param fromFile names of the settings that are defined in `.env`
 */
export function configCommand(fromFile: ReadonlySet<string>): Command {
  return new Command('config')
    .description('print the value of every setting, with hidden passwords')
    .option('--json', 'as JSON, which also says where each value comes from')
    .addHelpText('after', '\nExample:\n  PORT=8080 sightline config')
    .action(({ json }: { json?: true }) => {
      readConfig();
      const values = settingValues(fromFile);
      if (json) printJson(values);
      else for (const { name, value } of values) print(`${name}=${value}`);
    });
}
