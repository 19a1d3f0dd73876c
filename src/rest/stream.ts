import type { Context } from '../../schema/context.ts';
import type { RestRoute } from '../../schema/rest-route.ts';
import type { Json } from '../executor/json.ts';

/** A page of a list, with the cursor of the next one. */
export type StreamPage = Record<string, unknown>;
export type Stream = NonNullable<RestRoute['stream']>;

export interface BodyWriter {
  /** @param value the result of the route's resolver */
  write(value: unknown, context: Context): Json | Promise<Json>;
  /** The items of the list that the route streams, separated by commas, after a text. */
  writeItems(list: unknown, before: string, context: Context): Json;
}

/**
 * Streams the complete list as the text of a single page: `first`, followed by the pages of its cursors. Only one page
 * is in memory, and the next one is read when the client is ready. A chunk is valid until the next one is read.
 */
export async function* wholeList(
  { list, cursor }: Stream,
  pageBehind: (cursor: unknown) => Promise<StreamPage> | StreamPage,
  { write, writeItems }: BodyWriter,
  context: Context,
  first: StreamPage,
): AsyncGenerator<Buffer> {
  const empty = write({ ...first, [list]: [], [cursor]: null, truncated: false }, context) as string;
  const start = `${JSON.stringify(list)}:[`;
  const at = empty.indexOf(start) + start.length;
  let before = empty.slice(0, at);
  for (let page = first; ; page = await pageBehind(page[cursor])) {
    // The remaining rows may have been deleted in the meantime.
    if (before !== ',' || (page[list] as { length: number }).length > 0)
      yield* splitPieces(writeItems(page[list], before, context));
    before = ',';
    if (page[cursor] === null) break;
  }
  yield Buffer.from(empty.slice(at));
}

function* splitPieces(json: Json): Generator<Buffer> {
  if (typeof json === 'string') return yield Buffer.from(json);
  yield* json.pieces;
  json.release();
}
