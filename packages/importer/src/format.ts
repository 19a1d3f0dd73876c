import type { Format, ItemContext } from './item.ts';
import { Unreadable } from './unreadable.ts';

/**
 * Checks the format of a report.
 * @throws {Unreadable} if another format was requested
 */
export function requireFormat({ format }: ItemContext, found: Format): void {
  const wanted = format === 'collected' ? 'browser' : format;
  if (wanted !== 'auto' && wanted !== found) throw new Unreadable('is not in the requested format', found);
}
