import { dayBefore } from './format.ts';
import { NEW_DAYS } from './period.ts';

/** The first of them, `YYYY-MM-DD` in UTC. */
export const newSince = () => dayBefore(NEW_DAYS - 1);

export function isNew(firstSeen: string): boolean {
  return firstSeen >= newSince();
}
