/**
 * Mutation testing: makes small changes to the sources and reports those that no test detects: `npm run mutate --
 * src/http`. The changes are made only in memory. It tries a sample (`--sample 20`), which is the same each time
 * (`--seed 1`), with the tests closest to each file (`--tests 12`), until a time limit (`--minutes 15`).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { type Point, pointsIn } from './mutate/points.ts';
import { listTests, sourcesBelow } from './mutate/related.ts';
import type { MutationRun, Ran } from './mutate/runner.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    tests: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '15' },
  },
});
const [sample, seed, most, minutes] = [values.sample, values.seed, values.tests, values.minutes].map(
  Number,
) as [number, number, number, number];

/** The number of tests that run first, since they detect most changes. */
const FIRST = 4;

/**
 * The time limit of a change, in milliseconds. A change that takes longer caused an endless loop, and counts as
 * detected.
 */
const LONGEST = 120_000;

const end = performance.now() + minutes * 60_000;

/** The process that runs the tests. It is restarted if a test hangs. */
class Runner {
  #child: ChildProcess | undefined;

  /** Returns undefined if the run took too long. */
  async run(next: MutationRun): Promise<Ran | undefined> {
    this.#child ??= await started();
    const child = this.#child;
    child.send(next);
    const late = new AbortController();
    const answered = once(child, 'message', { signal: late.signal });
    const timer = setTimeout(() => late.abort(), LONGEST);
    try {
      return (await answered)[0] as Ran;
    } catch {
      await this.close('SIGKILL');
      return undefined;
    } finally {
      clearTimeout(timer);
    }
  }

  async close(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    // Vitest's child processes are in the same process group.
    if (signal === 'SIGKILL') process.kill(-child.pid!, signal);
    else child.kill(signal);
    await ended;
  }
}

async function started(): Promise<ChildProcess> {
  const child = fork(new URL('./mutate/runner.ts', import.meta.url), {
    execArgv: ['--import', 'tsx'],
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

const points = positionals.flatMap(sourcesBelow).flatMap(file => pointsIn(file, readFileSync(file, 'utf8')));
const [chosen = []] = fc.sample(
  fc.shuffledSubarray(points, {
    minLength: Math.min(sample, points.length),
    maxLength: Math.min(sample, points.length),
  }),
  { seed, numRuns: 1 },
);

const runner = new Runner();
const fails = new Map<string, boolean>();

/** Returns whether the test also fails without a change, for example because the machine lacks a program. */
async function failsAnyway(failed: string): Promise<boolean> {
  const [test = ''] = failed.split(' > ');
  const existing = fails.get(test) ?? (await runner.run({ tests: [test] }))?.failed !== undefined;
  fails.set(test, existing);
  return existing;
}

/** Returns the test that detected the change. */
async function seenBy({ file, start, end, after }: Point): Promise<string | undefined> {
  const text = readFileSync(file, 'utf8');
  const mutant = { path: resolve(file), text: text.slice(0, start) + after + text.slice(end) };
  const related = listTests(file)
    .filter(test => !fails.get(test))
    .slice(0, most);
  for (const tests of [related.slice(0, FIRST), related.slice(FIRST)]) {
    if (tests.length === 0) continue;
    const ran = await runner.run({ mutant, tests });
    if (!ran) return 'no test, but it takes too long';
    if (ran.failed && !(await failsAnyway(ran.failed))) return ran.failed;
  }
  return undefined;
}

const onOneLine = (text: string) => text.replace(/\s+/g, ' ').slice(0, 60);

const survivors: string[] = [];
let tried = 0;
for (const point of chosen) {
  if (performance.now() > end) break;
  tried++;
  const where = `${point.file}:${point.line}:${point.column}  ${onOneLine(point.before)} → ${onOneLine(point.after)}`;
  const test = await seenBy(point);
  if (test === undefined) survivors.push(where);
  process.stdout.write(
    `${test === undefined ? 'not seen' : 'seen    '} ${where}${test ? `  by ${test}` : ''}\n`,
  );
}
await runner.close();
const seen = tried - survivors.length;
process.stdout.write(
  `\n${seen} of ${tried} changes were seen (${Math.round((100 * seen) / Math.max(1, tried))} %), of ${points.length} in all\n`,
);
if (survivors.length > 0) process.stdout.write(`Not seen:\n${survivors.join('\n')}\n`);
