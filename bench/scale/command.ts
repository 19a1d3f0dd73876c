import { spawn } from 'node:child_process';
import { usualFlags } from '../options.ts';
import { SIGHTLINE } from '../processes.ts';

/** Starts this version's command line as a process of its own. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>>) {
  return spawn(process.execPath, [...usualFlags(), SIGHTLINE, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}
