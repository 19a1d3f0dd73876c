/**
 * V8 would optimize whatever runs for a moment: most of what a test starts is done before that is worth its while. It was
 * an eighth of the processor time of test processes, and more of a service that a test starts.
 */
export const OPTIMIZE_LATE = '--interrupt-budget=1500000';

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
