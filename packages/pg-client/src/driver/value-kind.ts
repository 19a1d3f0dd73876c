/** The kinds of values, by type OID. */
const KINDS = {
  16: 'boolean',
  19: 'text',
  20: 'integer',
  21: 'integer',
  23: 'integer',
  25: 'text',
  114: 'json',
  701: 'number',
  1009: 'list',
  1043: 'text',
  1082: 'day',
  1184: 'instant',
  3802: 'jsonb',
} as const;

export type ValueKind = (typeof KINDS)[keyof typeof KINDS];

export interface Column {
  name: string;
  kind: ValueKind;
}

/** The first OID of user-defined types. Those of the service are enumerations, which are sent as text. */
const FIRST_OWN = 16384;

/** Returns the kind of a type; undefined if it is not supported. */
export function classify(type: number): ValueKind | undefined {
  return type < FIRST_OWN ? (KINDS as Record<number, ValueKind>)[type] : 'text';
}
