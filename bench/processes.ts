import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Job } from './generator.ts';

/** The command line, which runs what `npm run build` made. */
export const SIGHTLINE = fileURLToPath(new URL('../bin/sightline.js', import.meta.url));

export interface StartOptions {
  /** Flags of Node. */
  flags?: readonly string[];
  args?: readonly string[];
  env?: Readonly<Record<string, string>>;
  /** Another Node than the one that runs this. */
  node?: string;
  /** A file that is not compiled. */
  file?: string;
  /** A program that needs no Node. */
  program?: string;
}

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Starts a compiled file of this folder, or the bundled service, as a process of its own. It ends with this one. */
export function start(name: string, options: StartOptions = {}) {
  const { flags = [], args = [], env = {}, node = process.execPath, program } = options;
  const place = name === 'sightline' ? 'dist/built/bench' : 'dist/bench';
  const { file = fileURLToPath(new URL(`./${place}/${name}.js`, import.meta.url)) } = options;
  const { PATH, HOME } = process.env;
  const child = spawn(program ?? node, program ? [...args] : [...flags, file, ...args], {
    // As the first line of `bin/sightline.js` has it.
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

/** @throws {Error} when the process ends first, or does not answer with 200 in time */
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

/** Milliseconds after which a load generator has its result, or never will: an export of millions takes minutes. */
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

/** True if this system tells the processor time of a process. */
export const canMeasure = existsSync('/proc/self/stat');

const TICKS_PER_SECOND = 100;

/** Seconds of processor time that the processes have taken so far; those that are gone count nothing. */
export function cpuSeconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** The same of the children of a process that have ended. */
export function childrenCpuSeconds(pid: number): number {
  return secondsIn(pid, 13, 14);
}

const cpuOf = (pid: number) => secondsIn(pid, 11, 12);

export const parentOf = (pid: number) => Number(statOf(pid)[1] ?? 0);

/** A process, and behind it those that it started. */
export function withChildren(pid: number): number[] {
  if (!canMeasure) return [pid];
  const others = readdirSync('/proc').map(Number);
  return [pid, ...others.filter(other => other > 0 && parentOf(other) === pid)];
}

function secondsIn(pid: number, user: number, system: number): number {
  const fields = statOf(pid);
  return (Number(fields[user] ?? 0) + Number(fields[system] ?? 0)) / TICKS_PER_SECOND;
}

/** The fields from the third on: the second is the program's name in brackets, with anything in it. */
function statOf(pid: number): string[] {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Seconds of processor time of a process's threads so far, and the number of times that they began to run. */
export function activityOf(pid: number): { cpuSeconds: number; wakings: number } {
  const threads = canMeasure ? readdirSync(`/proc/${pid}/task`) : [];
  const schedules = threads.map(thread => readProc(`/proc/${pid}/task/${thread}/schedstat`).split(' '));
  const sum = (place: number) => schedules.reduce((sum, fields) => sum + Number(fields[place] ?? 0), 0);
  return { cpuSeconds: sum(0) / 1e9, wakings: sum(2) };
}

/** The memory that the process holds, in MB. */
export function residentMemory(pid: number): number {
  const [, kilobytes] = /VmRSS:\s+(\d+) kB/.exec(readProc(`/proc/${pid}/status`)) ?? [];
  return Number(kilobytes ?? Number.NaN) / 1024;
}

/** The most memory the process ever held, in MB. */
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
