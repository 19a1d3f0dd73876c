import type { Context } from '../../schema/context.ts';
import type { RestRoute } from '../../schema/rest-route.ts';
import type { Variables } from './arguments.ts';
import type { Execute } from './executor.ts';
import { itemsOf } from './json.ts';

/** A page of a list, with the cursor of the next one. */
export type Page = Record<string, unknown>;
type Stream = NonNullable<RestRoute['stream']>;

/** Whether the request asks for the whole list rather than a page of it. */
export function asksForAll(stream: Stream | undefined, variables: Variables): stream is Stream {
  return stream !== undefined && !stream.unless.some(name => name in variables);
}

/**
 * The whole list as the text of one page without a next one: `first`, and behind it what its cursor leads to.
 * A page at a time, so memory stays flat, and the next page is only read when its reader wants more. What it yields
 * is good until the next piece is asked for.
 */
export async function* wholeList(
  { list, cursor }: Stream,
  execute: Execute,
  context: Context,
  first: Page,
): AsyncGenerator<Buffer> {
  const { [list]: _items, ...rest } = first;
  let before = `{${JSON.stringify(list)}:[`;
  for (let page: Page | undefined = first; page; page = await pageBehind(page[cursor])) {
    const { pieces, release } = itemsOf(page[list], before);
    // All that was left may be gone meanwhile.
    if (hasMoreThan(before, pieces)) yield* pieces;
    release();
    before = ',';
  }
  yield Buffer.from(`],${JSON.stringify({ ...rest, [cursor]: null, truncated: false }).slice(1)}`);

  async function pageBehind(position: unknown): Promise<Page | undefined> {
    return position === null ? undefined : ((await execute(context, { [CURSOR]: position })) as Page);
  }
}

function hasMoreThan(before: string, pieces: readonly Buffer[]): boolean {
  return pieces.some(({ length }) => length > before.length);
}

const CURSOR = 'cursor';
