import type { Bounds } from './bounds.ts';
import type { Content } from './content.ts';
import { ProcessorTime } from './processor-time.ts';
import { Unreadable } from './unreadable.ts';

const MB = 1_000_000;

/** The number of bytes that any item can produce, regardless of its size. */
const FREE = 4 * MB;

/** The minimum charge, in bytes, for a record, for a part of a list or log, and for a JSON value. */
const [LEAST_RECORD, LEAST_PART, LEAST_VALUE] = [1600, 400, 100];

/** The maximum size of the results of one value, which are all in memory at once. */
const MOST_AT_ONCE = 32 * MB;

/** Number of charges between two checks of the processor time. */
const COUNTED_BETWEEN_LOOKS = 16;

/**
 * The processor time that an item can use, in seconds, and the additional time per megabyte of its input and output.
 */
const SECONDS = 2;
const SECONDS_PER_MB = 1;

/** An item exceeded its budget. The rest of it and of its containers is skipped. */
export class BudgetExceeded extends Error {
  override name = 'BudgetExceeded';
  override readonly cause: Unreadable;

  constructor(reason: string, detail: string) {
    super(reason);
    this.cause = new Unreadable(reason, detail);
  }
}

/**
 * Limits the output of a file or mail in relation to its size. Input is untrusted: a few bytes must not fill memory,
 * disk or time.
 */
export class ResourceBudget {
  #growth: number;
  #own = 0;
  #decompressed = 0;
  #spent = 0;
  #atOnce = 0;
  #counted = 0;
  #time = new ProcessorTime();

  constructor({ growth }: Bounds) {
    this.#growth = growth;
  }

  /** Returns the content and counts its bytes as the item's input. */
  async *countContent(content: Content): Content {
    for await (const chunk of content) {
      this.#own += chunk.length;
      yield chunk;
    }
  }

  /**
   * Passes results on and measures the time to find them.
   * @throws {BudgetExceeded}
   */
  async *measureTime<Found>(findings: AsyncGenerator<Found>): AsyncGenerator<Found> {
    try {
      for (;;) {
        this.#time.start();
        this.#atOnce = 0;
        const next = await findings.next();
        this.#time.stop();
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await findings.return(undefined);
    }
  }

  /**
   * Counts decompressed bytes.
   * @throws {BudgetExceeded}
   */
  decompress(bytes: number): void {
    this.#decompressed += bytes;
    this.#require(this.#decompressed, 'expands too much for its size');
  }

  /**
   * Charges for a record of the given size.
   * @throws {BudgetExceeded}
   */
  give(bytes: number): void {
    this.#count(Math.max(LEAST_RECORD, bytes));
  }

  /**
   * Charges for an examined part, even if it contains no report.
   * @throws {BudgetExceeded}
   */
  part(): void {
    this.#count(LEAST_PART);
  }

  /** Maximum number of values in a JSON text of this item. */
  get values(): number {
    return Math.floor(this.#most / LEAST_VALUE);
  }

  /**
   * Checks the processor time.
   * @throws {BudgetExceeded} if the item has used too much of it
   */
  look(): void {
    const megabytes = (this.#own + this.#decompressed) / MB;
    const seconds = SECONDS + SECONDS_PER_MB * megabytes;
    if (this.#time.seconds > seconds)
      throw new BudgetExceeded(
        'takes too long for its size',
        `over ${Math.ceil(seconds)} s of processor time`,
      );
  }

  #require(bytes: number, reason: string): void {
    if (bytes > this.#most)
      throw new BudgetExceeded(reason, `over ${FREE} bytes and ${this.#growth} times its ${this.#own}`);
  }

  #count(bytes: number): void {
    this.#spent += bytes;
    this.#atOnce += bytes;
    this.#require(this.#spent, 'contains too many records for its size');
    if (this.#atOnce > MOST_AT_ONCE)
      throw new BudgetExceeded('contains too many records in one value', `over ${MOST_AT_ONCE} bytes`);
    if (++this.#counted % COUNTED_BETWEEN_LOOKS === 0) this.look();
  }

  get #most(): number {
    return FREE + this.#growth * this.#own;
  }
}
