import cluster from 'node:cluster';
import { CommandFailed, say } from '@sightline/tools';
import { Command, CommanderError } from 'commander';
import { misspeltSettings } from '../config.ts';
import { OperatorDatabase } from './context.ts';
import { describeFailure } from './describe-failure.ts';
import { ownKey } from './own-key.ts';

/** Exit codes: success; refusal or failure; incorrect usage. */
export const DONE = 0;
export const FAILED = 1;
const MISUSED = 2;

/**
 * Runs one command, and returns the exit code.
 * @param fromFile names of the environment variables that are defined in `.env`
 */
export async function run(
  argv: readonly string[],
  version: string,
  fromFile: ReadonlySet<string> = new Set(),
): Promise<number> {
  const database = new OperatorDatabase();
  if (cluster.isPrimary) warnOfMisspelt();
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

function warnOfMisspelt(): void {
  for (const { name, nearest } of misspeltSettings())
    say(`Warning: ${name} is not a setting of Sightline and has no effect. Did you mean ${nearest}?`);
}

/** The dependencies of commands. */
interface CliDeps {
  database: OperatorDatabase;
  fromFile: ReadonlySet<string>;
}

/** In the order of the help text. Each is loaded on demand, since loading takes most of a short command's time. */
const COMMANDS: Readonly<Record<string, (deps: CliDeps) => Promise<Command>>> = {
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
  evidence: async () => (await import('@sightline/tools/commands')).evidenceCommand(ownKey),
  policy: async () => (await import('@sightline/tools/commands')).policyCommand(ownKey),
  alert: async () => (await import('@sightline/tools/commands')).alertCommand(ownKey),
  digest: async () => (await import('@sightline/tools/commands')).digestCommand(ownKey),
  mcp: async () => (await import('./mcp.ts')).mcpCommand(),
  demo: async () => (await import('@sightline/demo/command')).demoCommand(),
  config: async ({ fromFile }) => (await import('./config.ts')).configCommand(fromFile),
  health: async () => (await import('./health.ts')).healthCommand(),
  doctor: async ({ database }) => (await import('./doctor.ts')).doctorCommand(database),
};

/** Wraps a command that needs a migrated database. */
function migrated(database: OperatorDatabase, command: Command): Command {
  return command.hook('preAction', () => database.open());
}

/** Returns the named command, or all commands for the help or an error message, and none to print the version. */
function selectCommands([first = '']: readonly string[]) {
  if (first === '--version') return [];
  return Object.hasOwn(COMMANDS, first) ? [COMMANDS[first]!] : Object.values(COMMANDS);
}

async function program(argv: readonly string[], version: string, deps: CliDeps): Promise<Command> {
  const root = new Command('sightline')
    .description('The read side of security reporting: an exact REST API and GraphQL over one schema.')
    .version(version, '--version', 'print the version')
    // Options after a subcommand belong to that subcommand.
    .enablePositionalOptions()
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', '\nSettings are environment variables: "sightline config" prints them.')
    .addHelpText('after', '\nExample:\n  sightline keys create --account acme');
  for (const make of selectCommands(argv)) root.addCommand(await make(deps));
  return throwing(root);
}

/** By default, Commander ends the process, with exit code 1 even for incorrect usage. */
function throwing(command: Command): Command {
  command.exitOverride();
  command.commands.forEach(throwing);
  return command;
}
