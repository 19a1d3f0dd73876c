import type { ReadSettings, StatementCaller } from '../database.ts';
import type { Connections } from './connections.ts';
import { FOR_ITS_OWN, NEWEST_FIRST } from './limits.ts';
import type { TenantState, TenantStates } from './tenant-state.ts';
import { isThoughtQuick, type Work } from './work.ts';

/** The reasons why a statement was not sent. */
export const REFUSALS = {
  full: 'too many statements are waiting',
  late: 'no connection became free in time',
  slow: 'statements of this key are slow, and no connection for slow statements became free in time',
} as const;

export type RefusalReason = keyof typeof REFUSALS;

type Limits = Pick<ReadSettings, 'queueTimeout' | 'queueLimit' | 'statementTimeout'>;

/** The waiting statements of a tenant, the oldest first. */
interface TenantQueue {
  tenant: TenantState;
  items: Work[];
}

/**
 * Decides which statement is sent next, and which are refused. The service's own statements come first, then keys
 * without a running statement, then the key that recently used the least connection time. A key can use at most half of
 * the queue.
 */
export class Scheduler {
  /** The numbers of refused statements. */
  readonly refused: Record<RefusalReason, number> = { full: 0, late: 0, slow: 0 };
  /** Number of statements that were sent after waiting, and their total wait in milliseconds. */
  readonly waited = { count: 0, milliseconds: 0 };
  #patience: number;
  #patienceWithItself: number;
  #room: number;
  #tenants: TenantStates;
  #connections: Connections;
  /** An array because there are usually few queues; a map would cost more. */
  #lines: TenantQueue[] = [];
  #waiting = 0;

  constructor(
    { queueTimeout, queueLimit, statementTimeout }: Limits,
    tenants: TenantStates,
    connections: Connections,
  ) {
    this.#patience = queueTimeout;
    this.#patienceWithItself = Math.max(queueTimeout, FOR_ITS_OWN * statementTimeout);
    this.#room = queueLimit;
    this.#tenants = tenants;
    this.#connections = connections;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Assigns a connection, or returns false if none is available yet. */
  start(work: Work, now: number): boolean {
    this.#tenants.noteRequest(work.tenant, now);
    return this.#connections.take(work, now, 0, this.#isAwaitedByOthers(work));
  }

  /** Queues the statement, or returns why it is refused. */
  wait(work: Work): RefusalReason | undefined {
    const { tenant, since } = work;
    work.deadline = since + this.#patience;
    const line = this.#toLine(tenant);
    const room = tenant.isOwn ? this.#room : Math.ceil(this.#room / 2);
    if (this.#waiting >= this.#room || (line && line.items.length >= room)) return this.#refuse('full');
    // A retried statement returns to its original position.
    if (line) line.items.splice(line.items.findLastIndex(before => before.since <= since) + 1, 0, work);
    else this.#lines.push({ tenant, items: [work] });
    this.#waiting++;
    return undefined;
  }

  /** Returns the next statement that can get a connection now, or whose client has disconnected. */
  next(now: number): Work | undefined {
    if (this.#waiting === 0) return undefined;
    // Checked once, because the result is the same for every key.
    if (this.#connections.isFull(now) && !this.#toLine(this.#tenants.own)) return undefined;
    const isNext = (line: TenantQueue) =>
      this.#begin(this.#findFirst(line, now), now, now - line.items[0]!.since);
    const line = this.#nextLine(isNext);
    if (!line) return undefined;
    const work = this.#findFirst(line, now);
    line.items.splice(line.items.indexOf(work), 1);
    this.#waiting--;
    if (line.items.length === 0) this.#lines.splice(this.#lines.indexOf(line), 1);
    return work;
  }

  /**
   * Removes and returns statements that have waited too long, with the reason, and those whose clients have
   * disconnected.
   */
  expire(now: number): [Work, RefusalReason | undefined][] {
    const atWork = this.#sendersAtWork();
    const late = this.#takeOut(work => {
      if (work.sender && atWork.has(work.sender)) this.#waitOn(work, now);
      return work.deadline < now || isGone(work);
    });
    return late.map(work => [work, isGone(work) ? undefined : this.#refuse(describeReason(work))]);
  }

  /** Removes and returns all queued statements. */
  clear(): Work[] {
    return this.#takeOut(() => true);
  }

  #takeOut(isOut: (work: Work) => boolean): Work[] {
    const out: Work[] = [];
    for (const line of this.#lines)
      line.items = line.items.filter(work => !isOut(work) || out.push(work) === 0);
    this.#lines = this.#lines.filter(({ items }) => items.length > 0);
    this.#waiting -= out.length;
    return out;
  }

  #begin(work: Work, now: number, waited: number): boolean {
    if (isGone(work)) return true;
    const { since } = work;
    if (!this.#connections.take(work, now, waited, this.#isAwaitedByOthers(work))) return false;
    this.waited.count++;
    this.waited.milliseconds += now - since;
    return true;
  }

  /** True if another key without a running statement waits for a connection. */
  #isAwaitedByOthers({ tenant }: Work): boolean {
    return this.#lines.some(({ tenant: other, items }) => {
      if (other === tenant || other.atWork > 0) return false;
      return !other.isQuick || !isThoughtQuick(items[0]!);
    });
  }

  #toLine(tenant: TenantState): TenantQueue | undefined {
    return this.#lines.find(line => line.tenant === tenant);
  }

  /**
   * The newest statement goes first if the oldest has waited for long, so an earlier overload does not delay current
   * requests.
   */
  #findFirst({ items }: TenantQueue, now: number): Work {
    const oldest = items[0]!;
    return now - oldest.since > NEWEST_FIRST * this.#patience ? items.at(-1)! : oldest;
  }

  /**
   * Returns the first queue that can proceed. Usually this is the head, so the others are sorted only if necessary.
   */
  #nextLine(isNext: (line: TenantQueue) => boolean): TenantQueue | undefined {
    let first = this.#lines[0]!;
    for (const line of this.#lines) if (compare(line, first) < 0) first = line;
    if (isNext(first)) return first;
    return this.#lines
      .filter(line => line !== first)
      .sort(compare)
      .find(isNext);
  }

  /** Extends a statement's deadline while it waits for others of the same request. */
  #waitOn(work: Work, now: number): void {
    work.deadline = Math.min(now + this.#patience, work.since + this.#patienceWithItself);
  }

  /** Returns the requests with a running statement. */
  #sendersAtWork(): Set<StatementCaller | undefined> {
    return new Set(this.#connections.items.map(({ sender }) => sender));
  }

  /** Counts a refusal. It does not change the key's state, because that would cause further refusals. */
  #refuse(refusal: RefusalReason): RefusalReason {
    this.refused[refusal]++;
    return refusal;
  }
}

/** Returns why a statement got no connection in time: its key is slow, or all connections were in use. */
function describeReason({ tenant }: Work): RefusalReason {
  return tenant.pace === 'slow' ? 'slow' : 'late';
}

function isGone({ sender }: Work): boolean {
  return sender?.isGone() === true;
}

/** Compares two queues for sorting; the result is negative if the first one goes first. */
function compare({ tenant: one }: TenantQueue, { tenant: other }: TenantQueue): number {
  const byRank = rank(one) - rank(other);
  if (byRank !== 0) return byRank;
  // Both levels can be infinite, so their difference can be NaN.
  return Number(one.level > other.level) - Number(one.level < other.level);
}

function rank({ isOwn, atWork }: TenantState): number {
  if (isOwn) return 0;
  return atWork === 0 ? 1 : 2;
}
