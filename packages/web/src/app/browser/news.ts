import { dayBefore } from './format.ts';
import { NEW_DAYS } from './period.ts';

/** Returns the first UTC day whose reports count as new, `YYYY-MM-DD`. */
export const newSince = () => dayBefore(NEW_DAYS - 1);

export function isNew(firstSeen: string): boolean {
  return firstSeen >= newSince();
}
