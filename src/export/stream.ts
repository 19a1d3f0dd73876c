import type { JsonFields } from '../../sql/driver/row-writer.ts';
import type { Rows } from '../../sql/driver/rows.ts';
import type { ExportRow, Place } from '../../sql/exports.ts';
import type { Form } from './forms.ts';

/**
 * All rows, page by page: while one is written and taken, the next is read, and no further one. What it yields is good
 * until the next piece is asked for.
 * @param next the page behind a place; one without rows is the end
 * @param close called at the end, however it comes
 */
export async function* streamed(
  first: Rows<ExportRow>,
  next: (behind: Place) => Promise<Rows<ExportRow>>,
  form: Form,
  fields: JsonFields,
  close: () => void,
): AsyncGenerator<Buffer> {
  try {
    const start = form.start(fields);
    if (start !== '') yield Buffer.from(start);
    let isFirst = true;
    for (let rows = first; rows.length > 0; isFirst = false) {
      const { at, row_id } = rows.last()!;
      const following = next({ at, id: row_id });
      // It may fail while nobody waits for it yet.
      following.catch(() => {});
      const { pieces, ...written } = form.write(rows, fields, isFirst);
      yield* pieces;
      written.release();
      rows = await following;
    }
    if (form.end !== '') yield Buffer.from(form.end);
  } finally {
    close();
  }
}
