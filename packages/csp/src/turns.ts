/** The length of a turn of the event loop in milliseconds, after which other work can run. */
const TURN = 10;
/** The default number of items between two checks of the clock. */
const AT_ONCE = 4;

type Resume = () => void;

/** Work that waits for its first turn, and work that waits for its next one. */
const [beginning, continuing]: [Resume[], Resume[]] = [[], []];
/** The queue that the last turn was taken from. */
let last = continuing;
/** When the current turn is over; undefined before its first work. */
let end: number | undefined;

/**
 * Ends a turn of the event loop. Each turn continues only one piece of work, because together they would block all
 * others.
 */
export function nextTurn(): Promise<void> {
  return waitIn(continuing);
}

/**
 * Waits until the event loop has time for new work, if `isTurnOver`. Work that begins and work that continues take turns
 * alternately, so a short request does not wait behind all parts of long ones.
 */
export function beginTurn(): Promise<void> {
  return waitIn(beginning);
}

/** Checks whether other work waits for its first turn. */
export function isWorkWaiting(): boolean {
  return beginning.length > 0;
}

function waitIn(queue: Resume[]): Promise<void> {
  return new Promise(resolve => {
    queue.push(resolve);
    if (beginning.length + continuing.length === 1) setImmediate(resumeFirst);
  });
}

function resumeFirst(): void {
  const other = last === beginning ? continuing : beginning;
  last = other.length > 0 ? other : last;
  startTurn();
  last.shift()!();
  if (beginning.length + continuing.length > 0) setImmediate(resumeFirst);
}

function startTurn(): number {
  if (end === undefined)
    setImmediate(() => {
      end = undefined;
    });
  end = performance.now() + TURN;
  return end;
}

/** Checks whether the time of the current turn is used up. All work that begins in a turn shares its time. */
export function isTurnOver(): boolean {
  return performance.now() >= (end ?? startTurn());
}

/** Determines when a turn of work with many small steps is over. */
export class TurnClock {
  #steps = 0;
  #atOnce: number;

  /** @param atOnce minimum number of steps per turn, between two checks of the clock */
  constructor(atOnce = AT_ONCE) {
    this.#atOnce = atOnce;
  }

  /** Counts a step, and returns whether the next one must wait for `nextTurn`. */
  isOver(): boolean {
    return ++this.#steps % this.#atOnce === 0 && isTurnOver();
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
  if (isTurnOver()) await beginTurn();
  const clock = new TurnClock(atOnce);
  for (const item of items) {
    work(item);
    if (clock.isOver()) await nextTurn();
  }
}
