import type { Asker, ReadSettings } from '../database.ts';
import type { Connections } from './connections.ts';
import { FairQueue } from './fair-queue.ts';
import type { Standings } from './standing.ts';
import type { Work } from './work.ts';

/** Why a statement is never sent. */
export const REFUSALS = {
  full: 'too many statements are waiting',
  late: 'no connection became free in time',
  slow: 'statements of this key are slow, and such had no connection free in time',
} as const;

export type Refusal = keyof typeof REFUSALS;

type Limits = Pick<ReadSettings, 'queueTimeout' | 'queueLimit' | 'statementTimeout'>;

/**
 * The part of a statement's time for which one may wait for others of its request. It ends before theirs does, so that
 * a request of which one statement hangs still has the answers to those that were sent.
 */
const FOR_ITS_OWN = 0.9;

/** Decides which statement goes to which connection, and when. It sends nothing, and gets the time from its caller. */
export class Scheduler {
  /** Numbers of refused statements. */
  readonly refused: Record<Refusal, number> = { full: 0, late: 0, slow: 0 };
  /** Statements that waited and were begun, and the milliseconds that they waited. */
  readonly waited = { count: 0, milliseconds: 0 };
  #patience: number;
  #patienceWithItself: number;
  #standings: Standings;
  #connections: Connections;
  #queue: FairQueue<Work>;

  constructor(
    { queueTimeout, queueLimit, statementTimeout }: Limits,
    standings: Standings,
    connections: Connections,
  ) {
    this.#patience = queueTimeout;
    this.#patienceWithItself = Math.max(queueTimeout, FOR_ITS_OWN * statementTimeout);
    this.#standings = standings;
    this.#connections = connections;
    this.#queue = new FairQueue(queueLimit);
  }

  get waiting(): number {
    return this.#queue.waiting;
  }

  /** Gives it a connection, or answers false where there is none for it yet, or others wait for one. */
  start(work: Work, now: number): boolean {
    this.#standings.asked(work.standing, now);
    // As time passes there come to be more, and they are for those who wait.
    const isBehind = this.#queue.waiting > 0 && this.#connections.look(now).isStalled;
    return !isBehind && this.#connections.take(work, now);
  }

  /** Lines it up, or answers why not. */
  wait(work: Work, now: number): Refusal | undefined {
    work.since = now;
    work.deadline = now + this.#patience;
    return this.#queue.wait(work) ? undefined : this.#refuse('full');
  }

  /** The next one that has a connection now, or whose client has gone away. */
  next(now: number): Work | undefined {
    if (this.#queue.waiting === 0) return undefined;
    const { isFull, isStalled } = this.#connections.look(now);
    // Then each key would be told the same.
    if (isFull && this.#queue.waitingOf(this.#standings.own).length === 0) return undefined;
    return this.#queue.next(
      work => isGone(work) || this.#startWaiting(work, now),
      isStalled,
      ({ since }) => now - since > this.#patience / 2,
    );
  }

  /** Those that have waited for too long, with the reason; none where their clients have gone away. */
  expire(now: number): [Work, Refusal | undefined][] {
    const atWork = this.#sendersAtWork();
    const late = this.#queue.expire(work => {
      if (work.sender && atWork.has(work.sender)) this.#waitOn(work, now);
      return work.deadline < now || isGone(work);
    });
    return late.map(work => [work, isGone(work) ? undefined : this.#refuse(reasonOf(work))]);
  }

  /** All that wait. */
  clear(): Work[] {
    return this.#queue.expire(() => true);
  }

  #startWaiting(work: Work, now: number): boolean {
    const { since } = work;
    const isStarted = this.#connections.take(work, now);
    if (isStarted) {
      this.waited.count++;
      this.waited.milliseconds += now - since;
    }
    return isStarted;
  }

  /** Extends a deadline: waiting for a request's own statements takes nothing from its patience with others. */
  #waitOn(work: Work, now: number): void {
    const latest = Math.min(now + this.#patience, work.since + this.#patienceWithItself);
    work.deadline = Math.max(work.deadline, latest);
  }

  /** The requests of which something is being answered. */
  #sendersAtWork(): Set<Asker | undefined> {
    return new Set(this.#connections.items.map(({ sender }) => sender));
  }

  /** It says nothing of its key: what a refusal makes worse would never end. */
  #refuse(refusal: Refusal): Refusal {
    this.refused[refusal]++;
    return refusal;
  }
}

/** The statements of its own key may be those that hold the connections. */
function reasonOf({ standing }: Work): Refusal {
  return standing.pace === 'slow' ? 'slow' : 'late';
}

function isGone({ sender }: Work): boolean {
  return sender?.isGone() === true;
}
