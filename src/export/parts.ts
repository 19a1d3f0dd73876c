import type { JsonFields } from '@sightline/pg-client';
import type { Cursor } from '../../sql/export/cursor.ts';
import type { ArrivedRows } from '../../sql/export/stream.ts';
import type { ExportForm } from './forms.ts';
import { written } from './stream.ts';

/** Rows to write. */
export interface ExportPart extends ArrivedRows {
  /** True if earlier rows are missing because their retention has ended. */
  gap?: boolean;
}

/** The size in bytes and the age in milliseconds at which a part is sent. */
const FULL = 1024 * 1024;
const OLD = 1000;

/** Room for the rows with which a part exceeds its size, in bytes. */
const SLACK = 1024 * 1024;

/**
 * Writes a multipart body. Each part is a page with its length and the cursor after it, so a client can continue after
 * the last complete part. A chunk is valid until the next one is read.
 * @param toCursor serializes a place
 * @param boundary the delimiter, which must not occur in the records
 */
export async function* writeParts(
  arrived: AsyncIterable<ExportPart>,
  form: ExportForm,
  fields: JsonFields,
  toCursor: (place: Cursor) => string,
  boundary: string,
): AsyncGenerator<Buffer> {
  const body = new PartBody(form.start(fields));
  let pending: Pick<ExportPart, 'place' | 'gap'> | undefined;
  function* finish({ place, gap }: NonNullable<typeof pending>) {
    body.append(Buffer.from(form.end));
    yield Buffer.from(`\r\n--${boundary}\r
Content-Type: ${form.mediaType}\r
Content-Length: ${body.length}\r
Sightline-Cursor: ${toCursor(place())}\r
${gap ? 'Sightline-Gap: true\r\n' : ''}\r\n`);
    yield body.bytes;
    body.clear();
    pending = undefined;
  }
  for await (const { rows, place, gap = false } of arrived) {
    if (rows) for await (const piece of written(rows, form, fields, body.isEmpty)) body.append(piece);
    pending = { place, gap: gap || pending?.gap === true };
    if (body.isDue) yield* finish(pending);
  }
  if (pending) yield* finish(pending);
  yield Buffer.from(`\r\n--${boundary}--\r\n`);
}

/** Collects the body of a part. The memory is reused for the next part. */
class PartBody {
  readonly #start: Buffer;
  #bytes = Buffer.allocUnsafe(FULL + SLACK);
  #length = 0;
  #begin = 0;

  /** @param start the text before the records of each part */
  constructor(start: string) {
    this.#start = Buffer.from(start);
    this.clear();
  }

  get length(): number {
    return this.#length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  get isEmpty(): boolean {
    return this.#length === this.#start.length;
  }

  get isDue(): boolean {
    return this.#length >= FULL || performance.now() - this.#begin >= OLD;
  }

  append(piece: Buffer): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * length);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    piece.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  clear(): void {
    // A large record leaves no large memory behind.
    if (this.#bytes.length > 2 * FULL) this.#bytes = Buffer.allocUnsafe(FULL + SLACK);
    this.#length = 0;
    this.append(this.#start);
    this.#begin = performance.now();
  }
}
