import { Share } from './share.ts';

/** Maximum number of waiting jobs. A client waits for each of them. */
const MOST_JOBS = 1000;

/** Maximum time for jobs per turn of the event loop, in milliseconds. */
const TURN = 10;

interface AccountJobs {
  account: string;
  jobs: (() => void)[];
  /** Time used by the account's jobs, in milliseconds. */
  spent: number;
}

/**
 * Runs jobs in a fair order: the account that has used the least time is next. Idle accounts do not accumulate credit.
 */
export class FairQueue {
  #share: Share;
  #accounts = new Map<string, AccountJobs>();
  #waiting = new Set<AccountJobs>();
  /** The used time of the last scheduled account. */
  #level = 0;
  #isScheduled = false;

  constructor(isShared: () => boolean) {
    this.#share = new Share(MOST_JOBS, isShared);
  }

  /**
   * Queues a job.
   * @returns false if too many jobs of the account are waiting
   */
  add(account: string, job: () => void): boolean {
    if (!this.#share.take(account, 1)) return false;
    const entry = this.#accounts.get(account) ?? { account, jobs: [], spent: 0 };
    this.#accounts.set(account, entry);
    if (entry.jobs.length === 0) entry.spent = Math.max(entry.spent, this.#level);
    entry.jobs.push(job);
    this.#waiting.add(entry);
    this.#schedule();
    return true;
  }

  #schedule(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      const end = performance.now() + TURN;
      for (let now = end - TURN; this.#waiting.size > 0 && now < end; ) now = this.#runNext(now);
      this.#schedule();
    });
  }

  /**
   * Runs the next job.
   * @returns the time at which it ended
   */
  #runNext(begun: number): number {
    const next = leastSpent(this.#waiting);
    const job = next.jobs.shift()!;
    if (next.jobs.length === 0) this.#waiting.delete(next);
    this.#share.add(next.account, -1);
    this.#level = next.spent;
    job();
    const now = performance.now();
    next.spent += now - begun;
    return now;
  }
}

function leastSpent(waiting: Iterable<AccountJobs>): AccountJobs {
  let least: AccountJobs | undefined;
  for (const entry of waiting) if (!least || entry.spent < least.spent) least = entry;
  return least!;
}
