import { CommandFailed } from '@sightline/terminal/failure';
import { print, printJson } from '@sightline/terminal/output';
import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { type Config, ConfigurationError, readConfig } from '../config.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { type Finding, fault } from '../doctor/finding.ts';
import type { OperatorDatabase } from './context.ts';

/** Looks at settings, database, replicas and Redis, and says what is wrong and what to do. It changes nothing. */
export function doctorCommand(database: OperatorDatabase): Command {
  return new Command('doctor')
    .description('say what is wrong with the installation, and what to do')
    .option('--json', 'as JSON: an array of findings')
    .addHelpText('after', '\nRun it with the settings of "serve". It ends with 1 where it finds an error.')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://reader@db/sightline sightline doctor')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine(database);
      if (json) printJson(findings);
      else for (const finding of findings) print(lineOf(finding));
      const errors = findings.filter(({ level }) => level === 'error').length;
      if (errors > 0) throw new CommandFailed(errors === 1 ? '1 error' : `${errors} errors`);
    });
}

async function examine(database: OperatorDatabase): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const remedy = 'correct the setting; .env.example says what each may be';
    return error.problems.map(problem => fault('settings', problem, remedy));
  }
  try {
    await database.openAsItIs();
  } catch (error) {
    return [fault('database', (error as Error).message, 'set DATABASE_URL, as docs/operations.md shows')];
  }
  return diagnose(config, database.databaseUrl(), systemClock);
}

function lineOf({ level, check, says, remedy }: Finding): string {
  const line = `${level.padEnd(7)}  ${check}: ${says}`;
  return remedy ? `${line}\n         remedy: ${remedy}` : line;
}
