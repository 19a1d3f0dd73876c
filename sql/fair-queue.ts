/** A statement that wants a place among those at work. */
export interface Waiting {
  /** Whose it is: a key's id, or '' for the service's own. */
  asker: string;
}

/** What waits of one asker, the oldest first. */
type Line<Item> = Item[];

/** The service's own statements, such as the look-up of callers: everybody waits for them. */
export const OWN = '';

/**
 * Who may go to work next. Those who wait take turns, an item each, and the service's own go first. One asker's items
 * take no more than half of the room.
 */
export class FairQueue<Item extends Waiting> {
  #room: number;
  #waiting = 0;
  /** By asker; the first one's turn is next. */
  #lines = new Map<string, Line<Item>>();

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
    const line = this.#lines.get(asker) ?? [];
    const room = asker === OWN ? this.#room : Math.ceil(this.#room / 2);
    if (this.#waiting >= this.#room || line.length >= room) return false;
    line.push(item);
    this.#lines.set(asker, line);
    this.#waiting++;
    return true;
  }

  /** The next item for which there is a place. */
  next(hasPlace: (item: Item) => boolean): Item | undefined {
    for (const asker of this.#turns()) {
      const line = this.#lines.get(asker)!;
      const item = line[0]!;
      if (!hasPlace(item)) continue;
      line.shift();
      this.#waiting--;
      // Behind the others, until its next turn.
      this.#lines.delete(asker);
      if (line.length > 0) this.#lines.set(asker, line);
      return item;
    }
    return undefined;
  }

  /** Takes out those that have waited too long. */
  expire(isLate: (item: Item) => boolean): Item[] {
    const late: Item[] = [];
    for (const [asker, line] of this.#lines) {
      while (line[0] && isLate(line[0])) late.push(line.shift()!);
      if (line.length === 0) this.#lines.delete(asker);
    }
    this.#waiting -= late.length;
    return late;
  }

  *#turns(): Generator<string> {
    if (this.#lines.has(OWN)) yield OWN;
    for (const asker of this.#lines.keys()) if (asker !== OWN) yield asker;
  }
}
