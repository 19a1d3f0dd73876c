import { CommandFailed, print, printJson } from '@sightline/tools';
import { Command } from 'commander';
import { systemClock } from '../clock.ts';
import { type Config, ConfigurationError, readConfig } from '../config.ts';
import { diagnose } from '../doctor/diagnose.ts';
import { type Diagnosis, fault } from '../doctor/finding.ts';
import type { OperatorDatabase } from './context.ts';

/** Examines settings, database, replicas and Redis; prints each fault with its remedy. Changes nothing. */
export function doctorCommand(database: OperatorDatabase): Command {
  return new Command('doctor')
    .description('diagnose the installation, and suggest remedies')
    .option('--json', 'as JSON: an array of findings')
    .addHelpText('after', '\nRun it with the settings of "serve". It exits with 1 if it finds an error.')
    .addHelpText('after', '\nExample:\n  DATABASE_URL=postgres://reader@db/sightline sightline doctor')
    .action(async ({ json }: { json?: true }) => {
      const findings = await examine(database);
      if (json) printJson(findings);
      else for (const finding of findings) print(toLine(finding));
      const errors = findings.filter(({ level }) => level === 'error').length;
      if (errors > 0) throw new CommandFailed(errors === 1 ? '1 error' : `${errors} errors`);
    });
}

async function examine(database: OperatorDatabase): Promise<Diagnosis[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    const remedy = 'correct the setting; .env.example lists the valid values';
    return error.problems.map(problem => fault('settings', problem, remedy));
  }
  try {
    await database.openAsItIs();
  } catch (error) {
    return [
      fault('database', (error as Error).message, 'set DATABASE_URL as described in docs/operations.md'),
    ];
  }
  return diagnose(config, database.databaseUrl(), systemClock);
}

function toLine({ level, check, says, remedy }: Diagnosis): string {
  const line = `${level.padEnd(7)}  ${check}: ${says}`;
  return remedy ? `${line}\n         remedy: ${remedy}` : line;
}
