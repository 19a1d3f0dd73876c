import type { Context } from '../../schema/context.ts';
import type { RestRoute } from '../../schema/rest-route.ts';
import type { Variables } from './arguments.ts';
import type { Execute } from './executor.ts';

/** A page of a list, with the cursor of the next one. */
export type Page = Record<string, unknown>;
type Stream = NonNullable<RestRoute['stream']>;

/** Whether the request asks for the whole list rather than a page of it. */
export function asksForAll(stream: Stream | undefined, variables: Variables): stream is Stream {
  return stream !== undefined && !stream.unless.some(name => name in variables);
}

/**
 * The whole list as the text of one page without a next one: `first`, and behind it what its cursor leads to.
 * A page at a time, so memory stays flat, and the next page is only read when its reader wants more.
 */
export function wholeList(
  stream: Stream,
  execute: Execute,
  context: Context,
  first: Page,
): AsyncGenerator<Buffer> {
  const { list, cursor } = stream;
  const { [list]: _items, ...rest } = first;
  const textOf = (before: string, page: Page): PageText => ({
    text: Buffer.from(before + JSON.stringify(page[list]).slice(1, -1)),
    next: page[cursor],
  });
  const read = async (next: unknown) => textOf(',', (await execute(context, { [CURSOR]: next })) as Page);
  const tail = `],${JSON.stringify({ ...rest, [cursor]: null, truncated: false }).slice(1)}`;
  return texts(textOf(`{${JSON.stringify(list)}:[`, first), read, tail);
}

/** A page as text, which is all that is kept of it. */
interface PageText {
  text: Buffer;
  /** The next page's cursor; null on the last one. */
  next: unknown;
}

async function* texts(
  page: PageText,
  read: (next: unknown) => Promise<PageText>,
  tail: string,
): AsyncGenerator<Buffer> {
  yield page.text;
  while (page.next !== null) {
    page = await read(page.next);
    if (page.text.length > 1) yield page.text;
  }
  yield Buffer.from(tail);
}

const CURSOR = 'cursor';
