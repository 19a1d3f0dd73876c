import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseAddress, Host } from './address.ts';

/** The path where libpq looks for passwords, too. */
const USUAL = '.pgpass';

/** Anybody but the owner. */
const OTHERS = 0o077;

/**
 * The password for a host, by the first line of a file that fits. A line is `host:port:database:user:password`; all but
 * the last may be `*` (PostgreSQL manual, 34.16).
 * As with libpq, a file that is not there, or that others may read, has none.
 */
export async function passwordFromFile(
  { passwordFile, database, user }: DatabaseAddress,
  host: Host,
): Promise<string | undefined> {
  const path = passwordFile ?? usualFile();
  if (path === undefined) return undefined;
  const wanted = [host.path ? 'localhost' : host.name, String(host.port), database, user];
  const alternative = host.path ? [host.name, ...wanted.slice(1)] : wanted;
  for (const line of await linesOf(path)) {
    const fields = fieldsOf(line);
    const fits = (values: readonly string[]) =>
      values.every((value, index) => fields[index] === '*' || fields[index] === value);
    if (fields.length === wanted.length + 1 && (fits(wanted) || fits(alternative))) return fields.at(-1);
  }
  return undefined;
}

/** In a container a user may have a number alone, and no home. */
function usualFile(): string | undefined {
  try {
    return join(homedir(), USUAL);
  } catch {
    return undefined;
  }
}

async function linesOf(path: string): Promise<string[]> {
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
 * A backslash takes its meaning from a colon, and from a backslash. The password stands behind the fourth colon.
 */
function fieldsOf(line: string): string[] {
  const fields: string[] = [''];
  for (const [part] of line.matchAll(/\\?./gsu)) {
    if (part === ':' && fields.length < 5) fields.push('');
    else fields.push(fields.pop()! + (part.length > 1 && part.startsWith('\\') ? part.slice(1) : part));
  }
  return fields;
}
