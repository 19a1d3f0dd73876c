import { type Clock, MACHINE_CLOCK } from './clock.ts';

/** The work's outcome. @throws {Error} when there is none within so many milliseconds */
export function inTime<Result>(
  work: PromiseLike<Result>,
  limit: number,
  clock: Clock = MACHINE_CLOCK,
): Promise<Result> {
  let callOff = () => {};
  const late = new Promise<never>((_, reject) => {
    callOff = clock.after(limit, () => reject(new Error('no answer in time')), true);
  });
  return Promise.race([work, late]).finally(callOff);
}
