import { LRUCache } from 'lru-cache';

/** Milliseconds at work from which a statement is overdue. */
export const OVERDUE = 300;

/** Milliseconds in which the time that was used comes to count half. */
const HALF_LIFE = 2000;

/** Milliseconds after which a key is alone, if no other has asked. */
const OF_LATE = 2000;

/** An asker: the connections' time that it used of late, and if its statements are quick. */
export class Standing {
  /** True for the service itself. */
  readonly isOwn: boolean;
  /** Statements at work, without those that were sent once more elsewhere (`twinOf`). */
  atWork = 0;
  /** Quick after a quick answer, and slow after a statement that was slow. */
  pace: 'new' | 'quick' | 'slow' = 'new';
  /** When the last statement that was answered so had begun. */
  quickSince = Number.NEGATIVE_INFINITY;
  /** The text of the last statement that need not be quick, if it was. */
  quickText: string | undefined;
  /**
   * The order by the used milliseconds of connections, which count less and less with time. It is the logarithm, to
   * base 2, of their sum at instant 0, so it changes with each use alone.
   */
  level = Number.NEGATIVE_INFINITY;

  constructor(isOwn = false) {
    this.isOwn = isOwn;
  }

  get isQuick(): boolean {
    return this.isOwn || this.pace === 'quick';
  }

  use(milliseconds: number, now: number): void {
    const age = now / HALF_LIFE;
    this.level = Math.log2(2 ** (this.level - age) + milliseconds) + age;
  }
}

/** The standings of all who ask. */
export class Standings {
  readonly own = new Standing(true);
  #known: LRUCache<string, Standing>;
  /** The key whose statement was answered quickly last, and when that had begun. */
  #quick: Standing | undefined;
  #quickSince = Number.NEGATIVE_INFINITY;
  /** The key that asked last, and when it was another one than before. */
  #asker: Standing | undefined;
  #changedAt = Number.NEGATIVE_INFINITY;

  /** @param most keys that are remembered */
  constructor(most: number) {
    // With `max` it would take the memory of all entries at once.
    this.#known = new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
  }

  /** @param key the id of a key; undefined for the service itself */
  of(key: string | undefined): Standing {
    if (key === undefined) return this.own;
    const known = this.#known.get(key);
    if (known) return known;
    const made = new Standing();
    this.#known.set(key, made);
    return made;
  }

  asked(standing: Standing, now: number): void {
    if (standing.isOwn || standing === this.#asker) return;
    if (this.#asker) this.#changedAt = now;
    this.#asker = standing;
  }

  /** True if a single key has asked of late. */
  isOneAlone(now: number): boolean {
    return now - this.#changedAt >= OF_LATE;
  }

  /**
   * Looks at a statement that is at work. One that is overdue makes its key slow, if another key's began later and was
   * answered quickly: so none is slow where the server is.
   * @param since when the server got it
   */
  watch(standing: Standing, since: number, now: number): void {
    if (now - since < OVERDUE || standing === this.#quick) return;
    if (this.#quickSince > since) standing.pace = 'slow';
  }

  /**
   * @param since when the server got it
   * @param isAnswered whether it gave what was asked for. An error at once tells nothing: it may never have come to the
   *   place where others wait
   */
  ended(standing: Standing, since: number, now: number, isAnswered: boolean): void {
    if (standing.isOwn) return;
    standing.use(now - since, now);
    if (!isAnswered || now - since >= OVERDUE) this.watch(standing, since, now);
    else {
      this.#quick = standing;
      this.#quickSince = since;
      standing.pace = 'quick';
      standing.quickSince = since;
    }
  }
}
