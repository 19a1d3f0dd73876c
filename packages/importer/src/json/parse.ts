import type { ItemContext } from '../item.ts';
import { Unreadable } from '../unreadable.ts';

/** The limits that apply to a text. */
export type ParseContext = Pick<ItemContext, 'bounds' | 'budget'>;

/** Length in characters above which the values of a text are counted before it is parsed. */
const LONG = 256 * 1024;

/** Maximum number of values in a JSON text, because even short values take memory. */
const MOST_VALUES = 1_000_000;

/**
 * Parses a JSON text within the limits.
 * @throws {Unreadable | BudgetExceeded}
 */
export function parseJson(text: string, { bounds, budget }: ParseContext): unknown {
  budget.look();
  if (text.length > LONG) requireFewValues(text, Math.min(MOST_VALUES, budget.values));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Unreadable('is not JSON');
  }
  requireDepth(value, bounds.jsonDepth, bounds.jsonDepth);
  return value;
}

function requireFewValues(text: string, most: number): void {
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x2c || code === 0x5b || code === 0x7b) values++;
  }
  if (values > most) throw new Unreadable('has too many values', `over ${most}`);
}

function requireDepth(value: unknown, left: number, most: number): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) throw new Unreadable('is nested too deeply', `over ${most} levels`);
  if (Array.isArray(value)) {
    for (const item of value) requireDepth(item, left - 1, most);
    return;
  }
  for (const name in value) requireDepth((value as Record<string, unknown>)[name], left - 1, most);
}
