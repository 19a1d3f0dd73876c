import type { Body, TypeWriter } from '@sightline/json';
import { Run } from '@sightline/json/run';
import { type Selected, selectionsOf } from '@sightline/json/selections';
import { thenIfPromise } from '@sightline/json/then-if-promise';
import { textOf, typeWriter } from '@sightline/json/type-writer';
import { getNamedType, isObjectType, Kind } from 'graphql';
import type { Context } from '../../schema/context.ts';
import { restSchema } from '../../schema/index.ts';
import type { Variables } from './arguments.ts';
import type { Operation } from './operations.ts';
import { type BodyWriter, type Page, type Stream, wholeList } from './stream.ts';

/** A route of `/v1`, ready to be asked. */
export interface Route {
  operation: Operation;
  /** The body of the `200`, or what the resolver threw: at once where nothing has to be waited for. */
  answer(variables: Variables, context: Context): Body | Promise<Body>;
}

/** @throws {Error} for a document that no writer is made of */
export function compileRoute(operation: Operation): Route {
  const { resolve } = restSchema.getQueryType()!.getFields()[operation.field]!;
  const { stream } = operation.route;
  const writer = compileWriter(operation);
  const ask = (variables: Variables, context: Context) =>
    resolve!(undefined, variables, context, undefined as never);
  return {
    operation,
    answer(variables, context) {
      const value = ask(variables, context);
      if (!asksForAll(stream, variables)) return thenIfPromise(value, value => writer.write(value, context));
      const pageBehind = (cursor: unknown) => ask({ cursor }, context) as Promise<Page>;
      return thenIfPromise(value as Page, (page): Body | Promise<Body> =>
        page[stream.cursor] === null
          ? writer.write(page, context)
          : wholeList(stream, pageBehind, writer, context, page),
      );
    },
  };
}

/** Tells whether the request asks for the whole list rather than a page of it. */
function asksForAll(stream: Stream | undefined, variables: Variables): stream is Stream {
  return stream !== undefined && !stream.unless.some(name => name in variables);
}

/**
 * The writer of a route's bodies. It is compiled at the start, from SOFA's document of the route and the types of
 * the schema. It writes the selected fields in their order, and nothing else. It writes the same
 * bytes as plain graphql-js and `JSON.stringify`: a test holds every route to that.
 *
 * Where a list is `Rows`, the fields of its type become those of a row (`rowFields`), and `Rows.write` takes them from
 * the bytes that PostgreSQL sent. Rows that are written elsewhere, one a line or without an end, go the same way: page
 * by page, with the fields that `rowFields` has for their type. There is one way from a row to text.
 * @throws {Error} for a document that no writer is made of
 */
export function compileWriter({ document, name, field, route }: Operation): BodyWriter {
  const definition = document.definitions.find(
    node => node.kind === Kind.OPERATION_DEFINITION && node.name?.value === name,
  );
  if (definition?.kind !== Kind.OPERATION_DEFINITION)
    throw new Error(`the document has no operation ${name}`);
  const selections = selectionsOf([definition], { schema: restSchema, fragments: new Map(), variables: {} });
  const [root, ...others] = selections(restSchema.getQueryType()!);
  if (root?.name !== field || others.length > 0) throw new Error(`${name} selects more than ${field}`);
  const { write, complete } = typeWriter(root.field.type, root, `Query.${field}`);
  const items = route.stream && listOf(root, route.stream.list);
  return {
    write(value, context) {
      if (!complete) return textOf(write, value, context);
      const run = new Run(context);
      return thenIfPromise(complete(value, run, undefined), completed => {
        if (run.errors[0]) throw run.errors[0];
        return textOf(write, completed, context);
      });
    },
    writeItems: (list, before, context) => textOf(items!.writeItems!, list, context, before),
  };
}

/** The list of a route that is streamed: its items are written without any resolver. */
function listOf({ field: { type }, selections }: Selected, name: string): TypeWriter {
  const named = getNamedType(type);
  const list = isObjectType(named) ? selections(named).find(field => field.name === name) : undefined;
  const writer = list && typeWriter(list.field.type, list, `${named}.${name}`);
  if (!writer?.writeItems || writer.complete) throw new Error(`${type} has no list ${name} of properties`);
  return writer;
}
