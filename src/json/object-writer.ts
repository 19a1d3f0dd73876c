import type { JsonField, JsonFields } from '../../sql/driver/row-writer.ts';
import type { Rows } from '../../sql/driver/rows.ts';
import type { Writing } from './json.ts';
import type { kindOf } from './leaf.ts';
import type { Path, Run } from './run.ts';
import { sideBySide, when } from './when.ts';

/** How the values of a type are written. */
export interface TypeWriter {
  /** Adds a value to a text, and answers with the whole text. @throws {Error} for what is no value of the type */
  write(value: unknown, text: string, writing: Writing): string;
  /** The items of a list, with commas between them; undefined for what is no list. */
  writeItems?: TypeWriter['write'];
  /** The kind of column whose bytes say what is written. */
  kind?: ReturnType<typeof kindOf>;
  /** The fields of rows that are such objects; undefined where one of them is more than a row tells. */
  rowFields?: (rows: Rows) => JsonFields | undefined;
  /** Whether it is written of properties alone. */
  isPlain: boolean;
  /** How many writers it is made of. */
  size: number;
  /**
   * Asks the resolvers below a value, which have to answer before it is written. Undefined where there are none.
   * @returns what `write` takes in place of the value, now or later
   */
  complete?: Complete | undefined;
}

export type Complete = (value: unknown, run: Run, path: Path | undefined) => unknown;

/** A field of an object that is written. */
export interface ObjectField {
  /** The key in the answer. */
  name: string;
  /** The property of the source that it shows; undefined where it has a resolver of its own. */
  property: string | undefined;
  writer: TypeWriter;
  /** What its resolver, and those below it, say of a source. Undefined where there are none. */
  ask: ((source: unknown, run: Run, prev: Path | undefined) => unknown) | undefined;
  /** The same of a row; undefined where a row is not enough. */
  row: JsonField | undefined;
}

export type Source = Record<string, unknown>;

/** An object whose resolvers have answered. */
export class AskedObject {
  #fields: readonly ObjectField[];
  #source: unknown;
  #values: readonly unknown[];

  /** @param values of the fields that are asked, in their order */
  constructor(fields: readonly ObjectField[], source: unknown, values: readonly unknown[]) {
    this.#fields = fields;
    this.#source = source;
    this.#values = values;
  }

  /** What is at a key, of those that are asked. */
  get(key: string | number): unknown {
    return this.#values[this.#fields.filter(({ ask }) => ask).findIndex(({ name }) => name === key)];
  }

  write(before: string, writing: Writing): string {
    let asked = 0;
    let text = before;
    let start = '{';
    for (const { name, property, writer, ask } of this.#fields) {
      const value = ask ? this.#values[asked++] : (this.#source as Source)[property!];
      text = writer.write(value, `${text}${start}"${name}":`, writing);
      start = ',';
    }
    return `${text}${start === '{' ? '{}' : '}'}`;
  }
}

export const writeAsked: TypeWriter['write'] = (value, text, writing) =>
  (value as AskedObject).write(text, writing);

/** @param isAsked whether it is completed in any case */
export function objectWriter(
  fields: readonly ObjectField[],
  isAsked = fields.some(({ ask }) => ask !== undefined),
): TypeWriter {
  const rows = fields.flatMap(({ row }) => row ?? []);
  const known = rows.length === fields.length ? rows : undefined;
  const rowFields = () => known;
  const size = fields.reduce((sum, { writer }) => sum + writer.size, 1);
  if (!isAsked) return { ...propertiesWriter(fields), rowFields, size };
  const asked = fields.flatMap(({ ask }) => ask ?? []);
  const complete: Complete = (source, run, path) =>
    when(
      sideBySide(asked.length, index => asked[index]!(source, run, path)),
      values => new AskedObject(fields, source, values),
    );
  return { write: writeAsked, isPlain: false, complete, rowFields, size };
}

function propertiesWriter(fields: readonly ObjectField[]): Pick<TypeWriter, 'write' | 'isPlain'> {
  const parts = fields.map(({ name, property, writer }, index) => ({
    before: `${index === 0 ? '{' : ','}"${name}":`,
    property: property!,
    write: writer.write,
  }));
  const end = fields.length === 0 ? '{}' : '}';
  return {
    write(source, before, writing) {
      let text = before;
      for (const { before, property, write } of parts)
        text = write((source as Source)[property], text + before, writing);
      return text + end;
    },
    isPlain: fields.every(({ writer }) => writer.isPlain),
  };
}
