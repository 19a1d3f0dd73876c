interface Entry<Item> {
  item: Item;
  place: number;
}

/**
 * A set without order for thousands of short-lived items. V8's `Set` replaces its tables, and the old ones retain their
 * items until a full collection.
 */
export class LiveSet<Item> implements Iterable<Item> {
  #entries: Entry<Item>[] = [];

  /**
   * Adds the item.
   * @returns a function that removes it, to be called once
   */
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
    // The callback can remove the item.
    for (const { item } of [...this.#entries]) yield item;
  }
}
