import { LRUCache } from 'lru-cache';

/** Milliseconds at work from which a statement is slow, if another key's was answered quickly meanwhile. */
export const SLOW = 300;

/** Milliseconds in which the time that was used comes to count half. */
const HALF_LIFE = 2000;

/** An asker, and an instant of it in milliseconds of the monotonic clock. */
interface Instant {
  standing: Standing;
  since: number;
}

/** An asker: the connections' time that it used of late, and if it is quick. */
export class Standing {
  /** True for the service itself. */
  readonly isOwn: boolean;
  /** Statements at work. */
  atWork = 0;
  /** When the last statement that was answered quickly had begun. */
  quickSince = Number.NEGATIVE_INFINITY;
  /**
   * The order by the used milliseconds of connections, which count less and less with time. It is the logarithm, to
   * base 2, of their sum at instant 0, so it changes with each use alone.
   */
  level = Number.NEGATIVE_INFINITY;
  /** Quick after a quick answer, and slow after a statement that was slow. */
  pace: 'new' | 'quick' | 'slow' = 'new';

  constructor(isOwn = false) {
    this.isOwn = isOwn;
  }

  use(milliseconds: number, now: number): void {
    const age = now / HALF_LIFE;
    this.level = Math.log2(2 ** (this.level - age) + milliseconds) + age;
  }
}

/** Instants of keys, of which two are kept: the last one's, and the last one's of any other. */
class Latest {
  #last: Instant;
  #before: Instant;

  constructor(nobody: Standing) {
    this.#last = { standing: nobody, since: Number.NEGATIVE_INFINITY };
    this.#before = { ...this.#last };
  }

  note(standing: Standing, since: number): void {
    const last = this.#last;
    if (last.standing !== standing) {
      this.#last = this.#before;
      this.#before = last;
      this.#last.standing = standing;
    }
    this.#last.since = since;
  }

  beside(standing: Standing): number {
    return (this.#last.standing === standing ? this.#before : this.#last).since;
  }
}

/**
 * The standings of all who ask. A statement is slow by comparison: while it was at work another one began and was
 * answered quickly. So none is slow where the server is. An error at once is no such answer: it may never
 * have come to the place where others wait.
 */
export class Standings {
  readonly own = new Standing(true);
  #known: LRUCache<string, Standing>;
  /** When quick statements began, and when keys asked. */
  #quick = new Latest(this.own);
  #asked = new Latest(this.own);

  /** @param most keys that are remembered */
  constructor(most: number) {
    this.#known = new LRUCache({ max: most });
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
    if (!standing.isOwn) this.#asked.note(standing, now);
  }

  /** When another key asked last. */
  askedBeside(standing: Standing): number {
    return this.#asked.beside(standing);
  }

  /** Looks at a statement that is at work still. @param since when the server got it */
  watch(standing: Standing, since: number, now: number): void {
    if (now - since >= SLOW && this.#quick.beside(standing) > since) standing.pace = 'slow';
  }

  /**
   * @param since when the server got it
   * @param isAnswered whether it gave what was asked for, and no error
   */
  ended(standing: Standing, since: number, now: number, isAnswered: boolean): void {
    if (standing.isOwn) return;
    standing.use(now - since, now);
    if (!isAnswered || now - since >= SLOW) this.watch(standing, since, now);
    else {
      this.#quick.note(standing, since);
      standing.pace = 'quick';
      standing.quickSince = since;
    }
  }
}
