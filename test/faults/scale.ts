/** True if tests run in full (`npm run test:faults`), false for a short run (`npm test`, `FAULTS=brief`). */
export const IN_EARNEST = process.env.FAULTS === 'earnest';

/** The number of runs of a property, each with random values. */
export const runs = (few: number, many: number) => ({ numRuns: IN_EARNEST ? many : few });

/** Requests per second; few if times are not measured. */
export const RATE = IN_EARNEST ? 100 : 20;

/** In milliseconds. Requests without a response by then count as unanswered. */
export const PATIENCE = IN_EARNEST ? 20_000 : 60_000;

/** The default limits of the service. */
export const LIMITS = { STATEMENT_TIMEOUT: '2s', LOOK_UP_TIMEOUT: '1s', DATABASE_QUEUE_TIMEOUT: '1s' };

/** The duration of a fault in seconds. */
export const SECONDS = IN_EARNEST ? 4 : 1;
