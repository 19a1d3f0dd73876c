import { readFile } from 'node:fs/promises';
import { BadRoute, type Route, Routes } from '@sightline/import/routes';
import { CommandFailed } from '@sightline/terminal/failure';
import { parse, YAMLError } from 'yaml';
import * as z from 'zod';
import { watchedSites } from '../../sql/operator/accounts.ts';
import { type CommandContext, withOperator } from './context.ts';

/** Instead of a file: the hosts that accounts were made with. */
export const OF_ACCOUNTS = 'accounts';

/**
 * The routes of a file, or those of the accounts' hosts. Each line of the file, YAML or JSON, has a host name or a
 * pattern, and its account.
 * @throws {CommandFailed}
 */
export async function readRoutes(database: CommandContext, source: string): Promise<Routes> {
  const routes = source === OF_ACCOUNTS ? await routesOfAccounts(database) : await routesOfFile(source);
  try {
    return new Routes(routes);
  } catch (error) {
    if (!(error instanceof BadRoute)) throw error;
    const remedy = source === OF_ACCOUNTS ? ': name a file of routes instead' : '';
    throw new CommandFailed(
      `${source === OF_ACCOUNTS ? '--route accounts' : source}: ${error.message}${remedy}`,
    );
  }
}

async function routesOfAccounts(database: CommandContext): Promise<Route[]> {
  const sites = await withOperator(database, watchedSites);
  if (sites.length === 0)
    throw new CommandFailed(
      '--route accounts: no account has a host: "sightline account change --host" gives one',
    );
  return sites.map(({ site, account }) => [site, account]);
}

const routes = z.record(z.string(), z.string().min(1));

async function routesOfFile(path: string): Promise<Route[]> {
  const text = await readFile(path, 'utf8').catch((error: Error) => {
    throw new CommandFailed(`${path} cannot be read: ${error.message}`);
  });
  const { data } = routes.safeParse(parsed(path, text));
  if (data === undefined || Object.keys(data).length === 0)
    throw new CommandFailed(
      `${path}: must have a host name and the id of its account on each line, as "acme.example: acme"`,
    );
  return Object.entries(data);
}

function parsed(path: string, text: string): unknown {
  try {
    // Ids of digits are texts, too.
    return parse(text, { schema: 'failsafe' });
  } catch (error) {
    if (!(error instanceof YAMLError)) throw error;
    const line = error.linePos?.[0].line;
    throw new CommandFailed(
      `${path}${line === undefined ? '' : `:${line}`}: is neither YAML nor JSON: ${error.code}`,
    );
  }
}
