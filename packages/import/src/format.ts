import type { Format, ItemContext } from './item.ts';
import { Unreadable } from './unreadable.ts';

/** @throws {Unreadable} for a report of another form than the one that was asked for */
export function requireFormat({ format }: ItemContext, found: Format): void {
  const wanted = format === 'collected' ? 'browser' : format;
  if (wanted !== 'auto' && wanted !== found)
    throw new Unreadable('is not of the form that was asked for', found);
}
