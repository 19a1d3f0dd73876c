/**
 * How hard the faults are tried: a little within `npm test`, which everybody waits for, and in earnest by
 * `npm run test:faults`.
 */
export const IN_EARNEST = process.env.FAULTS === 'earnest';

/** Requests a second: few where times are not measured. */
export const RATE = IN_EARNEST ? 100 : 20;

/** Milliseconds within which every request is answered: without a limit on a machine that others use, too. */
export const PATIENCE = IN_EARNEST ? 3000 : 60_000;

/** The service's own limits, as they are where nothing is set. */
export const LIMITS = { STATEMENT_TIMEOUT: '2s', DATABASE_QUEUE_TIMEOUT: '1s' };

/** Seconds that a fault lasts. */
export const SECONDS = IN_EARNEST ? 4 : 1;
