import { print, printJson } from '@sightline/terminal/output';
import { Command } from 'commander';
import { readConfig, settingValues } from '../config.ts';

/**
 * Prints the settings as they stand, and refuses what the service would refuse.
 * @param fromFile settings that the environment has from the file `.env`
 */
export function configCommand(fromFile: ReadonlySet<string>): Command {
  return new Command('config')
    .description('print every setting as it stands, passwords hidden')
    .option('--json', 'as JSON, which also says where each value comes from')
    .addHelpText('after', '\nExample:\n  PORT=8080 sightline config')
    .action(({ json }: { json?: true }) => {
      readConfig();
      const values = settingValues(fromFile);
      if (json) printJson(values);
      else for (const { name, value } of values) print(`${name}=${value}`);
    });
}
