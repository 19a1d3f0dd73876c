/**
 * `npm test` beside other work of the same priority, as a machine has that others use, too: `npm run test:stress`.
 * Arguments go to vitest. Ends with its exit code, and says what it took.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const LOOPS = 4;
const WRITERS = 2;

/** Milliseconds after which all of it ends. */
const LIMIT = 25 * 60 * 1000;

const project = fileURLToPath(new URL('..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'sightline-stress-'));

/** Each ends with this process: its standard input closes then. */
const END = "process.stdin.resume().on('close', () => process.exit());";

/** Computes without an end; looks now and then whether its starter is there. */
const LOOP = `${END} (function work() {
  const end = Date.now() + 50; while (Date.now() < end); setImmediate(work); })();`;

/** Writes a mebibyte, syncs it to the disk, and begins anew. */
const writer = (file: string) => `${END} const { openSync, writeSync, fsyncSync } = require('node:fs');
  const at = openSync(${JSON.stringify(file)}, 'w'); const bytes = Buffer.alloc(1024 * 1024, 1);
  (function work() { writeSync(at, bytes, 0, bytes.length, 0); fsyncSync(at); setImmediate(work); })();`;

/** Starts a process when the last one has ended. */
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
