import type { ReadSettings, StatementCaller } from '@sightline/pg-client';
import { MACHINE_CLOCK } from '../../packages/pg-client/src/client/clock.ts';
import type { Connection } from '../../packages/pg-client/src/client/connection.ts';
import { Connections } from '../../packages/pg-client/src/client/connections.ts';
import { type RefusalReason, Scheduler } from '../../packages/pg-client/src/client/scheduler.ts';
import { TenantStates } from '../../packages/pg-client/src/client/tenant-state.ts';
import {
  NOT_BEGUN,
  newWork,
  type PooledConnection,
  type Work,
} from '../../packages/pg-client/src/client/work.ts';

/** When a statement arrives, and how long it takes, in milliseconds. */
export interface Arrival {
  at: number;
  /** Empty for the service itself. */
  key: string;
  takes: number;
  quick: boolean;
  /** Statements with the same sender belong to one request. Without a sender, each belongs to its own. */
  request?: string;
  /** True if it ends with an error. */
  fails?: boolean;
}

/** How it ended. */
export interface Fate extends Arrival {
  /** Milliseconds until it was sent, or undefined if it never was. */
  waited?: number;
  refusal?: RefusalReason;
  endedAt?: number;
}

export const PATIENCE = 1000;

export const STATEMENT_TIMEOUT = 2000;

type Look = (pool: readonly (readonly Fate[])[]) => void;

interface Task {
  fate: Fate;
  work: Work;
}

/** The scheduler as the guard uses it, with connections of a simulated speed and a simulated clock. */
export class VirtualConnections {
  readonly fates: Fate[] = [];
  now = 0;
  #look: Look | undefined;
  #sweptAt = 0;
  #tasks = new Map<Work, Task>();
  #pooled = new Set<PooledConnection>();
  #requests = new Map<string, StatementCaller>();
  #scheduler: Scheduler;
  #connections: Connections;
  #tenants = new TenantStates(1000);

  /** @param look called after each step with the running statements */
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
    this.#connections = new Connections(settings, this.#tenants, {
      clock: { ...MACHINE_CLOCK, now: () => this.now },
      makeConnection: makeConnection as unknown as () => Connection,
    });
    this.#scheduler = new Scheduler(settings, this.#tenants, this.#connections);
  }

  /** Runs until everything has ended. Times are counted from the end of the previous run. */
  run(arrivals: readonly Arrival[]): Fate[] {
    const begin = this.now;
    const todo = arrivals
      .map(arrival => ({ ...arrival, at: begin + arrival.at }))
      .sort((a, b) => a.at - b.at);
    const before = this.fates.length;
    // Removing the first element of a long array would move all others.
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
    const sender = this.#identifySender(fate);
    const tenant = this.#tenants.of(sender?.key);
    const work = newWork({ text: '', tenant, sender, quick }, this.now);
    this.#tasks.set(work, { fate, work });
    if (this.#scheduler.start(work, this.now)) this.#sent(work);
    else {
      const refusal = this.#scheduler.wait(work);
      if (refusal) this.#refuse(work, refusal);
      else this.#startNext();
    }
  }

  #identifySender({ key, request }: Fate): StatementCaller | undefined {
    if (!key) return undefined;
    const existing = request && this.#requests.get(request);
    const sender = existing || { key, isGone: () => false };
    if (request) this.#requests.set(request, sender);
    return sender;
  }

  #sent(work: Work): void {
    const { fate } = this.#tasks.get(work)!;
    fate.waited = this.now - fate.at;
    this.#pooled.add(work.pooled!);
  }

  #refuse(work: Work, refusal: RefusalReason): void {
    this.#tasks.get(work)!.fate.refusal = refusal;
    this.#tasks.delete(work);
  }

  #end({ work, fate }: Task): void {
    fate.endedAt = this.now;
    this.#tasks.delete(work);
    this.#connections.release(work, this.now, !fate.fails);
    if (work.pooled!.items.length === 0) this.#pooled.delete(work.pooled!);
    this.#startNext();
  }

  #startNext(): void {
    for (let next = this.#scheduler.next(this.now); next; next = this.#scheduler.next(this.now))
      this.#sent(next);
  }

  /** The running statement that ends first. */
  #nextEnd(): { at: number; task?: Task } {
    let first: { at: number; task?: Task } = { at: Number.POSITIVE_INFINITY };
    for (const { items } of this.#pooled) {
      const task = this.#tasks.get(items[0]!)!;
      const at = task.work.since + task.fate.takes;
      if (task.work.deadline !== NOT_BEGUN && at < first.at) first = { at, task };
    }
    return first;
  }

  #atWork(): Fate[][] {
    return [...this.#pooled].map(({ items }) => items.map(work => this.#tasks.get(work)!.fate));
  }
}
