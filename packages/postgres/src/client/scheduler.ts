import type { Asker, ReadSettings } from '../database.ts';
import type { Connections } from './connections.ts';
import type { Standing, Standings } from './standing.ts';
import { isThoughtQuick, type Work } from './work.ts';

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

/** The part of its patience after which a key's newest statement goes first: before half, so that most are prompt. */
const NEWEST_FIRST = 0.4;

/** The waiting statements of one asker, the oldest first. */
interface Line {
  standing: Standing;
  items: Work[];
}

/**
 * Decides which statement is sent next, and when one is refused. The service's own come first, then keys of which
 * nothing is at work, then the key that used least time of connections of late. One key's take half of the room at most.
 * It sends nothing, and gets the time from its caller.
 */
export class Scheduler {
  /** Numbers of refused statements. */
  readonly refused: Record<Refusal, number> = { full: 0, late: 0, slow: 0 };
  /** Statements that waited and were begun, and the milliseconds that they waited. */
  readonly waited = { count: 0, milliseconds: 0 };
  #patience: number;
  #patienceWithItself: number;
  #room: number;
  #standings: Standings;
  #connections: Connections;
  /** Few, as a rule: a map would cost more (`Connections`). */
  #lines: Line[] = [];
  #waiting = 0;

  constructor(
    { queueTimeout, queueLimit, statementTimeout }: Limits,
    standings: Standings,
    connections: Connections,
  ) {
    this.#patience = queueTimeout;
    this.#patienceWithItself = Math.max(queueTimeout, FOR_ITS_OWN * statementTimeout);
    this.#room = queueLimit;
    this.#standings = standings;
    this.#connections = connections;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Gives it a connection, or answers false where there is none for it yet. */
  start(work: Work, now: number): boolean {
    this.#standings.asked(work.standing, now);
    return this.#connections.take(work, now, 0, this.#isAwaitedBeside(work));
  }

  /** Lines it up, or answers why not. */
  wait(work: Work): Refusal | undefined {
    const { standing, since } = work;
    work.deadline = since + this.#patience;
    const line = this.#lineOf(standing);
    const room = standing.isOwn ? this.#room : Math.ceil(this.#room / 2);
    if (this.#waiting >= this.#room || (line && line.items.length >= room)) return this.#refuse('full');
    // One that is sent again goes where it would have been.
    if (line) line.items.splice(line.items.findLastIndex(before => before.since <= since) + 1, 0, work);
    else this.#lines.push({ standing, items: [work] });
    this.#waiting++;
    return undefined;
  }

  /** The next one that has a connection now, or whose client has gone away. */
  next(now: number): Work | undefined {
    if (this.#waiting === 0) return undefined;
    // Then each key would be told the same.
    if (this.#connections.isFull(now) && !this.#lineOf(this.#standings.own)) return undefined;
    const isNext = (line: Line) => this.#begin(this.#firstOf(line, now), now, now - line.items[0]!.since);
    const line = this.#nextLine(isNext);
    if (!line) return undefined;
    const work = this.#firstOf(line, now);
    line.items.splice(line.items.indexOf(work), 1);
    this.#waiting--;
    if (line.items.length === 0) this.#lines.splice(this.#lines.indexOf(line), 1);
    return work;
  }

  /** Those that have waited for too long, with the reason; none where their clients have gone away. */
  expire(now: number): [Work, Refusal | undefined][] {
    const atWork = this.#sendersAtWork();
    const late = this.#takeOut(work => {
      if (work.sender && atWork.has(work.sender)) this.#waitOn(work, now);
      return work.deadline < now || isGone(work);
    });
    return late.map(work => [work, isGone(work) ? undefined : this.#refuse(reasonOf(work))]);
  }

  /** All that wait. */
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
    if (!this.#connections.take(work, now, waited, this.#isAwaitedBeside(work))) return false;
    this.waited.count++;
    this.waited.milliseconds += now - since;
    return true;
  }

  /** True if another key, of which nothing is at work, waits for a connection of its own. */
  #isAwaitedBeside({ standing }: Work): boolean {
    return this.#lines.some(({ standing: other, items }) => {
      if (other === standing || other.atWork > 0) return false;
      return !other.isQuick || !isThoughtQuick(items[0]!);
    });
  }

  #lineOf(standing: Standing): Line | undefined {
    return this.#lines.find(line => line.standing === standing);
  }

  /**
   * The newest goes first while the oldest has waited for long: so those that come now are not late because of those
   * that came before.
   */
  #firstOf({ items }: Line, now: number): Work {
    const oldest = items[0]!;
    return now - oldest.since > NEWEST_FIRST * this.#patience ? items.at(-1)! : oldest;
  }

  /** As a rule there is a place for the first in order: then the others need not be put into theirs. */
  #nextLine(isNext: (line: Line) => boolean): Line | undefined {
    let first = this.#lines[0]!;
    for (const line of this.#lines) if (compare(line, first) < 0) first = line;
    if (isNext(first)) return first;
    return this.#lines
      .filter(line => line !== first)
      .sort(compare)
      .find(isNext);
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

/** Below zero where the first one goes first. */
function compare({ standing: one }: Line, { standing: other }: Line): number {
  const byRank = rankOf(one) - rankOf(other);
  if (byRank !== 0) return byRank;
  // Neither of them may be finite, so that their difference would be no number.
  return Number(one.level > other.level) - Number(one.level < other.level);
}

function rankOf({ isOwn, atWork }: Standing): number {
  if (isOwn) return 0;
  return atWork === 0 ? 1 : 2;
}
