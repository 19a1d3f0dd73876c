import { type Check, type Fields, object, optional, refuse, type Values } from './checks.ts';
import { cell } from './copy/text.ts';

/** The table that keeps the records of a kind, and the fields that identify one. */
export interface RecordTable {
  name: string;
  key: readonly string[];
  /** All that a record fills, the key first. */
  columns: readonly string[];
}

/** A kind of record: its fields, and the table that keeps it. */
export interface RecordDefinition {
  table: RecordTable;
  fields: Fields;
  /** Checks a record and answers with its cells of COPY text, in the order of the table's columns. */
  read(record: Record<string, unknown>): string[];
  /** The same of the key alone, which is all that a deletion needs: the cells of the table's key. */
  readKey(record: Record<string, unknown>): string[];
}

interface Description<Of extends Fields> {
  kind: string;
  table: string;
  fields: Of;
  /** The fields of the key. */
  key: readonly (keyof Of & string)[];
  /** The columns of the table's key. */
  keyColumns: readonly string[];
  /** Where each column's value comes from: a field, or something made of several. The key comes first. */
  columns: Record<string, (keyof Of & string) | ((values: Values<Of>) => unknown)>;
  /** A rule for the fields of the key together; then one for all fields. */
  keyRule?: (values: Values<Of>) => void;
  rule?: (values: Values<Of>) => void;
}

export function define<const Of extends Fields>(description: Description<Of>): RecordDefinition {
  const { kind, table, fields, key, keyColumns, columns, keyRule, rule } = description;
  const check = object({ ...ENVELOPE, ...fields }, kind);
  const checkKey = object({ ...ENVELOPE, ...ignored(Object.keys(fields)), ...pick(fields, key) }, kind);
  const names = Object.keys(columns);
  const cells = (values: Values<Of>, of: readonly string[]) =>
    of.map(name => {
      const source = columns[name]!;
      return cell(typeof source === 'function' ? source(values) : values[source]);
    });
  return {
    table: { name: table, key: keyColumns, columns: names },
    fields,
    read(record) {
      const values = check(record, '') as Values<Of>;
      keyRule?.(values);
      rule?.(values);
      return cells(values, names);
    },
    readKey(record) {
      const values = checkKey(record, '') as Values<Of>;
      keyRule?.(values);
      return cells(values, keyColumns);
    },
  };
}

/** Requires the fields that a variant has, and refuses the others. */
export function requireVariant<Of extends object>(
  values: Of,
  variant: string,
  { has, lacks }: { has: readonly (keyof Of & string)[]; lacks: readonly (keyof Of & string)[] },
): void {
  for (const name of lacks) if (values[name] !== null) refuse(name, `is not a field of ${variant}`);
  for (const name of has) if (values[name] === null) refuse(name, 'is missing');
}

const anything: Check<unknown> = optional(value => value, undefined);

function ignored(names: readonly string[]): Fields {
  return Object.fromEntries(names.map(name => [name, anything]));
}

/** The fields of a line of any kind. */
const ENVELOPE = ignored(['kind', 'deleted']);

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map(name => [name, fields[name]!]));
}
