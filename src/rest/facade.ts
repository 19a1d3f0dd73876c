import type { Context } from '../../schema/context.ts';
import { notFound } from '../../schema/errors.ts';
import { restSchema } from '../../schema/index.ts';
import type { Json } from '../json/json.ts';
import { when } from '../json/run.ts';
import { readArguments, type Variables } from './arguments.ts';
import { collectOperations, type Operation } from './operations.ts';
import { parseQuery } from './query-string.ts';
import { Router } from './router.ts';
import { type Page, type Stream, wholeList } from './stream.ts';
import { type BodyWriter, compileWriter } from './writer.ts';

/** A request that found its route and whose parameters are sound: all that is left is to ask the schema. */
export interface Call {
  operation: Operation;
  variables: Variables;
  /** The body of the `200`, or what the resolver threw: at once where nothing has to be waited for. */
  run(context: Context): Body | Promise<Body>;
}

type Body = Json | AsyncIterable<Buffer>;

/** The fifth and the sixth door. @throws {PublicError} NOT_FOUND or INVALID */
export type Facade = (path: string, query: string) => Call;

interface Route {
  operation: Operation;
  resolve: Resolve;
  writer: BodyWriter;
}

/** Answers with the value of the route's field, or throws: at once where it can. */
type Resolve = (context: Context, variables: Variables) => unknown;

/** `/v1`, as SOFA maps it onto the REST schema. Paths are below `/v1`. */
export async function createFacade(): Promise<Facade> {
  const router = new Router<Route>();
  for (const operation of await collectOperations()) {
    const { resolve } = restSchema.getQueryType()!.getFields()[operation.field]!;
    router.add(operation.route.path, {
      operation,
      resolve: (context, variables) => resolve!(undefined, variables, context, undefined as never),
      writer: compileWriter(operation),
    });
  }
  // The documented template path; each known type has a literal path of its own.
  const unknownTypes = new Router<true>();
  unknownTypes.add('/reports/:type', true);

  return (path, query) => {
    const match = router.find(path);
    if (!match) throw notFound(unknownTypes.find(path) ? 'Unknown report type' : 'Not found');
    const { operation } = match.target;
    const variables = readArguments(operation, match.parameters, parseQuery(query));
    return { operation, variables, run: context => run(match.target, variables, context) };
  };
}

function run({ operation, resolve, writer }: Route, variables: Variables, context: Context) {
  const { stream } = operation.route;
  const value = resolve(context, variables);
  if (!asksForAll(stream, variables)) return when(value, value => writer.write(value, context));
  const pageBehind = (cursor: unknown) => resolve(context, { cursor }) as Promise<Page>;
  return when(value as Page, (page): Body | Promise<Body> =>
    page[stream.cursor] === null
      ? writer.write(page, context)
      : wholeList(stream, pageBehind, writer, context, page),
  );
}

/** Whether the request asks for the whole list rather than a page of it. */
function asksForAll(stream: Stream | undefined, variables: Variables): stream is Stream {
  return stream !== undefined && !stream.unless.some(name => name in variables);
}
