import { setTimeout as sleep } from 'node:timers/promises';

/** Connection attempts in any one second at most: a server that has just come back is not met by a storm. */
const MOST = 20;

/** Milliseconds; a little more than a second, since the server counts them by its own clock. */
const WINDOW = 1050;

export class Attempts {
  count = 0;
  /** When the last ones were, by the monotonic clock; the oldest first. */
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
