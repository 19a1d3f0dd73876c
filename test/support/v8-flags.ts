/** V8's bound on what runs unoptimized, by what it is counted in before Node 22 and since: its own, and a late one. */
const OPTIMIZE =
  Number.parseInt(process.versions.node, 10) < 22
    ? { soon: '--interrupt-budget=135168', late: '--interrupt-budget=1500000' }
    : { soon: '--invocation-count-for-turbofan=3000', late: '--invocation-count-for-turbofan=30000' };

/**
 * V8 would optimize whatever runs for a moment: most of what a test starts is done before that is worth its while. It was
 * an eighth of the processor time of test processes, and more of a service that a test starts.
 */
export const OPTIMIZE_LATE = OPTIMIZE.late;

/** For tests whose code runs often enough to be worth its optimizing. */
export const OPTIMIZE_SOON = OPTIMIZE.soon;

/**
 * Test files share a process, and leave most of what they made: V8 would go through all that is kept again and again
 * while its heap grows. Its helper threads would only take turns with the other processes. That was a seventh of the
 * processor time.
 */
export const COLLECT_SELDOM = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--initial-heap-size=600',
  '--single-threaded-gc',
];
