import type { Clock } from '../../packages/postgres/src/client/clock.ts';

interface Event {
  at: number;
  /** Among those of one instant, the lowest first. */
  order: number;
  isTimer: boolean;
  call: () => void;
}

/** A time of its own. Between two events all promises are settled, as between two of Node's. */
export class VirtualClock implements Clock {
  #now = 0;
  #heap: Event[] = [];
  #count = 0;

  now(): number {
    return this.#now;
  }

  /** Something that comes from outside, unlike a timer of the process. */
  at(instant: number, call: () => void): void {
    this.#push({ at: Math.max(instant, this.#now), order: ++this.#count, isTimer: false, call });
  }

  after(milliseconds: number, call: () => void): () => void {
    const event = { at: this.#now + milliseconds, order: ++this.#count, isTimer: true, call };
    this.#push(event);
    return () => {
      event.call = () => {};
    };
  }

  every(milliseconds: number, call: () => void): () => void {
    let isOver = false;
    const again = () => {
      if (isOver) return;
      call();
      this.after(milliseconds, again);
    };
    this.after(milliseconds, again);
    return () => {
      isOver = true;
    };
  }

  /** The process gets no time: what came meanwhile comes at the end, behind the timers, as in Node's loop. */
  standStill(milliseconds: number): void {
    const end = this.#now + milliseconds;
    const due: Event[] = [];
    while (this.#heap[0] && this.#heap[0].at <= end) due.push(this.#pop());
    this.#now = end;
    const inOrder = [...due.filter(({ isTimer }) => isTimer), ...due.filter(({ isTimer }) => !isTimer)];
    for (const event of inOrder) this.#push({ ...event, at: end, order: ++this.#count });
  }

  /** Until an instant, in as many turns as there are events. */
  run(until: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        const [next] = this.#heap;
        if (!next || next.at > until) return resolve();
        this.#pop();
        this.#now = next.at;
        try {
          next.call();
        } catch (error) {
          return reject(error);
        }
        queueMicrotask(turn);
      };
      // Node runs all microtasks before the next tick, and waits for no timer of the machine.
      const turn = () => process.nextTick(step);
      turn();
    });
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let index = heap.push(event) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(heap[parent]!, event)) break;
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = event;
  }

  #pop(): Event {
    const heap = this.#heap;
    const first = heap[0]!;
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++;
      if (isBefore(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

const isBefore = (one: Event, other: Event) =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
