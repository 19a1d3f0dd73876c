import { type Check, type CheckedValues, type FieldChecks, object, optional, refuse } from './checks.ts';
import { cell } from './copy/text.ts';

/** The table of a kind of record, and the fields that identify a record. */
export interface RecordTable {
  name: string;
  key: readonly string[];
  /** The columns that a record fills, those of the key first. */
  columns: readonly string[];
}

/** A kind of record: its fields and its table. */
export interface RecordDefinition {
  table: RecordTable;
  fields: FieldChecks;
  /** Checks a record and returns its cells as COPY text, in the order of the columns. */
  read(record: Record<string, unknown>): string[];
  /** Checks only the key, for deletions. */
  readKey(record: Record<string, unknown>): string[];
}

interface Description<Of extends FieldChecks> {
  kind: string;
  table: string;
  fields: Of;
  /** The names of the key fields. */
  key: readonly (keyof Of & string)[];
  /** The columns of the table's key. */
  keyColumns: readonly string[];
  /** The source of each column: a field, or a function of several fields. The columns of the key come first. */
  columns: Record<string, (keyof Of & string) | ((values: CheckedValues<Of>) => unknown)>;
  /** An additional check of all key fields together; `rule` is the one for all fields. */
  keyRule?: (values: CheckedValues<Of>) => void;
  rule?: (values: CheckedValues<Of>) => void;
}

export function define<const Of extends FieldChecks>(description: Description<Of>): RecordDefinition {
  const { kind, table, fields, key, keyColumns, columns, keyRule, rule } = description;
  const check = object({ ...ENVELOPE, ...fields }, kind);
  const checkKey = object({ ...ENVELOPE, ...ignored(Object.keys(fields)), ...pick(fields, key) }, kind);
  const names = Object.keys(columns);
  const cells = (values: CheckedValues<Of>, of: readonly string[]) =>
    of.map(name => {
      const source = columns[name]!;
      return cell(typeof source === 'function' ? source(values) : values[source]);
    });
  return {
    table: { name: table, key: keyColumns, columns: names },
    fields,
    read(record) {
      const values = check(record, '') as CheckedValues<Of>;
      keyRule?.(values);
      rule?.(values);
      return cells(values, names);
    },
    readKey(record) {
      const values = checkKey(record, '') as CheckedValues<Of>;
      keyRule?.(values);
      return cells(values, keyColumns);
    },
  };
}

/** Requires the fields of one variant, and refuses those of other variants. */
export function requireVariant<Of extends object>(
  values: Of,
  variant: string,
  { has, lacks }: { has: readonly (keyof Of & string)[]; lacks: readonly (keyof Of & string)[] },
): void {
  for (const name of lacks) if (values[name] !== null) refuse(name, `is not a field of ${variant}`);
  for (const name of has) if (values[name] === null) refuse(name, 'is missing');
}

const anything: Check<unknown> = optional(value => value, undefined);

function ignored(names: readonly string[]): FieldChecks {
  return Object.fromEntries(names.map(name => [name, anything]));
}

/** Fields that are common to all kinds of lines. */
const ENVELOPE = ignored(['kind', 'deleted']);

function pick(fields: FieldChecks, names: readonly string[]): FieldChecks {
  return Object.fromEntries(names.map(name => [name, fields[name]!]));
}
