import type { Format, ImportContext } from './item.ts';
import { Unreadable } from './unreadable.ts';

/** @throws {Unreadable} for a report of another form than the one that was asked for */
export function requireFormat({ format }: ImportContext, found: Format): void {
  if (format !== 'auto' && format !== found)
    throw new Unreadable('is not of the form that was asked for', found);
}
