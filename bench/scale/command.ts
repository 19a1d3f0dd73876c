import { spawn } from 'node:child_process';
import { usualFlags } from '../options.ts';
import { BUILT_SIGHTLINE } from '../processes.ts';

/** Starts the built command line of this version in a child process. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [...usualFlags(), BUILT_SIGHTLINE, ...args], {
    // As in the first line of `bin/sightline.js`.
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '1',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
