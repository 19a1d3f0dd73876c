import { spawn } from 'node:child_process';
import type { Account } from './account.ts';
import { EmbeddedDatabaseError, unsupportedSystem } from './error.ts';

/** The environment of PostgreSQL's programs: in English, in UTC, and untouched by PGPORT and its like. */
export function processOptions(account: Account | undefined) {
  // Windows programs do not start without some of the inherited variables.
  if (process.platform === 'win32') return { windowsHide: true };
  return { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
}

/**
 * Runs initdb to its end.
 * @throws {EmbeddedDatabaseError} with what it complained of
 */
export async function runInitdb(
  program: string,
  args: readonly string[],
  account: Account | undefined,
): Promise<void> {
  const child = spawn(program, args, { ...processOptions(account), stdio: ['ignore', 'ignore', 'pipe'] });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', text => {
    complaint += text;
  });
  const status = await new Promise<number | null>((resolve, reject) => {
    child.once('error', error => reject(startError(error)));
    child.once('close', resolve);
  });
  // A shell and the dynamic loader of musl answer so when a program's libraries are missing.
  if (status === 127) throw unsupportedSystem();
  if (status !== 0) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL cannot make its database: ${firstError(complaint)}.`,
    );
  }
}

/** A program that is there and still is "not found" lacks the system's loader: no glibc. */
export function startError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return unsupportedSystem();
  return new EmbeddedDatabaseError(`The embedded PostgreSQL does not start: ${error.message}.`);
}

/** The line that tells why: PostgreSQL's own first error, or the last thing said. */
export function firstError(output: string): string {
  const lines = output.trim().split('\n');
  const line = lines.find(text => /\b(FATAL|PANIC|error):/.test(text)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?\b(FATAL|PANIC|error):\s*|^\w+: /, '') || 'it gave no reason';
}
