/**
 * How hard the faults are tried: a little within `npm test`, which everybody waits for, and in earnest by
 * `npm run test:faults`.
 */
export const IN_EARNEST = process.env.FAULTS === 'earnest';

/** Requests a second. */
export const RATE = 100;

/** Seconds that a fault lasts. */
export const SECONDS = IN_EARNEST ? 4 : 1;
