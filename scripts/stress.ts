/**
 * Runs `npm test` while other processes of the same priority load the machine: `npm run test:stress`. Arguments are
 * passed to vitest. Exits with its exit code, and prints the duration.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LOOPS = 4;
const WRITERS = 2;

/** The overall time limit, in milliseconds. */
const LIMIT = 25 * 60 * 1000;

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sightline-stress-'));

/** Ends a child process when this process ends, since that closes its standard input. */
const END = "process.stdin.resume().on('close', () => process.exit());";

/** Computes forever, and yields now and then to notice the end of the parent. */
const LOOP = `${END} (function work() {
  const end = Date.now() + 50; while (Date.now() < end); setImmediate(work); })();`;

/** Writes a mebibyte, syncs it to disk, and repeats. */
const writer = (file: string) => `${END} const { openSync, writeSync, fsyncSync } = require('node:fs');
  const at = openSync(${JSON.stringify(file)}, 'w'); const bytes = Buffer.alloc(1024 * 1024, 1);
  (function work() { writeSync(at, bytes, 0, bytes.length, 0); fsyncSync(at); setImmediate(work); })();`;

/** Starts processes one after the other. */
const STARTER = `${END} const { spawn } = require('node:child_process');
  (function work() { spawn('/bin/sh', ['-c', 'ls / > /dev/null'], { stdio: 'ignore' }).on('exit', work); })();`;

const programs = [
  ...Array<string>(LOOPS).fill(LOOP),
  ...Array.from({ length: WRITERS }, (_, i) => writer(join(folder, `synced-${i}`))),
  STARTER,
];

function start(program: string): ChildProcess {
  return spawn(process.execPath, ['--eval', program], { stdio: ['pipe', 'ignore', 'inherit'] });
}

function exited(child: ChildProcess): Promise<number> {
  return new Promise(resolve => child.once('exit', code => resolve(code ?? 1)));
}

const others = programs.map(start);
const begin = performance.now();
const vitest = join(project, 'node_modules/vitest/vitest.mjs');
const tests = spawn(process.execPath, [vitest, 'run', ...process.argv.slice(2)], {
  cwd: project,
  stdio: 'inherit',
});
const late = setTimeout(() => {
  process.stderr.write(`stress: not done after ${LIMIT / 60_000} minutes\n`);
  tests.kill('SIGTERM');
}, LIMIT);
const code = await exited(tests);
clearTimeout(late);

const seconds = (performance.now() - begin) / 1000;
const stillThere = others.filter(child => child.exitCode === null && child.signalCode === null);
const load = loadavg()[0]!.toFixed(1);
process.stdout.write(
  `stress: ${seconds.toFixed(0)} s beside ${stillThere.length} of ${others.length} processes, load ${load}, exit ${code}\n`,
);
for (const child of stillThere) child.kill('SIGKILL');
await Promise.all(stillThere.map(exited));
rmSync(folder, { recursive: true, force: true });
process.exitCode = stillThere.length === others.length ? code : 1;
