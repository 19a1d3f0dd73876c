import type { Context } from '../../schema/context.ts';
import { notFound } from '../../schema/errors.ts';
import { readArguments, type Variables } from './arguments.ts';
import { compile, type Execute } from './executor.ts';
import { type Json, jsonOf } from './json.ts';
import { collectOperations, type Operation } from './operations.ts';
import { parseQuery } from './query-string.ts';
import { Router } from './router.ts';
import { asksForAll, type Page, wholeList } from './stream.ts';
import { when } from './when.ts';

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
  execute: Execute;
}

/** `/v1`, as SOFA maps it onto the REST schema. Paths are below `/v1`. */
export async function createFacade(): Promise<Facade> {
  const router = new Router<Route>();
  for (const operation of await collectOperations()) {
    router.add(operation.route.path, { operation, execute: compile(operation) });
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

function run({ operation, execute }: Route, variables: Variables, context: Context): Body | Promise<Body> {
  const { stream } = operation.route;
  const value = execute(context, variables);
  if (!asksForAll(stream, variables)) return when(value, jsonOf);
  return when(value as Page, page =>
    page[stream.cursor] === null ? jsonOf(page) : wholeList(stream, execute, context, page),
  );
}
