import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds of processor time that the yardstick takes on a quiet core of 2026. */
const QUIET = 8;

/** A text of the size of a large request. */
const TEXT = JSON.stringify(
  Array.from({ length: 20_000 }, (_, i) => ({ id: `id-${i}`, at: i, of: [i, null] })),
);

/**
 * The factor by which the same work takes more processor time than on a quiet machine, where other work shares cores
 * and caches; at least 1. Cheap work is held to a multiple of this, measured at the same moment.
 */
export function slowness(): number {
  const before = process.cpuUsage();
  JSON.parse(TEXT);
  const { user, system } = process.cpuUsage(before);
  return Math.max(1, (user + system) / 1000 / QUIET);
}

/** Milliseconds between two looks at the clock. */
const LOOK = 10;

/** Turns at the processor that a process needs to answer, each as late as ours at most. */
const TURNS = 5;

export interface RequestAllowance {
  /** Milliseconds that are promised on a quiet machine, and what the machine took from all processes meanwhile. */
  over(promised: number): number;
  /** Waits until so much has passed since an instant, and half a second more. */
  pass(since: number, promised: number): Promise<void>;
}

/** Measures from now on the longest delay of a timer in this process. */
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
