import cluster from 'node:cluster';
import { type IRateLimiterOptions, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** From a process that serves: the requests of one turn of its event loop, key by key. */
interface Asked {
  counting: number;
  requests: [keyId: string, count: number][];
}

/** The answer: what each key has come to in its window, and the milliseconds left of that. */
interface Told {
  counted: number;
  windows: [count: number, left: number][];
}

/** Counts for the processes that this one starts. */
export function countForAll(limits: IRateLimiterOptions): void {
  const limiter = new RateLimiterMemory(limits);
  const count = async ([keyId, requests]: Asked['requests'][number]): Promise<Told['windows'][number]> => {
    const consume: Promise<RateLimiterRes> = limiter.consume(keyId, requests);
    const { consumedPoints, msBeforeNext } = await consume.catch((refused: RateLimiterRes) => refused);
    return [consumedPoints, msBeforeNext];
  };
  cluster.on('message', async (worker, { counting, requests }: Partial<Asked>) => {
    if (counting === undefined || !requests) return;
    const told: Told = { counted: counting, windows: await Promise.all(requests.map(count)) };
    if (worker.isConnected()) worker.send(told);
  });
}

/** Milliseconds within which the process that counts for all answers. */
const ANSWER_LIMIT = 1000;

interface Waiting {
  resolve(left: RateLimiterRes): void;
  /** With a `RateLimiterRes` where the limit is passed; with an `Error` where no answer comes. */
  reject(reason: RateLimiterRes | Error): void;
}

interface Batch {
  number: number;
  overdue?: NodeJS.Timeout;
  waiting: Map<string, Waiting[]>;
}

/**
 * Counts in the process that started this one. A message there and back costs more than a small answer, so one
 * message carries all counts of one turn of the event loop. The busier the process, the more counts a message has.
 */
export class CountedForAll {
  #max: number;
  #gathered: Batch | undefined;
  /** In the order in which they were asked. They are few. */
  #asked: Batch[] = [];
  #last = 0;

  constructor({ points }: { points: number }) {
    this.#max = points;
    process.on('message', ({ counted, windows }: Partial<Told>) => {
      if (counted !== undefined && windows) this.#told(counted, windows);
    });
  }

  consume(keyId: string): Promise<RateLimiterRes> {
    this.#gathered ??= this.#begun();
    const { waiting } = this.#gathered;
    return new Promise((resolve, reject) => {
      const ofKey = waiting.get(keyId);
      if (ofKey) ofKey.push({ resolve, reject });
      else waiting.set(keyId, [{ resolve, reject }]);
    });
  }

  #begun(): Batch {
    setImmediate(() => this.#ask());
    return { number: ++this.#last, waiting: new Map() };
  }

  #ask(): void {
    const batch = this.#gathered!;
    this.#gathered = undefined;
    this.#asked.push(batch);
    const asked: Asked = {
      counting: batch.number,
      requests: Array.from(batch.waiting, ([keyId, { length }]) => [keyId, length]),
    };
    const giveUp = () => {
      for (const { reject } of this.#taken(batch.number).flat())
        reject(new Error('the process that counts for all does not answer'));
    };
    batch.overdue = setTimeout(giveUp, ANSWER_LIMIT);
    process.send!(asked, undefined, undefined, error => error && giveUp());
  }

  #told(number: number, windows: Told['windows']): void {
    for (const [index, ofKey] of this.#taken(number).entries()) {
      const [count, left] = windows[index]!;
      for (const [place, { resolve, reject }] of ofKey.entries()) {
        const own = count - ofKey.length + place + 1;
        const decided = new RateLimiterRes(Math.max(0, this.#max - own), left, own, own === 1);
        if (own > this.#max) reject(decided);
        else resolve(decided);
      }
    }
  }

  /** The callers that wait for a batch, key by key; none where it was settled before. */
  #taken(number: number): Waiting[][] {
    const at = this.#asked.findIndex(batch => batch.number === number);
    if (at < 0) return [];
    const [{ overdue, waiting }] = this.#asked.splice(at, 1) as [Batch];
    clearTimeout(overdue);
    return [...waiting.values()];
  }
}
