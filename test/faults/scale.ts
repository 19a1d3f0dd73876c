/** Whether tests run in full (`npm run test:faults`), or briefly in `npm test` and with `FAULTS=brief`. */
export const IN_EARNEST = process.env.FAULTS === 'earnest';

/** The number of runs of a property, with random values each time. */
export const runs = (few: number, many: number) => ({ numRuns: IN_EARNEST ? many : few });

/** Requests per second. Few if times are not measured. */
export const RATE = IN_EARNEST ? 100 : 20;

/** In milliseconds. A request without a response until then counts as unanswered. */
export const PATIENCE = IN_EARNEST ? 20_000 : 60_000;

/** The default limits of the service. */
export const LIMITS = { STATEMENT_TIMEOUT: '2s', LOOK_UP_TIMEOUT: '1s', DATABASE_QUEUE_TIMEOUT: '1s' };

/** The duration of a fault in seconds. */
export const SECONDS = IN_EARNEST ? 4 : 1;
