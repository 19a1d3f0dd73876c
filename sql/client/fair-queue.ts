/** A statement that wants a place among those at work. */
export interface Waiting {
  /** Whose it is: a key's id, or '' for the service's own. */
  asker: string;
}

/** What waits of one asker, the oldest first. */
interface Line<Item> {
  asker: string;
  items: Item[];
}

/** The service's own statements, such as the look-up of callers: everybody waits for them. */
export const OWN = '';

/**
 * Who may go to work next. Those who wait take turns, an item each, and the service's own go first. One asker's items
 * take no more than half of the room.
 */
export class FairQueue<Item extends Waiting> {
  #room: number;
  #waiting = 0;
  /** The first one's turn is next, but for the service's own. Few, as a rule: a map would cost more (`Connections`). */
  #lines: Line<Item>[] = [];

  /** @param room for items that wait */
  constructor(room: number) {
    this.#room = room;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Lines up, or answers false where too many wait already. */
  wait(item: Item): boolean {
    const { asker } = item;
    let line = this.#lines.find(line => line.asker === asker);
    const room = asker === OWN ? this.#room : Math.ceil(this.#room / 2);
    if (this.#waiting >= this.#room || (line && line.items.length >= room)) return false;
    if (!line) {
      line = { asker, items: [] };
      if (asker === OWN) this.#lines.unshift(line);
      else this.#lines.push(line);
    }
    line.items.push(item);
    this.#waiting++;
    return true;
  }

  /** The next item for which there is a place. */
  next(hasPlace: (item: Item) => boolean): Item | undefined {
    const turn = this.#lines.findIndex(({ items }) => hasPlace(items[0]!));
    if (turn < 0) return undefined;
    const line = this.#lines[turn]!;
    const item = line.items.shift()!;
    this.#waiting--;
    if (line.items.length === 0) this.#lines.splice(turn, 1);
    else if (line.asker !== OWN) this.#lines.push(...this.#lines.splice(turn, 1));
    return item;
  }

  /** Takes out those that have waited too long. */
  expire(isLate: (item: Item) => boolean): Item[] {
    const late: Item[] = [];
    for (const { items } of this.#lines) {
      while (items[0] && isLate(items[0])) late.push(items.shift()!);
    }
    this.#lines = this.#lines.filter(({ items }) => items.length > 0);
    this.#waiting -= late.length;
    return late;
  }
}
