/** The length of a turn in milliseconds, after which other work can run. */
const TURN = 10;
/** The default number of items between two checks of the clock. */
const AT_ONCE = 32;

/** Work that waits for its turn. */
const waiting: (() => void)[] = [];

/**
 * Ends a turn of the event loop. Each turn continues only one piece of work, because together they would block all
 * others.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(continueFirst);
  });
}

function continueFirst(): void {
  waiting.shift()!();
  if (waiting.length > 0) setImmediate(continueFirst);
}

/** Determines when a turn of work with many small steps is over. */
export class TurnClock {
  #end = performance.now() + TURN;
  #steps = 0;
  #atOnce: number;

  /** @param atOnce minimum number of steps per turn, between two checks of the clock */
  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Counts a step, and returns whether the next one must wait for `nextTurn`. */
  isOver(): boolean {
    return ++this.#steps % this.#atOnce === 0 && performance.now() >= this.#end;
  }

  async next(): Promise<void> {
    await nextTurn();
    this.#end = performance.now() + TURN;
  }
}

/**
 * Processes many items, yielding to other requests in between.
 * @param atOnce items between two looks at the clock
 */
export async function eachInTurns<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
  atOnce = AT_ONCE,
): Promise<void> {
  const clock = new TurnClock(atOnce);
  for (const item of items) {
    work(item);
    if (clock.isOver()) await clock.next();
  }
}
