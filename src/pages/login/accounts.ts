import { readFileSync, statSync } from 'node:fs';
import * as z from 'zod';

/** Maps people to the accounts that they can see. */
export interface AccountMap {
  /** Returns distinct ids of accounts. */
  listAccounts(user: string, groups: readonly string[]): string[];
}

const names = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const file = z.strictObject({ users: names.optional(), groups: names.optional() });

/** The interval between checks of the file, in milliseconds. */
const LOOK_AFTER = 1000;

/**
 * Reads the file that maps users and groups to accounts: `users` and `groups`, each with account ids by name. It is
 * read again when it changes. If a change is invalid, the previous content stays in use.
 * @param onProblem called once for each invalid change
 * @throws {Error} with the problem and the setting, if the file is invalid at the start
 */
export async function readAccountMap(
  path: string,
  onProblem: (error: Error) => void = () => {},
): Promise<AccountMap> {
  // Loaded on demand, because only services with proxy sign-in need it.
  const { parse } = await import('yaml');
  let seen = getState(path);
  let names = parseFile(path, parse);
  let next = Date.now() + LOOK_AFTER;

  function readChanges(): void {
    if (Date.now() < next) return;
    next = Date.now() + LOOK_AFTER;
    const state = getState(path);
    if (state === seen) return;
    seen = state;
    try {
      names = parseFile(path, parse);
    } catch (error) {
      onProblem(error as Error);
    }
  }

  return {
    listAccounts(user, groupNames) {
      readChanges();
      const { users, groups } = names;
      return [
        ...new Set([...(users.get(user) ?? []), ...groupNames.flatMap(group => groups.get(group) ?? [])]),
      ];
    },
  };
}

/** Returns a text that changes with the file; empty if the file is missing. */
function getState(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found ? `${found.ino} ${found.size} ${found.mtimeMs}` : '';
}

function parseFile(path: string, parse: (text: string) => unknown) {
  const fail = (problem: string) => new Error(`PAGE_LOGIN_ACCOUNTS names ${path}, which ${problem}`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw fail(`cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let content: unknown;
  try {
    content = parse(text);
  } catch {
    throw fail('is not YAML or JSON');
  }
  const read = file.safeParse(content);
  if (!read.success) throw fail('needs "users" and "groups", each with ids of accounts by name');
  const toMap = (given: z.infer<typeof names> = {}) =>
    new Map(Object.entries(given).map(([name, ids]) => [name, [ids].flat()]));
  const [users, groups] = [toMap(read.data.users), toMap(read.data.groups)];
  if (users.size + groups.size === 0) throw fail('names nobody');
  return { users, groups };
}
