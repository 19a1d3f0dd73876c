/** V8's threshold for optimization, in the units before Node 22 and since: its default, and a late one. */
const OPTIMIZE =
  Number.parseInt(process.versions.node, 10) < 22
    ? { soon: '--interrupt-budget=135168', late: '--interrupt-budget=1500000' }
    : { soon: '--invocation-count-for-turbofan=3000', late: '--invocation-count-for-turbofan=30000' };

/**
 * V8 would optimize code that runs only briefly. That took an eighth of the processor time of test processes, and more
 * in services started by tests.
 */
export const OPTIMIZE_LATE = OPTIMIZE.late;

/** For tests whose code runs often enough for optimization. */
export const OPTIMIZE_SOON = OPTIMIZE.soon;

/**
 * Test files share a process and most of their memory: V8 would repeatedly scan it while its heap grows. Its helper
 * threads compete with the other processes. That was a seventh of the processor time.
 */
export const COLLECT_SELDOM = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--initial-heap-size=600',
  '--single-threaded-gc',
];
