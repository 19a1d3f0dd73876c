import type { Context } from '../../schema/context.ts';
import type { RestRoute } from '../../schema/rest-route.ts';
import type { Variables } from './arguments.ts';
import type { Execute } from './executor.ts';

type Page = Record<string, unknown>;
type Stream = NonNullable<RestRoute['stream']>;

/** Whether the request asks for the whole list rather than a page of it. */
export function asksForAll(stream: Stream | undefined, variables: Variables): stream is Stream {
  return stream !== undefined && !stream.unless.some(name => name in variables);
}

/**
 * The whole list as the text of one page without a next one: `first`, and behind it what its cursor leads to.
 * A page at a time, so memory stays flat, and the next page is only read when its reader wants more.
 */
export async function* wholeList(
  stream: Stream,
  execute: Execute,
  context: Context,
  first: Page,
): AsyncGenerator<string> {
  const { list, cursor } = stream;
  const { [list]: _items, ...rest } = first;
  const tail = JSON.stringify({ ...rest, [cursor]: null, truncated: false }).slice(1);
  yield `{${JSON.stringify(list)}:[${items(first[list])}`;
  for (let page = first; page[cursor] !== null; ) {
    page = (await execute(context, { [CURSOR]: page[cursor] })) as Page;
    const text = items(page[list]);
    if (text) yield `,${text}`;
  }
  yield `],${tail}`;
}

const CURSOR = 'cursor';

function items(list: unknown): string {
  return JSON.stringify(list).slice(1, -1);
}
