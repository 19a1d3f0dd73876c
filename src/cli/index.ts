import { Command, CommanderError } from 'commander';
import { configCommand } from './config.ts';
import { OperatorDatabase } from './context.ts';
import { demoCommand } from './demo.ts';
import { describeFailure } from './describe-failure.ts';
import { devCommand } from './dev.ts';
import { doctorCommand } from './doctor.ts';
import { exportCommand } from './export.ts';
import { CommandFailed } from './failure.ts';
import { healthCommand } from './health.ts';
import { importCommand } from './import.ts';
import { keysCommand } from './keys.ts';
import { loadCommand } from './load.ts';
import { maintainCommand } from './maintain.ts';
import { mcpCommand } from './mcp.ts';
import { migrateCommand } from './migrate.ts';
import { say } from './output.ts';
import { pruneCommand } from './prune.ts';
import { serveCommand } from './serve.ts';

/** Exit codes: done; refused or failed; wrongly used. */
export const DONE = 0;
export const FAILED = 1;
export const MISUSED = 2;

/**
 * Runs one command, and answers with the process's exit code.
 * @param fromFile names of what the environment has from the file `.env`
 */
export async function run(
  argv: readonly string[],
  version: string,
  fromFile: ReadonlySet<string> = new Set(),
): Promise<number> {
  const database = new OperatorDatabase();
  try {
    await program(database, version, fromFile).parseAsync(argv, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
    say(describeFailure(error));
    return error instanceof CommandFailed ? error.exitCode : FAILED;
  } finally {
    await database.close();
  }
}

function program(database: OperatorDatabase, version: string, fromFile: ReadonlySet<string>): Command {
  const migrated = [
    loadCommand(database),
    pruneCommand(database),
    maintainCommand(database),
    keysCommand(database),
  ];
  for (const command of migrated) command.hook('preAction', () => database.open());

  const root = new Command('sightline')
    .description('The read side of security reporting: an exact REST API and GraphQL over one schema.')
    .version(version, '--version', 'print the version')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', '\nSettings are environment variables: "sightline config" prints them.')
    .addHelpText('after', '\nExample:\n  sightline keys create --account acme');
  const commands = [
    serveCommand(),
    devCommand(),
    migrateCommand(database).hook('preAction', async () => void (await database.openAsItIs())),
    ...migrated,
    importCommand(database),
    exportCommand(),
    mcpCommand(),
    demoCommand(),
    configCommand(fromFile),
    healthCommand(),
    doctorCommand(database),
  ];
  for (const command of commands) root.addCommand(command);
  return throwing(root);
}

/** Commander ends the process by itself otherwise, with 1 for wrong usage too. */
function throwing(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(throwing);
  return command;
}
