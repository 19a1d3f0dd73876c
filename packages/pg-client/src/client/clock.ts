/** The clock and its timers. Simulations replace it. */
export interface MonotonicClock {
  /** Milliseconds of the monotonic clock. */
  now(): number;
  /**
   * Calls back once after this number of milliseconds. Returns a function that cancels the call.
   * @param holds true to keep the process alive until then
   */
  after(milliseconds: number, call: () => void, holds?: boolean): () => void;
  /** Calls back repeatedly, without keeping the process alive. */
  every(milliseconds: number, call: () => void): () => void;
}

export const MACHINE_CLOCK: MonotonicClock = {
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
