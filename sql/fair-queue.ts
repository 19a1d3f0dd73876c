/** A statement that wants a place among those at work. */
export interface Waiting {
  /** Whose it is: a key's id, or '' for the service's own. */
  asker: string;
}

/** The statements of one asker. */
interface Line<Item> {
  running: number;
  /** The oldest first. */
  waiting: Item[];
}

/** The service's own statements, such as the look-up of callers: everybody waits for them. */
export const OWN = '';

export interface FairQueueLimits {
  /** Items at work at most. */
  places: number;
  /** Items that may wait at most; one asker's take no more than half of that. */
  waiting: number;
}

/**
 * Who may go to work next. No asker takes the last place, so that the others' items always find one soon; those who
 * wait take turns, an item each, and the service's own go first.
 */
export class FairQueue<Item extends Waiting> {
  #places: number;
  #share: number;
  #limit: number;
  #running = 0;
  #waiting = 0;
  #lines = new Map<string, Line<Item>>();
  /** Lines with something waiting; the first one's turn is next. */
  #turns: Line<Item>[] = [];

  constructor({ places, waiting }: FairQueueLimits) {
    this.#places = places;
    this.#share = Math.max(1, places - 1);
    this.#limit = waiting;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Takes a place if there is one for this asker. */
  enter({ asker }: Item): boolean {
    if (this.#running >= this.#places) return false;
    const line = this.#line(asker);
    if (asker !== OWN && line.running >= this.#share) return false;
    line.running++;
    this.#running++;
    return true;
  }

  /** Gives a place back. */
  leave({ asker }: Item): void {
    const line = this.#lines.get(asker)!;
    line.running--;
    this.#running--;
    this.#forget(asker, line);
  }

  /** Lines up, or answers false where too many wait already. */
  wait(item: Item): boolean {
    const { asker } = item;
    const line = this.#line(asker);
    const limit = asker === OWN ? this.#limit : Math.ceil(this.#limit / 2);
    if (this.#waiting >= this.#limit || line.waiting.length >= limit) {
      this.#forget(asker, line);
      return false;
    }
    if (line.waiting.length === 0) this.#lineUp(asker, line);
    line.waiting.push(item);
    this.#waiting++;
    return true;
  }

  /** The next item that may go to work; it has its place then. */
  next(): Item | undefined {
    const line = this.#turns.find(({ waiting }) => this.enter(waiting[0]!));
    if (!line) return undefined;
    this.#turns.splice(this.#turns.indexOf(line), 1);
    const item = line.waiting.shift()!;
    this.#waiting--;
    if (line.waiting.length > 0) this.#lineUp(item.asker, line);
    return item;
  }

  /** Takes out those that have waited too long. */
  expire(isLate: (item: Item) => boolean): Item[] {
    const late: Item[] = [];
    for (const line of this.#turns) {
      while (line.waiting[0] && isLate(line.waiting[0])) late.push(line.waiting.shift()!);
    }
    this.#turns = this.#turns.filter(line => line.waiting.length > 0);
    this.#waiting -= late.length;
    for (const { asker } of late) this.#forget(asker, this.#line(asker));
    return late;
  }

  #lineUp(asker: string, line: Line<Item>): void {
    if (asker === OWN) this.#turns.unshift(line);
    else this.#turns.push(line);
  }

  #line(asker: string): Line<Item> {
    let line = this.#lines.get(asker);
    if (!line) {
      line = { running: 0, waiting: [] };
      this.#lines.set(asker, line);
    }
    return line;
  }

  #forget(asker: string, line: Line<Item>): void {
    if (line.running === 0 && line.waiting.length === 0) this.#lines.delete(asker);
  }
}
