/** The monthly quota of an account's plan, as returned by the service. */
export interface PlanQuota {
  used: number;
  limit: number;
  /** The month, such as `2026-11`. */
  month: string;
}

interface StoredUsage {
  day: string;
  bytes: number;
  month: string;
  /** Number of reports in the month that this collector accepted. */
  reports: number;
  /** The service's last answer, and the number of reports that it does not include yet. */
  answer?: PlanQuota | undefined;
  since: number;
}

type ReportsByAccount = ReadonlyMap<string, number>;

/** Counts what each account has stored today and this month (UTC), and checks its quotas. */
export class Quotas {
  #mostBytes: number;
  #findPlan: (account: string) => PlanQuota | undefined;
  #byAccount = new Map<string, StoredUsage>();

  /**
   * @param mostBytes maximum number of bytes that an account stores per day
   * @param findPlan returns the service's last answer
   */
  constructor(mostBytes: number, findPlan: (account: string) => PlanQuota | undefined) {
    this.#mostBytes = mostBytes;
    this.#findPlan = findPlan;
  }

  /**
   * Checks whether an account can store more.
   * @param reports number of reports that count against the plan's quota
   */
  hasRoom(account: string, bytes: number, reports: number): boolean {
    const stored = this.#get(account);
    if (stored.bytes + bytes > this.#mostBytes) return false;
    const { answer, month } = stored;
    if (!answer || reports === 0) return true;
    // An answer for another month says nothing about this month's usage.
    const used = Math.max(stored.reports, (answer.month === month ? answer.used : 0) + stored.since);
    return used + reports <= answer.limit;
  }

  add(account: string, bytes: number, reports: number): void {
    const stored = this.#get(account);
    stored.bytes += bytes;
    stored.reports += reports;
    stored.since += reports;
  }

  /** Returns the number of reports this month, by account. */
  countTaken(): ReportsByAccount {
    return new Map([...this.#byAccount.keys()].map(account => [account, this.#get(account).reports]));
  }

  /**
   * Applies the service's new answers.
   * @param taken reports accepted before the request
   * @param waiting those of them that the answer may not include, because they were still in the spool
   */
  rebase(taken: ReportsByAccount, waiting: ReportsByAccount): void {
    for (const account of new Set([...this.#byAccount.keys(), ...waiting.keys()])) {
      const answer = this.#findPlan(account);
      if (answer && answer === this.#byAccount.get(account)?.answer) continue;
      const stored = this.#get(account);
      const since = Math.max(0, stored.reports - (taken.get(account) ?? 0));
      Object.assign(stored, { answer, since: (waiting.get(account) ?? 0) + since });
    }
  }

  /** Returns the state for the next process. */
  save(): [string, object][] {
    return [...this.#byAccount].map(([account, { answer: _, since: __, ...stored }]) => [account, stored]);
  }

  restore(saved: Iterable<[string, Omit<StoredUsage, 'since'>]>): void {
    this.#byAccount = new Map([...saved].map(([account, stored]) => [account, { ...stored, since: 0 }]));
  }

  #get(account: string): StoredUsage {
    const day = new Date().toISOString().slice(0, 10);
    const month = day.slice(0, 7);
    const answer = this.#findPlan(account);
    const stored = this.#byAccount.get(account) ?? { day, bytes: 0, month, reports: 0, answer, since: 0 };
    this.#byAccount.set(account, stored);
    if (stored.day !== day) Object.assign(stored, { day, bytes: 0 });
    if (stored.month !== month) Object.assign(stored, { month, reports: 0, since: 0 });
    return stored;
  }
}
