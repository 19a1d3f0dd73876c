import type { Json } from '@sightline/json';
import type { Context } from '../../schema/context.ts';
import type { RestRoute } from '../../schema/rest-route.ts';

/** A page of a list, with the cursor of the next one. */
export type Page = Record<string, unknown>;
export type Stream = NonNullable<RestRoute['stream']>;

export interface BodyWriter {
  /** @param value what the route's resolver answered with */
  write(value: unknown, context: Context): Json | Promise<Json>;
  /** The items of the list that the route streams, with commas between them, behind a text. */
  writeItems(list: unknown, before: string, context: Context): Json;
}

/**
 * The whole list as the text of one page without a next one: `first`, and behind it what its cursor leads to.
 * A page at a time, so memory stays flat, and the next page is only read when its reader wants more. A piece is valid
 * until the next one is read.
 */
export async function* wholeList(
  { list, cursor }: Stream,
  pageBehind: (cursor: unknown) => Promise<Page> | Page,
  { write, writeItems }: BodyWriter,
  context: Context,
  first: Page,
): AsyncGenerator<Buffer> {
  const empty = write({ ...first, [list]: [], [cursor]: null, truncated: false }, context) as string;
  const start = `${JSON.stringify(list)}:[`;
  const at = empty.indexOf(start) + start.length;
  let before = empty.slice(0, at);
  for (let page = first; ; page = await pageBehind(page[cursor])) {
    // All that was left may be gone meanwhile.
    if (before !== ',' || (page[list] as { length: number }).length > 0)
      yield* piecesOf(writeItems(page[list], before, context));
    before = ',';
    if (page[cursor] === null) break;
  }
  yield Buffer.from(empty.slice(at));
}

function* piecesOf(json: Json): Generator<Buffer> {
  if (typeof json === 'string') return yield Buffer.from(json);
  yield* json.pieces;
  json.release();
}
