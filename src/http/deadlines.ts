import { LiveSet } from './live-set.ts';

/** An answer took too long. The public learns no more than "500". */
export class Overdue extends Error {
  override name = 'Overdue';
}

/** Milliseconds beyond the time of a statement within which a request is answered. */
const ANSWER_SLACK = 600;

/** Milliseconds more that closing takes. */
const CLOSE_SLACK = 100;

/** Milliseconds from a request's begin to its answer, where a statement may take so many. */
export function answerLimitOf(statementTimeout: number): number {
  return statementTimeout + ANSWER_SLACK;
}

/** Milliseconds that closing takes at most, beyond its grace. */
export function closeLimitOf(statementTimeout: number): number {
  return answerLimitOf(statementTimeout) + CLOSE_SLACK;
}

interface Pending {
  /** The time by which it must be settled, by the monotonic clock. */
  deadline: number;
  reject: (error: Overdue) => void;
}

/**
 * Bounds the time that the service takes for a request as a whole. Each of its statements has a deadline, but a
 * request can have several, one after the other.
 */
export class Deadlines {
  #limit: number;
  #pending = new LiveSet<Pending>();
  #timer: NodeJS.Timeout | undefined;
  /** When the timer looks at what is late. */
  #next = Number.POSITIVE_INFINITY;

  /** @param limit milliseconds from a request's begin to its answer */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * The work's outcome, if there is one in time.
   * @param begun when the request began, by the monotonic clock
   * @throws {Overdue} otherwise; what the work comes to is then of no interest
   */
  bound<Result>(begun: number, work: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      const deadline = begun + this.#limit;
      const leave = this.#pending.add({ deadline, reject });
      this.#lookAt(deadline);
      work.then(resolve, reject).then(leave);
    });
  }

  /** One timer for all, which no answer calls off. To wake for each request would cost a sixth of it. */
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
      if (deadline <= now) reject(new Overdue('the answer took too long'));
      else this.#lookAt(deadline);
    }
  }
}
