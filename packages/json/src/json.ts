import type { JsonField, JsonFields, Rows, TextWriter, ValueKind, WrittenText } from '@sightline/postgres';
import type { AskedField, Complete, Context } from './run.ts';

/** A JSON text: in one piece, or in UTF-8 where rows are part of it. */
export type Json = string | WrittenText;

/** The same, or one that is written as it is read. */
export type Body = Json | AsyncIterable<Buffer>;

/** A text that is being written: a string as long as possible, and in UTF-8 from the first rows on. */
export interface Writing {
  context: Context;
  utf8: TextWriter;
  /** Told the length of the text so far, about: it may throw. */
  check?: ((length: number) => void) | undefined;
}

export interface TypeWriter {
  /** Adds a value to a text, and answers with the whole text. @throws {Error} for what is no value of the type */
  write(value: unknown, text: string, writing: Writing): string;
  /** The items of a list, with commas between them; undefined for what is no list. */
  writeItems?: TypeWriter['write'];
  /** The kind of column whose bytes say what is written. */
  kind?: ValueKind | undefined;
  /** The fields of rows that are such objects; undefined where one of them is more than a row tells. */
  rowFields?: (rows: Rows) => JsonFields | undefined;
  /** True if it is written of properties alone. */
  isPlain: boolean;
  /** The number of writers that it is made of. */
  size: number;
  /** Undefined where there are no resolvers below a value. Its result is the input of `write`. */
  complete?: Complete | undefined;
}

export interface ObjectField extends AskedField {
  /** The property of the source that it shows; undefined where it has a resolver of its own. */
  property: string | undefined;
  writer: TypeWriter;
  /** The way a row shows it; undefined where a row is not enough. */
  row: JsonField | undefined;
}
