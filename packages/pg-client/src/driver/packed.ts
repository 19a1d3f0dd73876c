/** A field that shares a JSON column with other fields. */
export interface PackedField {
  name: string;
  /** The value if the column lacks the field. */
  unknown: unknown;
  /** The fields of an object; with a list as `unknown`, those of each item. */
  fields?: readonly PackedField[];
}

type Json = Readonly<Record<string, unknown>>;

const NONE: Json = {};

/** Fields of a row that are stored together in one column, as an object. */
export class PackedColumn {
  readonly column: string;
  readonly fields: readonly PackedField[];
  /** Upper bound of the factor by which a list item grows when absent fields are added. */
  readonly growth: number;

  constructor(column: string, fields: readonly PackedField[]) {
    this.column = column;
    this.fields = fields;
    const items = fields.map(({ fields }) => JSON.stringify(fields ? complete(fields, null) : {}));
    this.growth = Math.max(...items.map(item => item.length / '{}'.length));
  }

  /** Returns the row with the packed fields as separate fields. */
  unpack(row: object): object {
    const { [this.column]: packed, ...rest } = row as Record<string, unknown>;
    return Object.assign(rest, complete(this.fields, packed as Json | null));
  }
}

/** Fills in fields that are not stored with their "unknown" values. */
function complete(fields: readonly PackedField[], rest: Json | null): Record<string, unknown> {
  const values = rest ?? NONE;
  const whole: Record<string, unknown> = {};
  for (const field of fields) whole[field.name] = completeField(field, values[field.name]);
  return whole;
}

/**
 * Returns the complete value of a field.
 * @param value undefined if the column lacks the field
 */
export function completeField({ unknown, fields }: PackedField, value: unknown): unknown {
  if (!fields) return value ?? unknown;
  if (!Array.isArray(unknown)) return complete(fields, value as Json | null);
  return ((value ?? unknown) as Json[]).map(item => complete(fields, item));
}
