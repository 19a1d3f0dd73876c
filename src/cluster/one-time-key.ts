import cluster from 'node:cluster';
import type { KeyForCode, OneTimeKey } from '../pages/sign-in.ts';
import { readMessage, writeMessage } from '../workers/messages.ts';

/** A worker's request to redeem a one-time code. */
interface RedeemRequest {
  redeeming: number;
  code: string;
}

/** The response: the key, if the code is valid. */
interface RedeemResponse {
  redeemed: number;
  key?: string | undefined;
}

/** Redeems codes for the worker processes: one code for one key, once. */
export function redeemForAll(oneTimeKey: OneTimeKey | undefined): void {
  cluster.on('message', (worker, message: unknown) => {
    const { redeeming, code } = readMessage<RedeemRequest>(message) ?? {};
    if (redeeming === undefined || !worker.isConnected()) return;
    const response: RedeemResponse = { redeemed: redeeming, key: oneTimeKey?.take(code) };
    worker.send(writeMessage(response));
  });
}

/** Time limit in milliseconds for the redeeming process, and length of a code in characters. */
const ANSWER_LIMIT = 1000;
const LONGEST_CODE = 100;

/** Asks the parent process to redeem a code. */
export class RedeemedForAll implements KeyForCode {
  #waiting = new Map<number, (key: string | undefined) => void>();
  #last = 0;

  constructor() {
    process.on('message', (message: unknown) => {
      const { redeemed, key } = readMessage<RedeemResponse>(message) ?? {};
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
      const request: RedeemRequest = { redeeming, code };
      process.send!(writeMessage(request), undefined, undefined, error => error && giveUp());
    });
  }

  #settle(number: number, key: string | undefined): void {
    this.#waiting.get(number)?.(key);
    this.#waiting.delete(number);
  }
}
