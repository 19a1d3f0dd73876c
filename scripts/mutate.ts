/**
 * Changes the sources in small ways, and says which changes no test sees: `npm run mutate -- src/http`. The changes are
 * in memory alone. It tries a sample (`--sample 20`), the same one each time (`--seed 1`). Each is tried with the tests
 * that are nearest to the file (`--tests 12`). It ends after some time (`--minutes 15`).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { type Point, pointsIn } from './mutate/points.ts';
import { sourcesBelow, testsOf } from './mutate/related.ts';
import type { Ran, Run } from './mutate/runner.ts';

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

/** Tests that are tried first: most changes are seen by these. */
const FIRST = 4;

/** Milliseconds for one change. One that takes longer has made a loop without an end, and is seen. */
const LONGEST = 120_000;

const end = performance.now() + minutes * 60_000;

/** The process with the tests. It is started anew where one hangs. */
class Runner {
  #child: ChildProcess | undefined;

  /** Undefined where it took too long. */
  async run(next: Run): Promise<Ran | undefined> {
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
    // Vitest's own processes are of its group.
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

/** Tells whether the test fails without a change, as on a machine that lacks something. */
async function failsAnyway(failed: string): Promise<boolean> {
  const [test = ''] = failed.split(' > ');
  const known = fails.get(test) ?? (await runner.run({ tests: [test] }))?.failed !== undefined;
  fails.set(test, known);
  return known;
}

/** Answers with the test that saw the change. */
async function seenBy({ file, start, end, after }: Point): Promise<string | undefined> {
  const text = readFileSync(file, 'utf8');
  const mutant = { path: resolve(file), text: text.slice(0, start) + after + text.slice(end) };
  const related = testsOf(file)
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
