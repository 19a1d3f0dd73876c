import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** How long the reference work takes on a quiet core of 2026, in milliseconds of processor time. */
const QUIET = 8;

/** A text of the size of a large request. */
const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, i) => ({ id: `id-${i}`, at: i, of: [i, null] })),
);

/**
 * The factor by which the reference work takes longer than on a quiet machine, because other work shares the cores and
 * caches; at least 1. The limit of cheap work is multiplied by this, measured at the same moment.
 */
export function slowness(): number {
  const before = process.cpuUsage();
  JSON.parse(TEXT);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1000 / QUIET);
}

/** Milliseconds between two readings of the clock. */
const LOOK = 10;

/** How many times a process must be scheduled to answer, each time as late as this process at most. */
const TURNS = 5;

export interface RequestAllowance {
  /** The milliseconds promised on a quiet machine, plus what other processes took in the meantime. */
  over(promised: number): number;
  /** Waits until this much time has passed since a point in time, and half a second more. */
  pass(since: number, promised: number): Promise<void>;
}

/** Measures the longest delay of a timer in this process from now on. */
export function watchMachine(): RequestAllowance {
  const delay = monitorEventLoopDelay({ resolution: LOOK });
  delay.enable();
  const over = (promised: number) => promised + (TURNS * delay.max) / 1e6;
  return {
    over,
    async pass(since, promised) {
      while (performance.now() < since + over(promised) + 500) await sleep(50);
    },
  };
}
