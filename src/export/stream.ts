import { nextTurn, TurnClock } from '@sightline/csp';
import type { JsonFields, Rows } from '@sightline/pg-client';
import type { ExportForm } from './forms.ts';

/**
 * Streams all rows. A chunk is valid until the next one is read.
 * @param first the first part, read beforehand so that an early failure results in an error response
 * @param close called at the end, including after a failure
 */
export async function* streamExport(
  first: IteratorResult<Rows>,
  parts: AsyncIterator<Rows>,
  form: ExportForm,
  fields: JsonFields,
  close: () => void,
): AsyncGenerator<Buffer> {
  try {
    const start = form.start(fields);
    if (start !== '') yield Buffer.from(start);
    for (let part = first; !part.done; part = await parts.next())
      yield* written(part.value, form, fields, part === first);
    if (form.end !== '') yield Buffer.from(form.end);
  } finally {
    close();
  }
}

/** The number of bytes of rows written per turn of the event loop. */
const PART = 256 * 1024;

/** Writes rows as text, and yields to the event loop between parts. A chunk is valid until the next one is read. */
export async function* written(
  rows: Rows,
  form: ExportForm,
  fields: JsonFields,
  areFirst: boolean,
): AsyncGenerator<Buffer> {
  let isFirst = areFirst;
  for (const part of rows.inParts(PART)) {
    const { pieces, ...text } = form.write(part, fields, isFirst);
    const clock = new TurnClock(1);
    try {
      for (const piece of pieces) {
        if (clock.isOver()) await nextTurn();
        yield piece;
      }
    } finally {
      text.release();
    }
    isFirst = false;
    await nextTurn();
  }
}
