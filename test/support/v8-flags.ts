/** V8's threshold for optimization, in the units before Node 22 and since then: the default, and a later one. */
const OPTIMIZE =
  Number.parseInt(process.versions.node, 10) < 22
    ? { soon: '--interrupt-budget=135168', late: '--interrupt-budget=400000' }
    : { soon: '--invocation-count-for-turbofan=3000', late: '--invocation-count-for-turbofan=30000' };

/**
 * Keeps V8 from optimizing code that runs only briefly. That took an eighth of the processor time of test processes,
 * and more in the services that they start.
 */
export const OPTIMIZE_LATE = OPTIMIZE.late;

/** For tests whose code runs often enough for optimization. */
export const OPTIMIZE_SOON = OPTIMIZE.soon;

/**
 * Test files share a process and most of its memory. Without this, V8 scans it repeatedly while the heap grows, with
 * helper threads that compete with the other processes, which took a seventh of the processor time.
 */
export const COLLECT_SELDOM = [
  '--min-semi-space-size=16',
  '--max-semi-space-size=32',
  '--initial-heap-size=600',
  '--single-threaded-gc',
];
