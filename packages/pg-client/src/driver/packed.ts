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
  /** The size of the fields of a row without any values, as JSON in bytes. */
  readonly emptySize: number;
  /** The size of the largest empty object in a field, such as a list item; 0 if no field contains objects. */
  readonly emptyItemSize: number;

  constructor(column: string, fields: readonly PackedField[]) {
    this.column = column;
    this.fields = fields;
    this.emptySize = measureEmpty(fields);
    this.emptyItemSize = Math.max(0, ...listNested(fields).map(measureEmpty));
  }

  /** Returns the row with the packed fields as separate fields. */
  unpack(row: object): object {
    const { [this.column]: packed, ...rest } = row as Record<string, unknown>;
    return Object.assign(rest, complete(this.fields, packed as Json | null));
  }
}

const measureEmpty = (fields: readonly PackedField[]) =>
  Buffer.byteLength(JSON.stringify(complete(fields, null)));

/** Returns the fields of each kind of object within the fields. */
function listNested(fields: readonly PackedField[]): (readonly PackedField[])[] {
  return fields.flatMap(({ fields }) => (fields ? [fields, ...listNested(fields)] : []));
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
