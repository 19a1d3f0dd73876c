/** What kinds of values are, by the number of their type in PostgreSQL's catalogue. */
const KINDS = {
  16: 'boolean',
  20: 'integer',
  21: 'integer',
  23: 'integer',
  26: 'integer',
  114: 'json',
  700: 'number',
  701: 'number',
  1001: 'list',
  1009: 'list',
  1184: 'instant',
  3802: 'json',
} as const;

export type ValueKind = 'text' | (typeof KINDS)[keyof typeof KINDS];

/** A text is whatever is none of the others: PostgreSQL's own text stands for it. */
export function kindOf(type: number): ValueKind {
  return (KINDS as Record<number, ValueKind>)[type] ?? 'text';
}
