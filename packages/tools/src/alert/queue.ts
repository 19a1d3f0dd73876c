import { setTimeout as pause } from 'node:timers/promises';
import { MS_PER_HOUR } from '@sightline/reports';
import type { Attempt } from './deliver.ts';
import type { Event } from './events.ts';

/** Maximum pause between two attempts of a run, in milliseconds; and the default time for attempts. */
const LONGEST_PAUSE = 5 * 60_000;
export const RETRIED_FOR = MS_PER_HOUR;

/** Initial and maximum delay before a later run retries a refused event, in milliseconds. */
const FIRST_DELAY = 60_000;
const LONGEST_DELAY = MS_PER_HOUR;

/** Events that a receiver has not accepted, by id, with the time of the next attempt. */
export type SetAside = Readonly<Record<string, { tries: number; due: string }>>;

export interface Retries {
  /** The delay before the second attempt, in milliseconds. Later delays are longer. */
  retry: number;
  /** Maximum time from the first attempt to the last, in milliseconds. */
  retryFor: number;
}

interface Delivery {
  event: Event;
  tries: number;
  /** The time of the next attempt, in milliseconds since 1970. */
  due: number;
}

/**
 * Delivers events independently: while one waits for its next attempt, the others continue.
 * @param attempt delivers an event
 * @param settle receives each event with its problem, or undefined if it was accepted
 */
export async function deliverEach(
  events: readonly Event[],
  { retry, retryFor }: Retries,
  signal: AbortSignal,
  attempt: (event: Event) => Promise<Attempt>,
  settle: (event: Event, problem: string | undefined) => Promise<void>,
): Promise<void> {
  const end = Date.now() + retryFor;
  const queue = events.map((event): Delivery => ({ event, tries: 0, due: 0 }));
  while (queue.length > 0 && !signal.aborted) {
    // The sort is stable, so the most severe events stay first.
    const delivery = queue.sort((one, other) => one.due - other.due).shift()!;
    const wait = delivery.due - Date.now();
    if (wait > 0) await pause(wait, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const failed = await attempt(delivery.event);
    if (signal.aborted && failed) return;
    const due = Date.now() + Math.min(LONGEST_PAUSE, retry * 2 ** delivery.tries);
    if (failed && !failed.isLasting && due <= end)
      queue.push({ ...delivery, tries: delivery.tries + 1, due });
    else await settle(delivery.event, failed?.problem);
  }
}

export function isDue(setAside: SetAside, { id }: Event, now: Date): boolean {
  const refused = Object.hasOwn(setAside, id) ? setAside[id]! : undefined;
  return !refused || refused.tries === 1 || Date.parse(refused.due) <= now.getTime();
}

/** Records a refused event. The next run retries it immediately, and later runs after increasing delays. */
export function withRefused(setAside: SetAside, { id }: Event, now: Date): SetAside {
  const tries = (Object.hasOwn(setAside, id) ? setAside[id]!.tries : 0) + 1;
  const delay = Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (tries - 2));
  return { ...setAside, [id]: { tries, due: new Date(now.getTime() + delay).toISOString() } };
}

/** Returns the entries of the given events. */
export function pickOnly(setAside: SetAside, events: readonly Event[]): SetAside {
  const ids = new Set(events.map(({ id }) => id));
  return Object.fromEntries(Object.entries(setAside).filter(([id]) => ids.has(id)));
}
