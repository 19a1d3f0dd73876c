import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress, Host } from './address.ts';

/** The name of libpq's default password file. */
const USUAL = '.pgpass';

/** Permission bits of group and others. */
const OTHERS = 0o077;

/**
 * Finds the password for a host: the first matching line of the file. A line is `host:port:database:user:password`,
 * and all but the last can be `*` (PostgreSQL manual, 34.16). As in libpq, a missing file, or one that others can
 * read, is ignored.
 */
export async function passwordFromFile(
  { passwordFile, database, user }: DatabaseAddress,
  host: Host,
): Promise<string | undefined> {
  const path = passwordFile ?? usualFile();
  if (path === undefined) return undefined;
  const wanted = [host.path ? 'localhost' : host.name, String(host.port), database, user];
  const alternative = host.path ? [host.name, ...wanted.slice(1)] : wanted;
  for (const line of await toLines(path)) {
    const fields = toFields(line);
    const fits = (values: readonly string[]) =>
      values.every((value, index) => fields[index] === '*' || fields[index] === value);
    if (fields.length === wanted.length + 1 && (fits(wanted) || fits(alternative))) return fields.at(-1);
  }
  return undefined;
}

/** Returns the default path. In a container, a user can have no home directory. */
function usualFile(): string | undefined {
  try {
    return join(homedir(), USUAL);
  } catch {
    return undefined;
  }
}

async function toLines(path: string): Promise<string[]> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & OTHERS) !== 0) return [];
    const lines = (await readFile(path, 'utf8')).split(/\r?\n/);
    return lines.filter(line => line !== '' && !line.startsWith('#'));
  } catch {
    return [];
  }
}

/**
 * Splits a line into its fields. A backslash escapes a colon or a backslash. The password is everything after the
 * fourth colon.
 */
function toFields(line: string): string[] {
  const fields: string[] = [''];
  for (const [part] of line.matchAll(/\\?./gsu)) {
    if (part === ':' && fields.length < 5) fields.push('');
    else fields.push(fields.pop()! + (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return fields;
}
