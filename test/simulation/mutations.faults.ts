import { expect, it } from 'vitest';
import { firstBreach, type Mutation } from './mutants.ts';

/** Faults that somebody might make in the client of the database: each of them breaks a promise within few histories. */

const HISTORIES = 300;

const MUTATIONS: Mutation[] = [
  {
    name: 'a key that was refused counts as slow, whatever it is answered later',
    file: 'scheduler.ts',
    from: "return standing.pace === 'slow' ? 'slow' : 'late';",
    to: "Object.defineProperty(standing, 'pace', { get: () => 'slow', set() {} }); return 'slow';",
  },
  {
    name: 'a connection is not released',
    file: 'guard.ts',
    from: '    this.#connections.release(work, this.#clock.now(), isAnswered);',
    to: '    if (isAnswered) this.#connections.release(work, this.#clock.now(), isAnswered);',
  },
  {
    name: 'what is beyond the pool is counted twice',
    file: 'spare.ts',
    from: 'return Math.min(overdue, isProven ? most : Math.max(0, most - 1));',
    to: 'return 2 * Math.min(overdue, isProven ? most : Math.max(0, most - 1));',
  },
  {
    name: 'what is beyond the pool is never given up',
    file: 'connections.ts',
    from: 'if (this.count <= this.#settings.poolSize || this.look(now).isStalled) return;',
    to: 'return;',
  },
  {
    name: 'what waits is never late',
    file: 'scheduler.ts',
    from: 'return work.deadline < now || isGone(work);',
    to: 'return isGone(work);',
  },
  {
    name: 'what is at work is never late',
    file: 'guard.ts',
    from: 'filter(({ deadline }) => deadline < now)',
    to: 'filter(() => false)',
  },
  {
    name: 'nothing begins when the database is back',
    file: 'breaker.ts',
    from: '    this.#reason = undefined;\n    this.#lost = 0;',
    to: '    this.#lost = 0;',
  },
  {
    name: 'an account that was lost stays lost',
    file: 'lost-owners.ts',
    from: 'if (now < loss.next) {',
    to: 'if (now >= 0) {',
  },
  {
    name: 'what waits behind a slow statement is left there',
    file: 'guard.ts',
    from: '    for (const work of this.#connections.behindSlow(now)) this.#submit(twinOf(work));\n',
    to: '',
  },
  {
    name: 'a key that is alone leaves a connection idle',
    file: 'connections.ts',
    from: 'isAlone ? keys : Math.max(1, keys - 1)',
    to: 'Math.max(1, keys - 1)',
  },
  {
    name: 'there are never more connections than the pool has',
    file: 'spare.ts',
    from: '    if (!isOfSeveral) return 0;',
    to: '    return 0;',
  },
  {
    name: 'a single key gets connections beyond the pool',
    file: 'spare.ts',
    from: '    if (!isOfSeveral) return 0;\n',
    to: '',
  },
];

it.each(MUTATIONS)('$name: a history shows it', async mutation => {
  const breach = await firstBreach([mutation], HISTORIES);
  process.stderr.write(
    `${mutation.name}: ${breach ? `${breach.promise}, history ${breach.seed}` : 'not found'}\n`,
  );
  expect(breach).toBeDefined();
});
