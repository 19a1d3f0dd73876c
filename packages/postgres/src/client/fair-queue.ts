import type { Standing } from './standing.ts';

/** A statement that wants a place among those at work. */
export interface Waiting {
  standing: Standing;
}

/** The waiting items of one asker, the oldest first. */
interface Line<Item> {
  standing: Standing;
  items: Item[];
}

/**
 * The queue of statements. The service's own come first, then askers of whom nothing is at work, then those who used
 * least of the connections' time of late. While the connections are stalled, they go to the askers who were answered
 * last, who most likely will be again. One asker's items take no more than half of the room.
 */
export class FairQueue<Item extends Waiting> {
  #room: number;
  #waiting = 0;
  /** Few, as a rule: a map would cost more (`Connections`). */
  #lines: Line<Item>[] = [];

  /** @param room for items that wait */
  constructor(room: number) {
    this.#room = room;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** The waiting items of an asker, the oldest first. */
  waitingOf(standing: Standing): readonly Item[] {
    return this.#lineOf(standing)?.items ?? [];
  }

  /** Lines up, or answers false where too many wait already. */
  wait(item: Item): boolean {
    const { standing } = item;
    const line = this.#lineOf(standing);
    const room = standing.isOwn ? this.#room : Math.ceil(this.#room / 2);
    if (this.#waiting >= this.#room || (line && line.items.length >= room)) return false;
    if (line) line.items.push(item);
    else this.#lines.push({ standing, items: [item] });
    this.#waiting++;
    return true;
  }

  /**
   * The next item for which there is a place. The newest of a line goes first while its oldest has waited for long: so
   * those that come now are not late because of those that came before.
   * @param isStalled whether the connections are held by what hangs
   */
  next(
    hasPlace: (item: Item) => boolean,
    isStalled: boolean,
    isLong: (oldest: Item) => boolean,
  ): Item | undefined {
    const first = ({ items }: Line<Item>) => (isLong(items[0]!) ? items.at(-1)! : items[0]!);
    const line = this.#nextLine(line => hasPlace(first(line)), isStalled);
    if (!line) return undefined;
    const item = isLong(line.items[0]!) ? line.items.pop()! : line.items.shift()!;
    this.#waiting--;
    if (line.items.length === 0) this.#lines.splice(this.#lines.indexOf(line), 1);
    return item;
  }

  /** Takes out those that have waited too long. */
  expire(isLate: (item: Item) => boolean): Item[] {
    const late: Item[] = [];
    for (const line of this.#lines) {
      line.items = line.items.filter(item => !isLate(item) || late.push(item) === 0);
    }
    this.#lines = this.#lines.filter(({ items }) => items.length > 0);
    this.#waiting -= late.length;
    return late;
  }

  #lineOf(standing: Standing): Line<Item> | undefined {
    return this.#lines.find(line => line.standing === standing);
  }

  /** As a rule there is a place for the first in order: then the others need not be put into theirs. */
  #nextLine(hasPlace: (line: Line<Item>) => boolean, isStalled: boolean): Line<Item> | undefined {
    let first = this.#lines[0];
    if (!first) return undefined;
    for (const line of this.#lines) if (compare(line.standing, first.standing, isStalled) < 0) first = line;
    if (hasPlace(first)) return first;
    return this.#lines
      .filter(line => line !== first)
      .sort((one, other) => compare(one.standing, other.standing, isStalled))
      .find(hasPlace);
  }
}

/** Below zero where the first one goes first. */
function compare(one: Standing, other: Standing, isStalled: boolean): number {
  const byRank = rankOf(one) - rankOf(other);
  if (byRank !== 0) return byRank;
  // Neither of them may be finite, so that their difference would be no number.
  if (isStalled) return Number(one.quickSince < other.quickSince) - Number(one.quickSince > other.quickSince);
  return Number(one.level > other.level) - Number(one.level < other.level);
}

function rankOf({ isOwn, atWork }: Standing): number {
  if (isOwn) return 0;
  return atWork === 0 ? 1 : 2;
}
