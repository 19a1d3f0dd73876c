import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { usualFlags } from '../options.ts';

/** The cost of a command, including its start. */
export interface CommandMeasure {
  code: number | null;
  seconds: number;
  processorSeconds: number;
  /** Peak resident memory, in MB of 10^6 bytes. */
  memory: number;
  /** The last line on standard error. */
  said: string;
}

/** Makes a process write its resource usage to a separate pipe when it exits. */
const USAGE = `import { readFileSync, writeSync } from 'node:fs';
process.on('exit', () => {
  // The resource usage of a process counts the memory of the one that started it.
  const [, kilobytes] = /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'));
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ kilobytes: Number(kilobytes), microseconds: user + system }));
});`;

/** Runs a compiled command line. @param program its `bin/sightline.js` */
export async function measureCommand(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandMeasure> {
  const preload = `data:text/javascript,${encodeURIComponent(USAGE)}`;
  const started = performance.now();
  const child = spawn(process.execPath, [...usualFlags(), '--import', preload, program, ...args], {
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  const [said, usage, code] = await Promise.all([
    text(child.stderr!),
    text(child.stdio[3] as NodeJS.ReadableStream),
    new Promise<number | null>(resolve => child.once('exit', resolve)),
  ]);
  const { kilobytes, microseconds } = JSON.parse(usage) as { kilobytes: number; microseconds: number };
  return {
    code,
    seconds: (performance.now() - started) / 1000,
    processorSeconds: microseconds / 1e6,
    memory: (kilobytes * 1024) / 1e6,
    said: said.trim().split('\n').at(-1)!,
  };
}
