import type { JsonFields, Rows } from '@sightline/postgres';
import type { Form } from './forms.ts';

/**
 * All rows as they come. A piece is valid until the next one is read.
 * @param first the first of the parts, so that what fails before it is no broken stream
 * @param close called at the end, however it comes
 */
export async function* streamed(
  first: IteratorResult<Rows>,
  parts: AsyncIterator<Rows>,
  form: Form,
  fields: JsonFields,
  close: () => void,
): AsyncGenerator<Buffer> {
  try {
    const start = form.start(fields);
    if (start !== '') yield Buffer.from(start);
    for (let part = first; !part.done; part = await parts.next()) {
      const { pieces, ...written } = form.write(part.value, fields, part === first);
      yield* pieces;
      written.release();
    }
    if (form.end !== '') yield Buffer.from(form.end);
  } finally {
    close();
  }
}
