interface Entry<Item> {
  item: Item;
  place: number;
}

/**
 * Items that come and go by the thousand, in no order. A `Set` costs more in V8: it replaces its tables, and the old
 * ones hold their items until a full collection. So each request would outlive the quick collections.
 */
export class LiveSet<Item> implements Iterable<Item> {
  #entries: Entry<Item>[] = [];

  /** Puts the item in. @returns takes it out again; to be called once */
  add(item: Item): () => void {
    const entry = { item, place: this.#entries.length };
    this.#entries.push(entry);
    return () => {
      const last = this.#entries.pop();
      if (!last || last === entry) return;
      last.place = entry.place;
      this.#entries[entry.place] = last;
    };
  }

  *[Symbol.iterator](): Iterator<Item> {
    // The callback may take out the item.
    for (const { item } of [...this.#entries]) yield item;
  }
}
