import { spawn } from 'node:child_process';
import { usualFlags } from '../options.ts';
import { BUILT_SIGHTLINE } from '../processes.ts';

type Settings = Readonly<Record<string, string>>;

/** Starts the built command line of this version in a child process. */
export const startCommand = (args: readonly string[], env: Settings) =>
  spawn(process.execPath, toArguments(args), {
    env: toEnvironment(env),
    stdio: ['ignore', 'pipe', 'inherit'],
  });

/** Does the same, but discards its output. */
export const startSilently = (args: readonly string[], env: Settings) =>
  spawn(process.execPath, toArguments(args), {
    env: toEnvironment(env),
    stdio: ['ignore', 'ignore', 'inherit'],
  });

const toArguments = (args: readonly string[]) => [...usualFlags(), BUILT_SIGHTLINE, ...args];

/** As in the first line of `bin/sightline.js`. */
const toEnvironment = (env: Settings) => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '1',
  ...env,
});
