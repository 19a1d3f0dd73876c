import { readFile } from 'node:fs/promises';
import { BadRoute, type Route, Routes } from '@sightline/importer';
import { CommandFailed } from '@sightline/tools';
import { parse, YAMLError } from 'yaml';
import * as z from 'zod';
import { watchedSites } from '../../sql/operator/accounts.ts';
import { type CommandContext, withOperator } from './context.ts';

/** Used instead of a file name, to route by the hosts of existing accounts. */
export const OF_ACCOUNTS = 'accounts';

/**
 * Reads routes from a file, or from the hosts of accounts. Each line of the file (YAML or JSON) contains a host name or
 * pattern and its account.
 * @throws {CommandFailed}
 */
export async function readRoutes(database: CommandContext, source: string): Promise<Routes> {
  const routes = source === OF_ACCOUNTS ? await routesOfAccounts(database) : await routesOfFile(source);
  try {
    return new Routes(routes);
  } catch (error) {
    if (!(error instanceof BadRoute)) throw error;
    const remedy = source === OF_ACCOUNTS ? ': use a file of routes instead' : '';
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
    // Ids that consist of digits are parsed as text as well.
    return parse(text, { schema: 'failsafe' });
  } catch (error) {
    if (!(error instanceof YAMLError)) throw error;
    const line = error.linePos?.[0].line;
    throw new CommandFailed(
      `${path}${line === undefined ? '' : `:${line}`}: is neither YAML nor JSON: ${error.code}`,
    );
  }
}
