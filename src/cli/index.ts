import { CommandFailed } from '@sightline/terminal/failure';
import { say } from '@sightline/terminal/output';
import { Command, CommanderError } from 'commander';
import { OperatorDatabase } from './context.ts';
import { describeFailure } from './describe-failure.ts';
import { ownKey } from './own-key.ts';

/** Exit codes: done; refused or failed; wrongly used. */
export const DONE = 0;
export const FAILED = 1;
const MISUSED = 2;

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
    await (await program(argv, version, { database, fromFile })).parseAsync(argv, { from: 'user' });
    return DONE;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
    say(describeFailure(error));
    return error instanceof CommandFailed ? error.exitCode : FAILED;
  } finally {
    await database.close();
  }
}

/** The parts that commands are made with. */
interface Surroundings {
  database: OperatorDatabase;
  fromFile: ReadonlySet<string>;
}

/** In the order of the help. Each is loaded when it is asked for, since most of a short command is loading. */
const COMMANDS: Readonly<Record<string, (surroundings: Surroundings) => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serveCommand(),
  dev: async () => (await import('./dev.ts')).devCommand(),
  migrate: async ({ database }) =>
    (await import('./migrate.ts'))
      .migrateCommand(database)
      .hook('preAction', async () => void (await database.openAsItIs())),
  load: async ({ database }) => migrated(database, (await import('./load.ts')).loadCommand(database)),
  prune: async ({ database }) => migrated(database, (await import('./prune.ts')).pruneCommand(database)),
  maintain: async ({ database }) =>
    migrated(database, (await import('./maintain.ts')).maintainCommand(database)),
  account: async ({ database }) => (await import('./account.ts')).accountCommand(database),
  keys: async ({ database }) => migrated(database, (await import('./keys.ts')).keysCommand(database)),
  import: async ({ database }) => (await import('./import.ts')).importCommand(database),
  enrich: async ({ database }) => migrated(database, (await import('./enrich.ts')).enrichCommand(database)),
  collect: async () => (await import('./collect.ts')).collectCommand(),
  export: async () => (await import('./export.ts')).exportCommand(),
  evidence: async () => (await import('@sightline/evidence/command')).evidenceCommand(ownKey),
  alert: async () => (await import('@sightline/alert/command')).alertCommand(ownKey),
  digest: async () => (await import('@sightline/alert/digest-command')).digestCommand(ownKey),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  demo: async () => (await import('@sightline/demo/command')).demoCommand(),
  config: async ({ fromFile }) => (await import('./config.ts')).configCommand(fromFile),
  health: async () => (await import('./health.ts')).healthCommand(),
  doctor: async ({ database }) => (await import('./doctor.ts')).doctorCommand(database),
};

/** A command that needs a migrated database. */
function migrated(database: OperatorDatabase, command: Command): Command {
  return command.hook('preAction', () => database.open());
}

/** With the one command that is named first; with all of them where none is, which asks for help or is a mistake. */
async function program(
  argv: readonly string[],
  version: string,
  surroundings: Surroundings,
): Promise<Command> {
  const root = new Command('sightline')
    .description('The read side of security reporting: an exact REST API and GraphQL over one schema.')
    .version(version, '--version', 'print the version')
    // An option behind a command's own commands is theirs.
    .enablePositionalOptions()
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', '\nSettings are environment variables: "sightline config" prints them.')
    .addHelpText('after', '\nExample:\n  sightline keys create --account acme');
  const [first = ''] = argv;
  const makers = Object.hasOwn(COMMANDS, first) ? [COMMANDS[first]!] : Object.values(COMMANDS);
  for (const make of makers) root.addCommand(await make(surroundings));
  return throwing(root);
}

/** Commander ends the process by itself otherwise, with 1 for wrong usage too. */
function throwing(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(throwing);
  return command;
}
