import { LiveSet } from './live-set.ts';

/** The response took too long. */
export class Overdue extends Error {
  override name = 'Overdue';
}

/** Milliseconds after a statement's timeout by which a request is answered. */
const ANSWER_SLACK = 600;

/** Additional milliseconds for closing. */
const CLOSE_SLACK = 100;

/** Returns the time limit of a request in milliseconds for this statement timeout. */
export function getAnswerLimit(statementTimeout: number): number {
  return statementTimeout + ANSWER_SLACK;
}

/** Returns the time limit for closing in milliseconds, in addition to the grace period. */
export function getCloseLimit(statementTimeout: number): number {
  return getAnswerLimit(statementTimeout) + CLOSE_SLACK;
}

interface PendingWork {
  /** The deadline on the monotonic clock. */
  deadline: number;
  reject: (error: Overdue) => void;
}

/** Limits the total time of a request. Each of its statements has a deadline, but a request can have several. */
export class Deadlines {
  #limit: number;
  #pending = new LiveSet<PendingWork>();
  #timer: NodeJS.Timeout | undefined;
  /** The time of the timer's next check. */
  #next = Number.POSITIVE_INFINITY;

  /** @param limit time limit of a request in milliseconds */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns the result of the work if it ends in time.
   * @param begun start of the request on the monotonic clock
   * @throws {Overdue} otherwise; a later result is ignored
   */
  bound<Result>(begun: number, work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const deadline = begun + this.#limit;
      const leave = this.#pending.add({ deadline, reject });
      this.#lookAt(deadline);
      work.then(resolve, reject).then(leave);
    });
  }

  /** One timer for all requests, which is never cancelled, because a timer per request is expensive. */
  #lookAt(deadline: number): void {
    if (deadline >= this.#next) return;
    clearTimeout(this.#timer);
    this.#next = deadline;
    this.#timer = setTimeout(() => this.#expire(), deadline - performance.now()).unref();
  }

  #expire(): void {
    this.#next = Number.POSITIVE_INFINITY;
    const now = performance.now();
    for (const { deadline, reject } of this.#pending) {
      if (deadline <= now) reject(new Overdue('the response took too long'));
      else this.#lookAt(deadline);
    }
  }
}
