import { expect, it } from 'vitest';
import { firstBreach, type Mutation } from './mutants.ts';

/** Plausible mistakes in the database client. Each must break a promise within a few histories. */

const HISTORIES = 400;

const MUTATIONS: Mutation[] = [
  {
    name: 'a rejected key counts as slow forever',
    file: 'scheduler.ts',
    from: "return tenant.pace === 'slow' ? 'slow' : 'late';",
    to: "Object.defineProperty(tenant, 'pace', { get: () => 'slow', set() {} }); return 'slow';",
  },
  {
    name: 'a connection is not released',
    file: 'guard.ts',
    from: '    this.#connections.release(work, this.#clock.now(), isAnswered);',
    to: '    if (isAnswered) this.#connections.release(work, this.#clock.now(), isAnswered);',
  },
  {
    name: 'the number of overflow connections is unlimited',
    file: 'connections.ts',
    from: 'return this.#overflowLimit < maxOverflow(this.#settings.poolSize);',
    to: 'return true;',
  },
  {
    name: 'overflow connections are never closed',
    file: 'connections.ts',
    from: 'if (this.#countConnections(now).overdue > 0) return;',
    to: 'return;',
  },
  {
    name: 'waiting statements never time out',
    file: 'scheduler.ts',
    from: 'return work.deadline < now || isGone(work);',
    to: 'return isGone(work);',
  },
  {
    name: 'running statements never time out',
    file: 'guard.ts',
    from: 'filter(({ deadline }) => deadline < now)',
    to: 'filter(() => false)',
  },
  {
    name: 'no statement starts when the database is available again',
    file: 'breaker.ts',
    from: '    this.#reason = undefined;\n    this.#lost = 0;',
    to: '    this.#lost = 0;',
  },
  {
    name: 'an account whose server was lost never recovers',
    file: 'lost-owners.ts',
    from: 'if (now < loss.next) {',
    to: 'if (now >= 0) {',
  },
  {
    name: 'statements queued after a slow statement are not moved',
    file: 'guard.ts',
    from: '    for (const work of this.#connections.listBlockedWork(now)) this.#submit(findCounterpart(work));\n',
    to: '',
  },
  {
    name: 'the only active key leaves a connection idle',
    file: 'connections.ts',
    from: 'isAlone ? most : Math.max(1, most - 1)',
    to: 'Math.max(1, most - 1)',
  },
  {
    name: 'the pool never opens overflow connections',
    file: 'connections.ts',
    from: 'if (overdue === 0 ||',
    to: 'if (overdue >= 0 ||',
  },
  {
    name: 'a refused connection fails its statement',
    file: 'guard.ts',
    from: 'if (!isGivenUp && this.#connections.isRefused(pooled, this.#clock.now()))',
    to: 'if (false)',
  },
  {
    name: 'an overflow connection is opened without a long wait',
    file: 'connections.ts',
    from: 'waited >= CHECK_INTERVAL && ',
    to: '',
  },
  {
    name: 'a hanging key gets overflow connections',
    file: 'connections.ts',
    from: '(held.isOwnOverdue || quickSince < held.overdueSince)',
    to: 'quickSince < held.overdueSince',
  },
  {
    name: 'a key gets several overflow connections before its first response',
    file: 'connections.ts',
    from: 'held.own > 0 && (held.isOwnOverdue || quickSince < held.overdueSince)',
    to: 'held.isOwnOverdue',
  },
  {
    name: 'a key can take the last connection while others are active',
    file: 'connections.ts',
    from: 'isAlone ? most : Math.max(1, most - 1)',
    to: 'most',
  },
  {
    name: 'slow keys together can take all connections',
    file: 'connections.ts',
    from: 'return hasRoom && held.slow < this.#ofSlow;',
    to: 'return hasRoom;',
  },
  {
    name: 'a new key counts as quick',
    file: 'tenant-state.ts',
    from: "'slow' = 'new'",
    to: "'slow' = 'quick'",
  },
  {
    name: 'a quick key stays quick forever',
    file: 'tenant-state.ts',
    from: "tenant.pace = 'slow'",
    to: 'tenant.atWork += 0',
  },
  {
    name: 'a key with connections also queues on connections of others',
    file: 'connections.ts',
    from: 'held.own > 0)',
    to: 'false)',
  },
  {
    name: 'slow keys queue on connections of others',
    file: 'connections.ts',
    from: 'tenant.isQuick && other.isQuick && ',
    to: '',
  },
  {
    name: 'the service has no connection of its own',
    file: 'connections.ts',
    from: 'poolSize > 2 ? poolSize - 1 : poolSize',
    to: 'poolSize',
  },
  {
    name: 'a long queue serves the oldest statement first',
    file: 'scheduler.ts',
    from: 'now - oldest.since > NEWEST_FIRST * this.#patience',
    to: 'false',
  },
];

it.each(MUTATIONS)('a history detects the mutation: $name', async mutation => {
  const breach = await firstBreach([mutation], HISTORIES);
  process.stderr.write(
    `${mutation.name}: ${breach ? `${breach.promise}, history ${breach.seed}` : 'not found'}\n`,
  );
  expect(breach).toBeDefined();
});
