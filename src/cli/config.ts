import { Command } from 'commander';
import { printSettings, readConfig } from '../config.ts';
import { print } from './output.ts';

/** Prints the settings as they stand, and refuses what the service would refuse. */
export function configCommand(): Command {
  return new Command('config')
    .description('print every setting as it stands, passwords hidden')
    .addHelpText('after', '\nExample:\n  PORT=8080 sightline config')
    .action(() => {
      readConfig();
      for (const line of printSettings()) print(line);
    });
}
