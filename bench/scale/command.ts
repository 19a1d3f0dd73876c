import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { usualFlags } from '../options.ts';

const program = fileURLToPath(new URL('../../bin/sightline.js', import.meta.url));

/** Starts this version's command line as a process of its own. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [...usualFlags(), program, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
