/** The source of the current time, which tests can stop. */
export interface Clock {
  now(): Date;
}

export const systemClock: Clock = { now: () => new Date() };
