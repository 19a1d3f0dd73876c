import { expect, it } from 'vitest';
import { firstBreach, type Mutation } from './mutants.ts';

/** Faults that somebody might make in the client of the database: each of them breaks a promise within few histories. */

const HISTORIES = 400;

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
    name: 'there is no bound to what is beyond the pool',
    file: 'connections.ts',
    from: 'return this.#beyond < mostBeyond(this.#settings.poolSize);',
    to: 'return true;',
  },
  {
    name: 'what is beyond the pool is never given up',
    file: 'connections.ts',
    from: 'if (this.#held(now).overdue > 0) return;',
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
    from: '    for (const work of this.#connections.behindOverdue(now)) this.#submit(twinOf(work));\n',
    to: '',
  },
  {
    name: 'a key that is alone leaves a connection idle',
    file: 'connections.ts',
    from: 'isAlone ? most : Math.max(1, most - 1)',
    to: 'Math.max(1, most - 1)',
  },
  {
    name: 'there are never more connections than the pool has',
    file: 'connections.ts',
    from: 'if (overdue === 0 ||',
    to: 'if (overdue >= 0 ||',
  },
  {
    name: 'a connection that the server refuses fails its statement',
    file: 'guard.ts',
    from: 'if (!isGivenUp && this.#connections.isRefused(lane, this.#clock.now())) {',
    to: 'if (false) {',
  },
  {
    name: 'a connection is made beyond the pool though none waits for long',
    file: 'connections.ts',
    from: 'waited >= WAITED && ',
    to: '',
  },
  {
    name: 'a key that hangs gets connections beyond the pool',
    file: 'connections.ts',
    from: '(held.isOwnOverdue || quickSince < held.overdueSince)',
    to: 'quickSince < held.overdueSince',
  },
  {
    name: 'a key gets several beyond the pool before it was answered',
    file: 'connections.ts',
    from: 'held.own > 0 && (held.isOwnOverdue || quickSince < held.overdueSince)',
    to: 'held.isOwnOverdue',
  },
  {
    name: 'a key may have the last connection while others ask',
    file: 'connections.ts',
    from: 'isAlone ? most : Math.max(1, most - 1)',
    to: 'most',
  },
  {
    name: 'keys that are not quick have all connections together',
    file: 'connections.ts',
    from: 'return held.slow < most && this.#hasRoom(held, 0);',
    to: 'return this.#hasRoom(held, 0);',
  },
  {
    name: 'a new key counts as quick',
    file: 'standing.ts',
    from: "'slow' = 'new'",
    to: "'slow' = 'quick'",
  },
  {
    name: 'a key that was quick once stays so',
    file: 'standing.ts',
    from: "standing.pace = 'slow'",
    to: 'standing.atWork += 0',
  },
  {
    name: 'a key that has connections goes behind those of others, too',
    file: 'connections.ts',
    from: 'held.own > 0)',
    to: 'false)',
  },
  {
    name: 'keys that are not quick go behind those of others',
    file: 'connections.ts',
    from: 'standing.isQuick && other.isQuick && ',
    to: '',
  },
  {
    name: 'the service has no connection of its own',
    file: 'connections.ts',
    from: 'poolSize > 2 ? poolSize - 1 : poolSize',
    to: 'poolSize',
  },
  {
    name: 'the oldest of a long line goes first',
    file: 'scheduler.ts',
    from: 'now - oldest.since > NEWEST_FIRST * this.#patience',
    to: 'false',
  },
];

it.each(MUTATIONS)('$name: a history shows it', async mutation => {
  const breach = await firstBreach([mutation], HISTORIES);
  process.stderr.write(
    `${mutation.name}: ${breach ? `${breach.promise}, history ${breach.seed}` : 'not found'}\n`,
  );
  expect(breach).toBeDefined();
});
