import { CommandFailed, print } from '@sightline/tools';
import { Command } from 'commander';
import { httpAddress, readConfig } from '../config.ts';

/** The time limit in milliseconds. The service waits for its database for at most one second. */
const LIMIT = 3000;

/** Checks whether the service on this machine with the same settings is ready, for containers and supervisors. */
export function healthCommand(): Command {
  return new Command('health')
    .description('query /readyz of the service on HOST and PORT; exits with 0 if the service is ready')
    .addHelpText('after', '\nIt exits with 1 if the service is not running, not ready, or shutting down.')
    .addHelpText('after', '\nExample:\n  PORT=8080 sightline health')
    .action(async () => {
      const { host, port } = readConfig();
      if (port === 0) throw new CommandFailed('PORT is 0: a service on any free port cannot be queried');
      const url = `${httpAddress(host, port)}/readyz`;
      const status = await getStatus(url);
      if (status !== 200) throw new CommandFailed(`Not ready: ${url} answers ${status}`);
      print('Ready');
    });
}

async function getStatus(url: string): Promise<number> {
  try {
    const { status } = await fetch(url, { signal: AbortSignal.timeout(LIMIT) });
    return status;
  } catch (error) {
    const { cause, message } = error as Error;
    throw new CommandFailed(`Not ready: ${url} (${cause instanceof Error ? cause.message : message})`);
  }
}
