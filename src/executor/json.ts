import type { JsonField, JsonFields, Rows, TextWriter, ValueKind, WrittenText } from '@sightline/pg-client';
import type { Complete, ExecutionContext, ResolvedField } from './run.ts';

/** A JSON text: a string, or UTF-8 chunks if it contains rows. */
export type Json = string | WrittenText;

/** A JSON text, or a stream of it. */
export type JsonBody = Json | AsyncIterable<Buffer>;

/** A text that is being written. It is a string at first, and UTF-8 from the first rows on. */
export interface JsonOutput {
  context: ExecutionContext;
  utf8: TextWriter;
  /** Receives the approximate length of the text so far, and can throw to stop. */
  check?: ((length: number) => void) | undefined;
}

export interface TypeWriter {
  /**
   * Appends a value to a text and returns the result.
   * @throws {Error} if the value does not belong to the type
   */
  write(value: unknown, text: string, writing: JsonOutput): string;
  /** Writes long lists and yields to the event loop in between; undefined if `write` is always fast. */
  writeInTurns?: ((value: unknown, text: string, writing: JsonOutput) => Promise<string>) | undefined;
  /** Writes the items of a list with commas between them; undefined if the value is not a list. */
  writeItems?: TypeWriter['write'];
  /** The kind of column whose bytes can be copied into the response. */
  kind?: ValueKind | undefined;
  /** The fields of such objects, if they are rows; undefined if a field needs more than the row. */
  rowFields?: (rows: Rows) => JsonFields | undefined;
  /** True if the text depends only on properties of the value. */
  isPlain: boolean;
  /** The number of nested writers. */
  size: number;
  /** Undefined if the value contains no resolvers. Its result is the input of `write`. */
  complete?: Complete | undefined;
}

export interface ObjectField extends ResolvedField {
  /** The property of the source that the field shows; undefined if the field has a resolver. */
  property: string | undefined;
  writer: TypeWriter;
  /** How a row represents the field; undefined if the row is not enough. */
  row: JsonField | undefined;
}
