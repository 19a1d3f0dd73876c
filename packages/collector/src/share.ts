/**
 * A limited resource that accounts share. An account can use at most as much as remains free, so a flooded account
 * leaves room for others: it gets half if no other account uses any.
 */
export class Share {
  #most: number;
  #isShared: () => boolean;
  #byAccount = new Map<string, number>();
  #used = 0;

  /** @param isShared returns whether there are several accounts; a single account can use everything */
  constructor(most: number, isShared: () => boolean) {
    this.#most = most;
    this.#isShared = isShared;
  }

  get used(): number {
    return this.#used;
  }

  hasRoom(account: string, amount: number): boolean {
    const free = this.#most - this.#used - amount;
    if (!this.#isShared()) return free >= 0;
    return (this.#byAccount.get(account) ?? 0) + amount <= free;
  }

  /** Reserves an amount; returns false if there is no room. */
  take(account: string, amount: number): boolean {
    if (!this.hasRoom(account, amount)) return false;
    this.add(account, amount);
    return true;
  }

  /** Adds an amount without a check. A negative amount releases it. */
  add(account: string, amount: number): void {
    const used = (this.#byAccount.get(account) ?? 0) + amount;
    if (used > 0) this.#byAccount.set(account, used);
    else this.#byAccount.delete(account);
    this.#used += amount;
  }

  /** Replaces the recorded usage. */
  replace(byAccount: ReadonlyMap<string, number>): void {
    this.#byAccount.clear();
    this.#used = 0;
    for (const [account, amount] of byAccount) this.add(account, amount);
  }

  entries(): Iterable<[string, number]> {
    return this.#byAccount.entries();
  }
}
