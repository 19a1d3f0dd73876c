import type { Bounds } from './bounds.ts';
import type { Content } from './content.ts';
import { Unreadable } from './unreadable.ts';

const MB = 1_000_000;

/** Bytes that an item may give whatever its size. */
const FREE = 4 * MB;

/** Bytes that these count at least: a record, a part of a list or of a log, and a value of JSON. */
const [LEAST_RECORD, LEAST_PART, LEAST_VALUE] = [1600, 400, 100];

/** Bytes of what is found in one value, which is in memory at once. */
const MOST_AT_ONCE = 32 * MB;

/** Seconds of processor time that an item may take, and more for each megabyte of it and of what it gives. */
const SECONDS = 2;
const SECONDS_PER_MB = 1;

/** An item has given all that it may: what is left of it is not looked at, whatever it stands in. */
export class Exhausted extends Error {
  override name = 'Exhausted';
  override readonly cause: Unreadable;

  constructor(reason: string, detail: string) {
    super(reason);
    this.cause = new Unreadable(reason, detail);
  }
}

/**
 * The output that a file, or a mail of a mailbox, may have for its size. A stranger wrote it: a few bytes must not fill
 * memory, disk or time.
 */
export class Allowance {
  #growth: number;
  #own = 0;
  #decompressed = 0;
  #given = 0;
  #atOnce = 0;
  /** Seconds of processor time until it was asked the last time, and when that was. */
  #seconds = 0;
  #since: number | undefined;

  constructor({ growth }: Bounds) {
    this.#growth = growth;
  }

  /** The content, with its bytes counted as the item's own. */
  async *counted(content: Content): Content {
    for await (const chunk of content) {
      this.#own += chunk.length;
      yield chunk;
    }
  }

  /** Hands on findings, and takes the time of finding them. @throws {Exhausted} */
  async *timed<Found>(findings: AsyncGenerator<Found>): AsyncGenerator<Found> {
    try {
      for (;;) {
        this.#since = processorSeconds();
        this.#atOnce = 0;
        const next = await findings.next();
        this.#seconds = this.#elapsed;
        this.#since = undefined;
        if (next.done) return;
        yield next.value;
      }
    } finally {
      await findings.return(undefined);
    }
  }

  /** Bytes came out of what was compressed. @throws {Exhausted} */
  decompress(bytes: number): void {
    this.#decompressed += bytes;
    this.#require(this.#decompressed, 'decompresses to too much for its size');
  }

  /** A record was found, of so many bytes. @throws {Exhausted} */
  give(bytes: number): void {
    this.#count(Math.max(LEAST_RECORD, bytes));
  }

  /** A part was looked at, which may be none. @throws {Exhausted} */
  part(): void {
    this.#count(LEAST_PART);
  }

  /** The number of values that a text of JSON may have. */
  get values(): number {
    return Math.floor(this.#most / LEAST_VALUE);
  }

  /** @throws {Exhausted} where it has taken too long */
  look(): void {
    const megabytes = (this.#own + this.#decompressed) / MB;
    const seconds = SECONDS + SECONDS_PER_MB * megabytes;
    if (this.#elapsed > seconds)
      throw new Exhausted('takes too long for its size', `over ${Math.ceil(seconds)} s of the processor`);
  }

  #require(bytes: number, reason: string): void {
    if (bytes > this.#most)
      throw new Exhausted(reason, `over ${FREE} bytes and ${this.#growth} times its ${this.#own}`);
  }

  #count(bytes: number): void {
    this.#given += bytes;
    this.#atOnce += bytes;
    this.#require(this.#given, 'gives too many records for its size');
    if (this.#atOnce > MOST_AT_ONCE)
      throw new Exhausted('holds too many records in one value', `over ${MOST_AT_ONCE} bytes`);
    this.look();
  }

  get #most(): number {
    return FREE + this.#growth * this.#own;
  }

  get #elapsed(): number {
    return this.#since === undefined ? this.#seconds : this.#seconds + processorSeconds() - this.#since;
  }
}

/** The processor time of this process: others do not count. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
