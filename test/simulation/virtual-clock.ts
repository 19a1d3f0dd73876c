import type { MonotonicClock } from '../../packages/pg-client/src/client/clock.ts';

interface Event {
  at: number;
  /** Among events at the same time, the one with the lowest order comes first. */
  order: number;
  isTimer: boolean;
  call: () => void;
}

/** Simulated time. As in Node, all promises settle between two events. */
export class VirtualClock implements MonotonicClock {
  #now = 0;
  #heap: Event[] = [];
  #count = 0;

  now(): number {
    return this.#now;
  }

  /** An external event, as opposed to one of the process's timers. */
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
    const repeat = () => {
      if (isOver) return;
      call();
      this.after(milliseconds, repeat);
    };
    this.after(milliseconds, repeat);
    return () => {
      isOver = true;
    };
  }

  /**
   * Suspends the process. Events in the meantime arrive when it continues, after the timers, as in Node's event loop.
   */
  standStill(milliseconds: number): void {
    const end = this.#now + milliseconds;
    const due: Event[] = [];
    while (this.#heap[0] && this.#heap[0].at <= end) due.push(this.#pop());
    this.#now = end;
    const inOrder = [...due.filter(({ isTimer }) => isTimer), ...due.filter(({ isTimer }) => !isTimer)];
    for (const event of inOrder) this.#push({ ...event, at: end, order: ++this.#count });
  }

  /** Runs until a point in time, one event per turn. */
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
      // Node runs all microtasks before the next tick, without waiting for real timers.
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
