import { dayBefore } from './format.ts';

/** For so many days a thing is new. */
export const NEW_DAYS = 7;

/** The first of them, `YYYY-MM-DD` in UTC. */
export const newSince = () => dayBefore(NEW_DAYS - 1);

export function isNew(firstSeen: string): boolean {
  return firstSeen >= newSince();
}
