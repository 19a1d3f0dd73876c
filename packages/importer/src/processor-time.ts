/** Milliseconds between two readings of the processor time, which is a system call and slower than the wall clock. */
const BETWEEN_READINGS = 1;

/**
 * Measures the processor time that this process spends between `start` and `stop`. Between two readings, it is at most
 * the measured wall time, which is counted until the next reading. It is therefore never too little, and too much only
 * if the process waits or does something else within the same millisecond.
 */
export class ProcessorTime {
  /** Milliseconds up to the last reading, and the wall time since then. */
  #read = 0;
  #unread = 0;
  /** The last reading, and when it was made, in milliseconds. */
  #reading = 0;
  #readAt = Number.NEGATIVE_INFINITY;
  /** Undefined while stopped. */
  #since: number | undefined;

  start(): void {
    this.#since = this.#update();
  }

  stop(): void {
    this.#update();
    this.#since = undefined;
  }

  /** The measured time in seconds. */
  get seconds(): number {
    if (this.#since !== undefined) this.#since = this.#update();
    return (this.#read + this.#unread) / 1000;
  }

  /** Counts the time up to now, which is returned. */
  #update(): number {
    const now = performance.now();
    if (this.#since !== undefined) this.#unread += now - this.#since;
    if (now - this.#readAt >= BETWEEN_READINGS) this.#readProcessorTime(now);
    return now;
  }

  #readProcessorTime(now: number): void {
    const { user, system } = process.cpuUsage();
    const reading = (user + system) / 1000;
    this.#read += Math.min(this.#unread, reading - this.#reading);
    this.#unread = 0;
    this.#reading = reading;
    this.#readAt = now;
  }
}
