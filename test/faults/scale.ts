/**
 * The effort: full by `npm run test:faults`, and a little within `npm test`, which has to be quick, and with
 * `FAULTS=brief`.
 */
export const IN_EARNEST = process.env.FAULTS === 'earnest';

/** The tries of a property: with other values each time, so that many runs of `npm test` see many, too. */
export const runs = (few: number, many: number) => ({ numRuns: IN_EARNEST ? many : few });

/** Requests a second: few where times are not measured. */
export const RATE = IN_EARNEST ? 100 : 20;

/** Milliseconds after which a request counts as not answered, whatever else the machine does. */
export const PATIENCE = IN_EARNEST ? 20_000 : 60_000;

/** The service's own limits, as they are where nothing is set. */
export const LIMITS = { STATEMENT_TIMEOUT: '2s', LOOK_UP_TIMEOUT: '1s', DATABASE_QUEUE_TIMEOUT: '1s' };

/** Seconds that a fault lasts. */
export const SECONDS = IN_EARNEST ? 4 : 1;
