import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { run } from '../../src/cli/index.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { builtAt } from './built.ts';
import { serviceEnvironment } from './pooler.ts';
import { OPTIMIZE_LATE } from './v8-flags.ts';

/** Limits that even a busy machine does not reach. Tests of limits set their own. */
export const UNHURRIED = { STATEMENT_TIMEOUT: '60s', LOOK_UP_TIMEOUT: '60s', DATABASE_QUEUE_TIMEOUT: '60s' };

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Settings. Those of the test run are not passed on. */
  env?: Record<string, string>;
  /** The program; by default, the compiled service. */
  start?: string;
  /** The working directory; by default, that of the project. */
  cwd?: string;
  /** Standard input. */
  input?: string | Uint8Array;
}

/** The compiled program; see `compiled.ts`. */
export const program = () => builtAt('bin/sightline.js');

/** By default, V8 would repeatedly copy what a start allocates. Tests that measure times use the default flags. */
const FLAGS = IN_EARNEST ? [] : [OPTIMIZE_LATE, '--min-semi-space-size=16'];

/** Starts `sightline` in a separate process. */
export function startSightline(
  args: readonly string[],
  { env = {}, cwd, start = program() }: RunOptions = {},
): ChildProcess {
  const settings = args[0] === 'serve' ? serviceEnvironment(env) : env;
  return spawn(process.execPath, [...FLAGS, start, ...args], {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  });
}

/** Runs `sightline` until it ends. */
export async function sightline(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = startSightline(args, options);
  child.stdin?.end(options.input);
  const [code, stdout, stderr] = await Promise.all([
    exitCode(child),
    text(child.stdout!),
    text(child.stderr!),
  ]);
  return { code, stdout, stderr };
}

export function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve, reject) => child.once('exit', resolve).once('error', reject));
}

/**
 * Runs `sightline` within this process, which takes a twentieth of the time, but only one command at a time. For tests
 * that need no separate process.
 */
export async function sightlineHere(
  args: readonly string[],
  env: Record<string, string>,
  written?: { stdout: string; stderr: string },
): Promise<Outcome> {
  const settings = args[0] === 'serve' ? serviceEnvironment(env) : env;
  // The test runner sets its own BASE_URL.
  for (const [name, value] of Object.entries({ BASE_URL: '', ...settings })) vi.stubEnv(name, value);
  try {
    return await toOutcome(() => run(args, 'test'), written);
  } finally {
    vi.unstubAllEnvs();
  }
}

/** A command within this process that runs until it receives a signal. */
export interface LastingProcess {
  /** Everything that it has printed so far. */
  written: { readonly stdout: string; readonly stderr: string };
  /** Sends SIGTERM to the command. */
  end(): Promise<Outcome>;
}

/**
 * Like `sightlineHere`, for a command that runs until it receives a signal. No other command can run in the meantime.
 */
export function sightlineLasting(args: readonly string[], env: Record<string, string>): LastingProcess {
  const written = { stdout: '', stderr: '' };
  const outcome = sightlineHere(args, env, written);
  return {
    written,
    end() {
      process.emit('SIGTERM', 'SIGTERM');
      return outcome;
    },
  };
}

/**
 * Runs a program's code within this process, and captures this process's output in the meantime.
 * @param written receives the output as it is written
 */
export async function toOutcome(
  program: () => Promise<number>,
  written = { stdout: '', stderr: '' },
): Promise<Outcome> {
  const spies = (['stdout', 'stderr'] as const).map(name =>
    vi.spyOn(process[name], 'write').mockImplementation(chunk => {
      written[name] += chunk;
      return true;
    }),
  );
  try {
    return { code: await program(), ...written };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
