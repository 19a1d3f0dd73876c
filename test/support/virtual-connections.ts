import type { Asker, ReadSettings } from '@sightline/postgres';
import { MACHINE_CLOCK } from '../../packages/postgres/src/client/clock.ts';
import type { Connection } from '../../packages/postgres/src/client/connection.ts';
import { Connections } from '../../packages/postgres/src/client/connections.ts';
import { type Refusal, Scheduler } from '../../packages/postgres/src/client/scheduler.ts';
import { Standings } from '../../packages/postgres/src/client/standing.ts';
import { type Lane, NOT_BEGUN, newWork, type Work } from '../../packages/postgres/src/client/work.ts';

/** A statement that is asked for at an instant, and takes so long once it is at work: milliseconds. */
export interface Arrival {
  at: number;
  /** '' for the service itself. */
  key: string;
  takes: number;
  quick: boolean;
  /** Statements with the same one are of one request; without, each is of its own. */
  request?: string;
  /** True if its answer is an error. */
  fails?: boolean;
}

/** Its outcome. */
export interface Fate extends Arrival {
  /** Milliseconds until it was sent; undefined where it never was. */
  waited?: number;
  refusal?: Refusal;
  endedAt?: number;
}

export const PATIENCE = 1000;

export const STATEMENT_TIMEOUT = 2000;

type Look = (lanes: readonly (readonly Fate[])[]) => void;

interface Task {
  fate: Fate;
  work: Work;
}

/** The scheduler as the guard uses it, with connections that take as long as they are told, and a clock of its own. */
export class VirtualConnections {
  readonly fates: Fate[] = [];
  now = 0;
  #look: Look | undefined;
  #sweptAt = 0;
  #tasks = new Map<Work, Task>();
  #lanes = new Set<Lane>();
  #requests = new Map<string, Asker>();
  #scheduler: Scheduler;
  #connections: Connections;
  #standings = new Standings(1000);

  /** @param look called after each step, with what is at work */
  constructor(poolSize: number, look?: Look) {
    this.#look = look;
    const settings = {
      url: 'postgres://nowhere',
      poolSize,
      queueTimeout: PATIENCE,
      statementTimeout: STATEMENT_TIMEOUT,
      queueLimit: 1000,
    } as ReadSettings;
    const makeConnection = () => ({ isLost: false, madeAt: this.now, usedAt: 0, begunAt: 0, discard() {} });
    this.#connections = new Connections(settings, this.#standings, {
      clock: { ...MACHINE_CLOCK, now: () => this.now },
      makeConnection: makeConnection as unknown as () => Connection,
    });
    this.#scheduler = new Scheduler(settings, this.#standings, this.#connections);
  }

  /** Until all of it has ended. Instants are counted from the end of what ran before. */
  run(arrivals: readonly Arrival[]): Fate[] {
    const begin = this.now;
    const todo = arrivals
      .map(arrival => ({ ...arrival, at: begin + arrival.at }))
      .sort((a, b) => a.at - b.at);
    const before = this.fates.length;
    // Taking the first from a long array would move all others.
    let done = 0;
    while (done < todo.length || this.#tasks.size > 0) {
      const end = this.#nextEnd();
      const sweep =
        this.#scheduler.waiting > 0 ? Math.max(this.now, this.#sweptAt + 100) : Number.POSITIVE_INFINITY;
      const arrival = todo[done]?.at ?? Number.POSITIVE_INFINITY;
      this.now = Math.min(arrival, end.at, sweep);
      if (end.task && end.at <= this.now) this.#end(end.task);
      else if (arrival <= this.now) this.#ask(todo[done++]!);
      else this.#sweep();
      this.#look?.(this.#atWork());
    }
    return this.fates.slice(before);
  }

  #sweep(): void {
    this.#sweptAt = this.now;
    for (const [work, refusal] of this.#scheduler.expire(this.now)) this.#refuse(work, refusal!);
    this.#startNext();
  }

  #ask(fate: Fate): void {
    this.fates.push(fate);
    const { quick } = fate;
    const sender = this.#senderOf(fate);
    const standing = this.#standings.of(sender?.key);
    const work = newWork({ text: '', standing, sender, quick }, this.now);
    this.#tasks.set(work, { fate, work });
    if (this.#scheduler.start(work, this.now)) this.#sent(work);
    else {
      const refusal = this.#scheduler.wait(work);
      if (refusal) this.#refuse(work, refusal);
      else this.#startNext();
    }
  }

  #senderOf({ key, request }: Fate): Asker | undefined {
    if (!key) return undefined;
    const known = request && this.#requests.get(request);
    const sender = known || { key, isGone: () => false };
    if (request) this.#requests.set(request, sender);
    return sender;
  }

  #sent(work: Work): void {
    const { fate } = this.#tasks.get(work)!;
    fate.waited = this.now - fate.at;
    this.#lanes.add(work.lane!);
  }

  #refuse(work: Work, refusal: Refusal): void {
    this.#tasks.get(work)!.fate.refusal = refusal;
    this.#tasks.delete(work);
  }

  #end({ work, fate }: Task): void {
    fate.endedAt = this.now;
    this.#tasks.delete(work);
    this.#connections.release(work, this.now, !fate.fails);
    if (work.lane!.items.length === 0) this.#lanes.delete(work.lane!);
    this.#startNext();
  }

  #startNext(): void {
    for (let next = this.#scheduler.next(this.now); next; next = this.#scheduler.next(this.now))
      this.#sent(next);
  }

  /** The statement under way that ends first. */
  #nextEnd(): { at: number; task?: Task } {
    let first: { at: number; task?: Task } = { at: Number.POSITIVE_INFINITY };
    for (const { items } of this.#lanes) {
      const task = this.#tasks.get(items[0]!)!;
      const at = task.work.since + task.fate.takes;
      if (task.work.deadline !== NOT_BEGUN && at < first.at) first = { at, task };
    }
    return first;
  }

  #atWork(): Fate[][] {
    return [...this.#lanes].map(({ items }) => items.map(work => this.#tasks.get(work)!.fate));
  }
}
