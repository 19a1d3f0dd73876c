/** The time, and what is called in it. A simulation has one of its own. */
export interface Clock {
  /** Milliseconds of the monotonic clock. */
  now(): number;
  /**
   * Calls once, after so many milliseconds; the answer calls it off.
   * @param holds whether the process goes on until then
   */
  after(milliseconds: number, call: () => void, holds?: boolean): () => void;
  /** Calls again and again, as long as the process goes on for other reasons. */
  every(milliseconds: number, call: () => void): () => void;
}

export const MACHINE_CLOCK: Clock = {
  now: () => performance.now(),
  after(milliseconds, call, holds = false) {
    const timer = setTimeout(call, milliseconds);
    if (!holds) timer.unref();
    return () => clearTimeout(timer);
  },
  every(milliseconds, call) {
    const timer = setInterval(call, milliseconds).unref();
    return () => clearInterval(timer);
  },
};
