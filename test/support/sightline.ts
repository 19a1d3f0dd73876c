import { type ChildProcess, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { vi } from 'vitest';
import { run } from '../../src/cli/index.ts';
import { IN_EARNEST } from '../faults/scale.ts';
import { builtAt } from './built.ts';
import { serviceEnvironment } from './pooler.ts';
import { OPTIMIZE_LATE } from './v8-flags.ts';

/** Limits that no statement runs into because a machine is busy. Tests of the limits set their own. */
export const UNHURRIED = { STATEMENT_TIMEOUT: '60s', LOOK_UP_TIMEOUT: '60s', DATABASE_QUEUE_TIMEOUT: '60s' };

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Settings; none of those of the test run itself is passed on. */
  env?: Record<string, string>;
  /** The program; default: that of the compiled service. */
  start?: string;
  /** Working directory; default: the project's. */
  cwd?: string;
  /** Standard input. */
  input?: string | Uint8Array;
}

/** The compiled program: see `compiled.ts`. */
export const program = () => builtAt('bin/sightline.js');

/**
 * V8 would copy again and again what a start makes and keeps, too. Where times are measured, it is the service as it is
 * elsewhere.
 */
const FLAGS = IN_EARNEST ? [] : [OPTIMIZE_LATE, '--min-semi-space-size=16'];

/** Starts `sightline` as a process of its own. */
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

/** Runs `sightline` to its end. */
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
 * Runs `sightline` within this process: in a twentieth of the time, but only one at once.
 * For what a process of its own adds nothing to.
 */
export async function sightlineHere(
  args: readonly string[],
  env: Record<string, string>,
  written?: { stdout: string; stderr: string },
): Promise<Outcome> {
  const settings = args[0] === 'serve' ? serviceEnvironment(env) : env;
  // The test runner has a BASE_URL of its own.
  for (const [name, value] of Object.entries({ BASE_URL: '', ...settings })) vi.stubEnv(name, value);
  try {
    return await outcomeOf(() => run(args, 'test'), written);
  } finally {
    vi.unstubAllEnvs();
  }
}

/** A command that goes on until it gets a signal, within this process. */
export interface Lasting {
  /** All that it has written so far. */
  written: { readonly stdout: string; readonly stderr: string };
  /** SIGTERM, as the command hears it. */
  end(): Promise<Outcome>;
}

/** The same as `sightlineHere` for a command that goes on. No other may run beside it. */
export function sightlineLasting(args: readonly string[], env: Record<string, string>): Lasting {
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
 * Runs what a program does within this process, with all that this process writes meanwhile.
 * @param written gets what is written, as it is
 */
export async function outcomeOf(
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
