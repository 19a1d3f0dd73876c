import { spawn } from 'node:child_process';
import type { SystemUser } from './account.ts';
import { EmbeddedDatabaseError, unsupportedSystem } from './error.ts';

/**
 * Returns the options for running PostgreSQL's programs: English messages, UTC, and no inherited variables such as
 * PGPORT.
 */
export function processOptions(account: SystemUser | undefined) {
  // Windows programs need some of the inherited variables to start.
  if (process.platform === 'win32') return { windowsHide: true };
  return { ...account, cwd: '/', env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' } };
}

/**
 * Runs initdb until it ends.
 * @throws {EmbeddedDatabaseError} with its error message
 */
export async function runInitdb(
  program: string,
  args: readonly string[],
  account: SystemUser | undefined,
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
  // The shell and musl's dynamic loader exit with this status if a program's libraries are missing.
  if (status === 127) throw unsupportedSystem();
  if (status !== 0) {
    throw new EmbeddedDatabaseError(
      `The embedded PostgreSQL cannot create its database: ${firstError(complaint)}.`,
    );
  }
}

/**
 * Converts the error of a failed start. If an existing program is "not found", its loader is missing, because the
 * system has no glibc.
 */
export function startError(error: NodeJS.ErrnoException): Error {
  if (error.code === 'ENOENT') return unsupportedSystem();
  return new EmbeddedDatabaseError(`The embedded PostgreSQL does not start: ${error.message}.`);
}

/** Returns the line with the reason: PostgreSQL's first error, or its last output. */
export function firstError(output: string): string {
  const lines = output.trim().split('\n');
  const line = lines.find(text => /\b(FATAL|PANIC|error):/.test(text)) ?? lines.at(-1) ?? '';
  return line.replace(/^.*?\b(FATAL|PANIC|error):\s*|^\w+: /, '') || 'it gave no reason';
}
