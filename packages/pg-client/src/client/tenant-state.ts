import { LRUCache } from 'lru-cache';
import { OVERDUE, RECENT } from './limits.ts';

/** The recent connection time of a tenant, and whether its statements are quick. */
export class TenantState {
  /** True for the service itself. */
  readonly isOwn: boolean;
  /** Number of running statements, not counting retries on another connection (`findCounterpart`). */
  atWork = 0;
  /** `quick` after a quick answer, and `slow` after an overdue statement. */
  pace: 'new' | 'quick' | 'slow' = 'new';
  /** When the last quickly answered statement began. */
  quickSince = Number.NEGATIVE_INFINITY;
  /** The text of the last statement that was quick without being declared quick. */
  quickText: string | undefined;
  /**
   * The recently used connection time, by which keys are ordered. It is stored as a binary logarithm relative to time
   * 0, so that exponential decay does not change it.
   */
  level = Number.NEGATIVE_INFINITY;

  constructor(isOwn = false) {
    this.isOwn = isOwn;
  }

  get isQuick(): boolean {
    return this.isOwn || this.pace === 'quick';
  }

  use(milliseconds: number, now: number): void {
    const age = now / RECENT;
    this.level = Math.log2(2 ** (this.level - age) + milliseconds) + age;
  }
}

/** The states of all tenants. */
export class TenantStates {
  readonly own = new TenantState(true);
  #states: LRUCache<string, TenantState>;
  /** The key with the latest quick answer, and when that statement began. */
  #quick: TenantState | undefined;
  #quickSince = Number.NEGATIVE_INFINITY;
  /** The key of the latest request, and when the key last changed. */
  #caller: TenantState | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  /** @param most maximum number of cached keys */
  constructor(most: number) {
    // With `max`, the cache would allocate memory for all entries at the start.
    this.#states = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /**
   * Returns the state of a tenant.
   * @param key the id of a key; undefined for the service itself
   */
  of(key: string | undefined): TenantState {
    if (key === undefined) return this.own;
    const existing = this.#states.get(key);
    if (existing) return existing;
    const made = new TenantState();
    this.#states.set(key, made);
    return made;
  }

  noteRequest(tenant: TenantState, now: number): void {
    if (tenant.isOwn || tenant === this.#caller) return;
    if (this.#caller) this.#changedAt = now;
    this.#caller = tenant;
  }

  /** Checks whether only one key has sent requests recently. */
  isOneAlone(now: number): boolean {
    return now - this.#changedAt >= RECENT;
  }

  /**
   * Checks a running statement. An overdue statement marks its key as slow if a later statement of another key was
   * answered quickly, which shows that the server is not the cause.
   * @param since when the server received the statement
   */
  watch(tenant: TenantState, since: number, now: number): void {
    if (now - since < OVERDUE || tenant === this.#quick) return;
    if (this.#quickSince > since) tenant.pace = 'slow';
  }

  /**
   * Records the end of a statement.
   * @param since when the server received the statement
   * @param isAnswered true if the statement succeeded. A failed one does not count as quick, because it can fail before
   * it does any work
   */
  ended(tenant: TenantState, since: number, now: number, isAnswered: boolean): void {
    if (tenant.isOwn) return;
    tenant.use(now - since, now);
    if (!isAnswered || now - since >= OVERDUE) this.watch(tenant, since, now);
    else {
      this.#quick = tenant;
      this.#quickSince = since;
      tenant.pace = 'quick';
      tenant.quickSince = since;
    }
  }
}
