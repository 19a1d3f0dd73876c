import type { Context } from '../../schema/context.ts';
import type { JsonFields } from '../../sql/driver/row-writer.ts';
import type { Rows } from '../../sql/driver/rows.ts';
import { TextWriter, type WrittenText } from '../../sql/driver/text-writer.ts';

/** A JSON text: in one piece, or in UTF-8 where rows are part of it. */
export type Json = string | WrittenText;

/** Whether it is no stream. */
export function isWhole(body: Json | AsyncIterable<Buffer>): body is Json {
  return typeof body === 'string' || 'pieces' in body;
}

/** A text that is being written: a string as long as possible, and in UTF-8 from the first rows on. */
export class Writing {
  readonly context: Context;
  #writer: TextWriter | undefined;

  constructor(context: Context) {
    this.context = context;
  }

  /** Writes rows behind what was written so far, which `text` is the end of. @returns the end of the whole: '' */
  rows(text: string, rows: Rows, fields: JsonFields): string {
    this.#writer ??= new TextWriter();
    this.#writer.write(text);
    rows.write(this.#writer, fields);
    return '';
  }

  /** @param text the end */
  end(text: string): Json {
    if (!this.#writer) return text;
    this.#writer.write(text);
    return this.#writer.end();
  }
}
