import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Job } from './generator.ts';

/** The command line, which runs the output of `npm run build`. */
export const SIGHTLINE = fileURLToPath(new URL('../bin/sightline.js', import.meta.url));

/** The service as bundled by `build`, which starts without compiling sources. */
export const BUILT_SIGHTLINE = fileURLToPath(new URL('./dist/built/bench/sightline.js', import.meta.url));

export interface StartOptions {
  /** Node flags. */
  flags?: readonly string[];
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** The path of another Node executable. */
  node?: string;
  /** A JavaScript file that needs no compilation. */
  file?: string;
  /** A program that does not run on Node. */
  program?: string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a compiled file of this folder, or the bundled service, in a child process that ends with this process. */
export function start(name: string, options: StartOptions = {}) {
  const { flags = [], args = [], env = {}, node = process.execPath, program } = options;
  const place = name === 'sightline' ? 'dist/built/bench' : 'dist/bench';
  const { file = fileURLToPath(new URL(`./${place}/${name}.js`, import.meta.url)) } = options;
  const { PATH, HOME } = process.env;
  const child = spawn(program ?? node, program ? [...args] : [...flags, file, ...args], {
    // As in the first line of `bin/sightline.js`.
    env: { PATH, HOME, NODE_ENV: 'production', MALLOC_ARENA_MAX: '1', ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
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

/** @throws {Error} if the process exits, or does not respond with 200 in time */
export async function untilAnswering(
  child: ChildProcess,
  url: string,
  headers: Record<string, string>,
): Promise<void> {
  const deadline = performance.now() + 30_000;
  let last = '';
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended with ${child.exitCode}`);
    const response = await fetch(url, { headers }).catch(() => undefined);
    if (response?.ok) return;
    last = response ? `${response.status} ${await response.text()}` : 'nothing';
    await sleep(50);
  }
  throw new Error(`${url} answers with ${last}`);
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

/** The time limit for a load generator's result, in milliseconds. An export of millions of rows takes minutes. */
const JOB_LIMIT = 600_000;

/** A load generator in a process of its own. */
export class Generator {
  #child = start('generator');

  get pid(): number {
    return this.#child.pid!;
  }

  async run<Result>(job: Job): Promise<Result> {
    const signal = AbortSignal.timeout(JOB_LIMIT);
    const answered = once(this.#child, 'message', { signal }).catch(() => [{ error: 'no answer' }]);
    this.#child.send(job);
    const [{ result, error }] = (await answered) as [{ result: Result; error?: string }];
    if (error === undefined) return result;
    const [request] = 'request' in job ? [job.request] : job.requests;
    throw new Error(`${error}: ${request?.split('\r\n')[0]}`);
  }

  stop(): Promise<void> {
    return stop(this.#child);
  }
}

/** True if this system reports the processor time of a process. */
export const canMeasure = existsSync('/proc/self/stat');

const TICKS_PER_SECOND = 100;

/** Returns the processor time of running processes so far, in seconds. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + measureCpu(pid), 0);
}

/** Returns the processor time of a process's exited children, in seconds. */
export function childrenCpuSeconds(pid: number): number {
  return secondsIn(pid, 13, 14);
}

const measureCpu = (pid: number) => secondsIn(pid, 11, 12);

export const getParent = (pid: number) => Number(getStat(pid)[1] ?? 0);

/** Returns a process and its children, the parent first. */
export function withChildren(pid: number): number[] {
  if (!canMeasure) return [pid];
  const others = readdirSync('/proc').map(Number);
  return [pid, ...others.filter(other => other > 0 && getParent(other) === pid)];
}

function secondsIn(pid: number, user: number, system: number): number {
  const fields = getStat(pid);
  return (Number(fields[user] ?? 0) + Number(fields[system] ?? 0)) / TICKS_PER_SECOND;
}

/**
 * Returns the fields from the third on. The second is the program's name in parentheses, which can contain anything.
 */
function getStat(pid: number): string[] {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/**
 * Returns the processor time of a process's threads so far, in seconds, and the number of times they were scheduled.
 */
export function readActivity(pid: number): { cpuSeconds: number; wakings: number } {
  const threads = canMeasure ? readdirSync(`/proc/${pid}/task`) : [];
  const schedules = threads.map(thread => readProc(`/proc/${pid}/task/${thread}/schedstat`).split(' '));
  const sum = (place: number) => schedules.reduce((sum, fields) => sum + Number(fields[place] ?? 0), 0);
  return { cpuSeconds: sum(0) / 1e9, wakings: sum(2) };
}

/** Returns the process's resident memory in MB. */
export function residentMemory(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readProc(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes ?? Number.NaN) / 1024;
}

/** Returns the process's peak resident memory in MB. */
export function peakMemory(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+) kB/.exec(readProc(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes ?? Number.NaN) / 1024;
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
