/**
 * V8 would optimize whatever runs for a moment: most of what a test starts is done before that is worth its while. It was
 * an eighth of the processor time of test processes, and more of a service that a test starts.
 */
export const OPTIMIZE_LATE = '--interrupt-budget=1500000';
