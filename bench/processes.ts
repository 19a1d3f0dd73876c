import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { compileService } from '../test/support/compiled.ts';

/** The command line as `npm run build` compiles it. */
export const SIGHTLINE = join(await compileService(), 'bin/sightline.js');

/** The Node flags in the first line of `bin/sightline.js`. */
const FLAGS = readFlags(readFileSync(new URL('../bin/sightline.js', import.meta.url), 'utf8'));
const ENVIRONMENT = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  MALLOC_ARENA_MAX: '1',
};

export type Settings = Readonly<Record<string, string>>;

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

function readFlags(program: string): string[] {
  const [, flags = ''] = /^#!.* node (.*)\n/.exec(program) ?? [];
  return flags.split(' ');
}

/** Messages go to standard error, tables to standard output. */
export const say = (line: string) => void process.stderr.write(`${line}\n`);

/**
 * Starts a compiled program in a child process that ends with this process. Its standard output is a pipe.
 * @param args Node flags, the file and its arguments
 */
export function start(args: readonly string[], env: Settings = {}, flags = FLAGS): ChildProcess {
  const child = spawn(process.execPath, [...flags, ...args], {
    env: { ...ENVIRONMENT, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const late = setTimeout(() => child.kill('SIGKILL'), 5000);
  await exited;
  clearTimeout(late);
}

/** The cost of a command, including its start. */
export interface CommandCost {
  seconds: number;
  /** Processor time in seconds. */
  cpu: number;
  /** Peak resident memory in MB of 10^6 bytes. */
  memory: number;
  code: number | null;
  output: string;
  /** The last line on standard error. */
  message: string;
}

/** Makes a process write its cost to a separate pipe when it exits. */
const USAGE = `import { readFileSync, writeSync } from 'node:fs';
process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  const [, kilobytes] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  writeSync(3, JSON.stringify({ cpu: (user + system) / 1e6, memory: (kilobytes * 1024) / 1e6 }));
});`;

/** Runs the command line until it ends. */
export async function run(args: readonly string[], env: Settings = {}): Promise<CommandCost> {
  const begin = performance.now();
  const child = start(
    ['--import', `data:text/javascript,${encodeURIComponent(USAGE)}`, SIGHTLINE, ...args],
    env,
  );
  const [output, messages, cost] = await Promise.all([
    text(child.stdout!),
    text(child.stderr!),
    text(child.stdio[3] as NodeJS.ReadableStream),
    child.exitCode ?? once(child, 'exit'),
  ]);
  const seconds = (performance.now() - begin) / 1000;
  const message = messages.trim().split('\n').at(-1)!;
  return { seconds, ...JSON.parse(cost), code: child.exitCode, output, message };
}

/** Does the same. @throws {Error} if the command fails */
export async function succeed(args: readonly string[], env: Settings = {}): Promise<CommandCost> {
  const cost = await run(args, env);
  if (cost.code !== 0) throw new Error(`sightline ${args[0]} ended with ${cost.code}: ${cost.message}`);
  return cost;
}

/** Returns the processor time of a process's threads so far, in seconds. */
export function cpuSeconds(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce(
    (sum, thread) =>
      sum + Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e9,
    0,
  );
}

const TICKS_PER_SECOND = 100;

/** Returns the processor time of a process's exited children, in seconds. */
export const childrenCpuSeconds = (pid: number) =>
  (Number(readStat(pid)[13]) + Number(readStat(pid)[14])) / TICKS_PER_SECOND;

export const getParent = (pid: number) => Number(readStat(pid)[1]);

/** Returns the fields from the third on. The second is the program's name in parentheses, which can contain anything. */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Returns a process's present and peak resident memory in MB. */
export function readMemory(pid: number): { present: number; peak: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)![1]) / 1024;
  return { present: megabytes('VmRSS'), peak: megabytes('VmHWM') };
}
