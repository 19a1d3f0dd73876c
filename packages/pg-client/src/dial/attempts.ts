import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum number of connection attempts per second, which protects a server that has just restarted. */
const MOST = 20;

/** The period in milliseconds to which the limit applies: slightly more than a second, because clocks differ. */
const WINDOW = 1050;

export class Attempts {
  count = 0;
  /** Times of the latest attempts by the monotonic clock, oldest first. */
  #recent: number[] = [];

  async permit(): Promise<void> {
    for (let wait = this.#wait(); wait > 0; wait = this.#wait()) await sleep(wait);
    this.count++;
    this.#recent.push(performance.now());
    if (this.#recent.length > MOST) this.#recent.shift();
  }

  #wait(): number {
    if (this.#recent.length < MOST) return 0;
    return Math.ceil(this.#recent[0]! + WINDOW - performance.now());
  }
}
