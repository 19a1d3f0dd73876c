import { execFileSync } from 'node:child_process';

/**
 * Checks whether a program is installed.
 * @param argument one with which it exits immediately
 */
export function hasProgram(name: string, argument: string): boolean {
  try {
    execFileSync(name, [argument], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
