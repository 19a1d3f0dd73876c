import cluster from 'node:cluster';
import type { KeyForCode, OneTimeKey } from '../pages/sign-in.ts';

/** From a process that serves: a code that a visitor has sent. */
interface Asked {
  redeeming: number;
  code: string;
}

/** The answer: the key, or nothing. */
interface Told {
  redeemed: number;
  key?: string | undefined;
}

/** Changes codes into the key for the processes that this one starts: one code, one key, once for all of them. */
export function redeemForAll(oneTimeKey: OneTimeKey | undefined): void {
  cluster.on('message', (worker, { redeeming, code }: Partial<Asked>) => {
    if (redeeming === undefined || !worker.isConnected()) return;
    const told: Told = { redeemed: redeeming, key: oneTimeKey?.take(code) };
    worker.send(told);
  });
}

/** Milliseconds within which the process that redeems for all answers, and characters of a code. */
const ANSWER_LIMIT = 1000;
const LONGEST_CODE = 100;

/** Asks the process that started this one. */
export class RedeemedForAll implements KeyForCode {
  #waiting = new Map<number, (key: string | undefined) => void>();
  #last = 0;

  constructor() {
    process.on('message', ({ redeemed, key }: Partial<Told>) => {
      if (redeemed !== undefined) this.#settle(redeemed, key);
    });
  }

  async take(code: unknown): Promise<string | undefined> {
    if (typeof code !== 'string' || code.length > LONGEST_CODE) return undefined;
    const redeeming = ++this.#last;
    return new Promise(resolve => {
      this.#waiting.set(redeeming, resolve);
      const giveUp = () => this.#settle(redeeming, undefined);
      setTimeout(giveUp, ANSWER_LIMIT).unref();
      const asked: Asked = { redeeming, code };
      process.send!(asked, undefined, undefined, error => error && giveUp());
    });
  }

  #settle(number: number, key: string | undefined): void {
    this.#waiting.get(number)?.(key);
    this.#waiting.delete(number);
  }
}
