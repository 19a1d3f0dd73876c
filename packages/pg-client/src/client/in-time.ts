import { MACHINE_CLOCK, type MonotonicClock } from './clock.ts';

/**
 * Returns the result of the work.
 * @throws {Error} if the work takes longer than this number of milliseconds
 */
export function inTime<Result>(
  work: PromiseLike<Result>,
  limit: number,
  clock: MonotonicClock = MACHINE_CLOCK,
): Promise<Result> {
  let callOff = () => {};
  const late = new Promise<never>((_, reject) => {
    callOff = clock.after(limit, () => reject(new Error('no answer in time')), true);
  });
  return Promise.race([work, late]).finally(callOff);
}
