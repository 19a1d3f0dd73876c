/** A field that is kept in a JSON column together with others. */
export interface PackedField {
  name: string;
  /** The value that stands for it where the column lacks it. */
  unknown: unknown;
  /** The fields of an object, which always has all of them; with a list as `unknown`, those of each item. */
  fields?: readonly PackedField[];
}

type Json = Readonly<Record<string, unknown>>;

const NONE: Json = {};

/** Fields of a row that are kept together in one column, as an object. */
export class Packed {
  readonly column: string;
  readonly fields: readonly PackedField[];
  /** The factor by which an item of a list grows, once it has all fields. */
  readonly growth: number;

  constructor(column: string, fields: readonly PackedField[]) {
    this.column = column;
    this.fields = fields;
    const items = fields.map(({ fields }) => JSON.stringify(fields ? complete(fields, null) : {}));
    this.growth = Math.max(...items.map(item => item.length / '{}'.length));
  }

  /** A row with them as fields of its own. */
  unpack(row: object): object {
    const { [this.column]: packed, ...rest } = row as Record<string, unknown>;
    return Object.assign(rest, complete(this.fields, packed as Json | null));
  }
}

/** An object with every field: the stored one leaves out those that were unknown. */
function complete(fields: readonly PackedField[], kept: Json | null): Record<string, unknown> {
  const values = kept ?? NONE;
  const whole: Record<string, unknown> = {};
  for (const field of fields) whole[field.name] = completed(field, values[field.name]);
  return whole;
}

/** @param value undefined where it is not there */
export function completed({ unknown, fields }: PackedField, value: unknown): unknown {
  if (!fields) return value ?? unknown;
  if (!Array.isArray(unknown)) return complete(fields, value as Json | null);
  return ((value ?? unknown) as Json[]).map(item => complete(fields, item));
}
